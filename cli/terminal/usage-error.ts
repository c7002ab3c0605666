/** The command line cannot be understood, or names something that is not there: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
