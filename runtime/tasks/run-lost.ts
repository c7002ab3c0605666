/** What a run of a task threw whose handler is gone with its process, though nobody meant the task to end: another run goes on with it. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
}
