// The one table of environment variables that are read. `doctor` and docs/reference/environment.md are made from it, and a test looks for
// variables in the sources that are not here. Variables of a pack's own are in `config:` of its toolwright.yaml.

export interface EnvironmentVariable {
  readonly name: string;
  /** What it does, as a verb: "sets options of tools". */
  readonly does: string;
  readonly form: string;
  readonly example?: string;
  /** Who reads it. */
  readonly readBy: string;
}

/** Ours. */
export const ownVariables: readonly EnvironmentVariable[] = [
  {
    name: 'TOOLWRIGHT_CACHE',
    does: 'says where runs are remembered',
    form: 'a folder, or `off` to remember nothing',
    example: 'TOOLWRIGHT_CACHE=off',
    readBy: 'all commands',
  },
  {
    name: 'TOOLWRIGHT_NO_INSTALL',
    does: 'keeps packs that are missing from being installed',
    form: 'anything but empty, `0` and `false`',
    example: 'TOOLWRIGHT_NO_INSTALL=1',
    readBy: '`start`, `dev`, `call`, `test`, `install`',
  },
  {
    name: 'TOOLWRIGHT_OPTIONS',
    does: 'sets options of tools',
    form: 'JSON: tool, option, value',
    example: `TOOLWRIGHT_OPTIONS='{"search-issues": {"pageSize": 20}}'`,
    readBy: 'servers, also built ones',
  },
  {
    name: 'TOOLWRIGHT_OVERLAY',
    does: 'patches texts and policy of packs',
    form: 'folders of overlays, separated like `PATH`',
    example: 'TOOLWRIGHT_OVERLAY=overlays/support',
    readBy: 'all commands that load a pack, and servers, also built ones',
  },
  {
    name: 'TOOLWRIGHT_PROJECT',
    does: 'is where the built-in server looks',
    form: 'a folder; default: the working folder',
    example: 'TOOLWRIGHT_PROJECT=packs/jira',
    readBy: 'the built-in server `pack-development`',
  },
  {
    name: 'TOOLWRIGHT_ROOTS',
    does: 'names folders for tools',
    form: 'folders, separated like `PATH`; `ctx.roots()` gives them where the client has none',
    example: 'TOOLWRIGHT_ROOTS=/home/ada/work',
    readBy: 'servers, also built ones',
  },
  {
    name: 'TOOLWRIGHT_SETTINGS',
    does: 'changes and switches off items, as an install has it',
    form: 'JSON, written by `toolwright install`',
    example: `TOOLWRIGHT_SETTINGS='{"tools": {"delete-issue": {"enabled": false}}}'`,
    readBy: 'servers, also built ones',
  },
  {
    name: 'TOOLWRIGHT_STATE_KEY',
    does: 'seals the state of questions',
    form: 'at least 32 bytes; the same for all processes that serve one address',
    example: 'TOOLWRIGHT_STATE_KEY=$(openssl rand -base64 32)',
    readBy: 'servers, also built ones',
  },
];

/** Those of the system and of other programs. */
export const foreignVariables: readonly EnvironmentVariable[] = [
  { name: 'NO_COLOR', does: 'switches colours off', form: 'anything', readBy: 'all commands' },
  { name: 'FORCE_COLOR', does: 'switches colours on, on any terminal', form: 'anything', readBy: 'all commands' },
  {
    name: 'GITHUB_WORKSPACE',
    does: 'is the folder that paths are relative to',
    form: 'a folder',
    readBy: '`--format github` and `sarif`',
  },
  {
    name: 'NODE_OPTIONS',
    does: 'has flags that can be in the way of servers',
    form: 'flags of Node',
    readBy: '`doctor`, which names them',
  },
  {
    name: 'npm_execpath',
    does: 'says which npm runs this command',
    form: 'a path, set by npm itself',
    readBy: 'commands that install packs',
  },
  {
    name: 'npm_config_user_agent',
    does: 'says which package manager runs this command',
    form: 'set by package managers',
    readBy: '`init`, in a folder that says nothing about it',
  },
  {
    name: 'YARN_NODE_LINKER',
    does: 'says whether yarn writes node_modules',
    form: '`node-modules` or `pnp`',
    readBy: 'commands that install packs',
  },
  { name: 'PATH', does: 'is where package managers are looked for', form: 'folders', readBy: 'commands that run npm' },
  {
    name: 'XDG_CACHE_HOME',
    does: 'is where runs are remembered on Linux',
    form: 'a folder; default: `~/.cache`',
    readBy: 'all commands',
  },
  {
    name: 'XDG_CONFIG_HOME',
    does: 'is where clients have their settings on Linux',
    form: 'a folder; default: `~/.config`',
    readBy: '`install`, `uninstall`, `doctor`',
  },
  {
    name: 'XDG_STATE_HOME',
    does: 'is where backups of settings go on Linux and macOS',
    form: 'a folder; default: `~/.local/state`',
    readBy: '`install`, `uninstall`',
  },
  {
    name: 'APPDATA',
    does: 'is where clients have their settings on Windows',
    form: 'a folder',
    readBy: '`install`, `uninstall`, `doctor`',
  },
  {
    name: 'LOCALAPPDATA',
    does: 'is where runs are remembered and backups go on Windows',
    form: 'a folder',
    readBy: 'all commands',
  },
  {
    name: 'SystemRoot',
    does: 'is where Windows has its shell',
    form: 'a folder, set by Windows',
    readBy: 'commands that run npm',
  },
  {
    name: 'ComSpec',
    does: 'is the shell of Windows, which runs package managers',
    form: 'a path, set by Windows',
    readBy: 'commands that run npm',
  },
];
