// What servers and `toolwright start` understand by themselves on a command line: config keys cannot have these names as flags (X3).
// test/cli/config-flags.test.ts compares it with the options of both.

/** Without dashes. What `--no-...` switches off is there under both names. */
export const ownFlags: ReadonlySet<string> = new Set([
  'http',
  'stdio',
  'host',
  'insecure',
  'mode',
  'overlay',
  'env-file',
  'strict',
  'protocol',
  'lane',
  'initialize',
  'no-initialize',
  'quiet',
  'color',
  'no-color',
  'cwd',
  'version',
  'help',
  'install',
  'no-install',
  'frozen',
  'forget-tasks',
]);
