// The one table of environment variables that are read. `doctor` and docs/reference/environment.md are made from it, and a test looks for
// variables in the sources that are not here. Variables of a pack's own are in `config:` of its toolwright.yaml.

export interface EnvironmentVariable {
  readonly name: string;
  /** What it does, as a verb: "sets tool options". */
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
    does: 'sets the folder for cached runs',
    form: 'a folder, or `off` to remember nothing',
    example: 'TOOLWRIGHT_CACHE=off',
    readBy: 'all commands',
  },
  {
    name: 'TOOLWRIGHT_NO_INSTALL',
    does: 'keeps missing packs from being installed',
    form: 'anything but empty, `0` and `false`',
    example: 'TOOLWRIGHT_NO_INSTALL=1',
    readBy: '`start`, `dev`, `call`, `test`, `install`',
  },
  {
    name: 'TOOLWRIGHT_OPTIONS',
    does: 'sets tool options',
    form: 'JSON: tool, option, value',
    example: `TOOLWRIGHT_OPTIONS='{"search-issues": {"pageSize": 20}}'`,
    readBy: 'servers, including built ones',
  },
  {
    name: 'TOOLWRIGHT_OVERLAY',
    does: 'applies overlays to packs',
    form: 'overlay folders, separated like `PATH`',
    example: 'TOOLWRIGHT_OVERLAY=overlays/support',
    readBy: 'all commands that load a pack, and servers, including built ones',
  },
  {
    name: 'TOOLWRIGHT_PROJECT',
    does: 'sets the folder where the built-in server looks for the project',
    form: 'a folder; default: the working folder',
    example: 'TOOLWRIGHT_PROJECT=packs/jira',
    readBy: 'the built-in server `pack-development`',
  },
  {
    name: 'TOOLWRIGHT_ROOTS',
    does: 'sets the folders that tools may work in',
    form: 'folders, separated like `PATH`; `ctx.roots()` returns them if the client names none',
    example: 'TOOLWRIGHT_ROOTS=/home/ada/work',
    readBy: 'servers, including built ones',
  },
  {
    name: 'TOOLWRIGHT_SETTINGS',
    does: 'changes and disables items, as an installation sets it',
    form: 'JSON, written by `toolwright install`',
    example: `TOOLWRIGHT_SETTINGS='{"tools": {"delete-issue": {"enabled": false}}}'`,
    readBy: 'servers, including built ones',
  },
  {
    name: 'TOOLWRIGHT_STATE',
    does: 'sets the folder where tasks are kept',
    form: 'a folder; default: `toolwright` in the folder for the state of programs',
    example: 'TOOLWRIGHT_STATE=/var/lib/acme',
    readBy: 'servers with tasks, including built ones',
  },
  {
    name: 'TOOLWRIGHT_STATE_KEY',
    does: 'sets the key that seals tasks and the answers to questions',
    form: 'at least 32 bytes; the same for all processes that serve one address',
    example: 'TOOLWRIGHT_STATE_KEY=$(openssl rand -base64 32)',
    readBy: 'servers, including built ones',
  },
];

const proxy = {
  form: 'an address such as `http://proxy.example.com:3128`',
  readBy: 'backends of the types `http` and `mcp`',
};

/** Those of the system and of other programs. */
export const foreignVariables: readonly EnvironmentVariable[] = [
  { name: 'NO_COLOR', does: 'turns colours off', form: 'anything', readBy: 'all commands' },
  { name: 'FORCE_COLOR', does: 'turns colours on, for any output', form: 'anything', readBy: 'all commands' },
  {
    name: 'GITHUB_WORKSPACE',
    does: 'sets the folder that paths are relative to',
    form: 'a folder',
    readBy: '`--format github` and `sarif`',
  },
  {
    name: 'NODE_OPTIONS',
    does: 'sets Node flags, some of which disturb servers',
    form: 'Node flags',
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
  {
    name: 'PATH',
    does: 'sets where package managers are looked for',
    form: 'folders',
    readBy: 'commands that run npm',
  },
  { name: 'HTTPS_PROXY', does: 'sets the proxy for requests to `https:`; `https_proxy` wins', ...proxy },
  { name: 'HTTP_PROXY', does: 'sets the proxy for requests to `http:`; `http_proxy` wins', ...proxy },
  { name: 'ALL_PROXY', does: 'sets the proxy where the two above are not set; `all_proxy` wins', ...proxy },
  {
    name: 'NO_PROXY',
    does: 'names the hosts that are reached without a proxy; `no_proxy` wins',
    form: 'hosts, domains, addresses and ranges, separated by commas; `*` for all',
    readBy: proxy.readBy,
  },
  {
    name: 'XDG_CACHE_HOME',
    does: 'sets the folder for cached runs on Linux',
    form: 'a folder; default: `~/.cache`',
    readBy: 'all commands',
  },
  {
    name: 'XDG_CONFIG_HOME',
    does: 'sets where clients keep their settings on Linux',
    form: 'a folder; default: `~/.config`',
    readBy: '`install`, `uninstall`, `doctor`',
  },
  {
    name: 'XDG_STATE_HOME',
    does: 'sets where backups of settings and tasks go on Linux and macOS',
    form: 'a folder; default: `~/.local/state`',
    readBy: '`install`, `uninstall`, servers with tasks',
  },
  {
    name: 'APPDATA',
    does: 'sets where clients keep their settings on Windows',
    form: 'a folder',
    readBy: '`install`, `uninstall`, `doctor`',
  },
  {
    name: 'LOCALAPPDATA',
    does: 'sets where cached runs, backups and tasks go on Windows',
    form: 'a folder',
    readBy: 'all commands',
  },
  {
    name: 'SystemRoot',
    does: 'sets the path of the Windows shell',
    form: 'a folder, set by Windows',
    readBy: 'commands that run npm',
  },
  {
    name: 'ComSpec',
    does: 'names the Windows shell, which runs package managers',
    form: 'a path, set by Windows',
    readBy: 'commands that run npm',
  },
];
