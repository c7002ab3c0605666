// The clients, a row each: where their configuration lies, under which key, and what an entry looks like there.
// Rows come from sources (docs/guides/clients.md tells); a client without one is left out rather than guessed.
import type { Client, EntryData, ServerEntry, System } from './client.js';

// What many clients have alike: the form of an entry, the place of a file.

const plain = ({ command, args, env }: ServerEntry): EntryData => ({ type: 'stdio', command, args, env });
const switchable = (server: ServerEntry): EntryData => ({ ...plain(server), disabled: false, autoApprove: [] });

/** The same file below the home folder on every system. */
const atHome = (...paths: readonly string[]): Readonly<Record<System, readonly string[]>> => {
  const files = paths.map(path => `~/${path}`);
  return { linux: files, darwin: files, win32: files };
};
/** The same file below the folder of application settings. */
const inSettings = (path: string): Readonly<Record<System, readonly string[]>> => {
  const files = [`{config}/${path}`];
  return { linux: files, darwin: files, win32: files };
};

const servers = { format: 'json', path: ['mcpServers'], holds: 'map', entry: plain } as const;
/** The ways in which clients name a variable of their environment. */
const dollar = (variable: string): string => `\${${variable}}`;
const dollarEnv = (variable: string): string => `\${env:${variable}}`;

const restart = 'Restart it, or reload its MCP servers.';

export const clients: readonly Client[] = [
  {
    ...servers,
    id: 'claude-code',
    title: 'Claude Code',
    aliases: ['claudecode'],
    user: atHome('.claude.json'),
    project: '.mcp.json',
    reference: dollar,
    next: 'Start a new session; /mcp shows the server.',
  },
  {
    ...servers,
    id: 'claude-desktop',
    title: 'Claude Desktop',
    aliases: ['claudedesktop'],
    // Sources disagree on Linux: an existing file is used, which is why it has a row at all.
    user: {
      darwin: ['{config}/Claude/claude_desktop_config.json'],
      win32: ['{config}/Claude/claude_desktop_config.json'],
      linux: ['{config}/Claude/claude_desktop_config.json'],
    },
    next: 'Quit and start Claude Desktop.',
  },
  {
    ...servers,
    id: 'cursor',
    title: 'Cursor',
    aliases: [],
    user: atHome('.cursor/mcp.json'),
    project: '.cursor/mcp.json',
    reference: dollarEnv,
    next: 'Cursor asks to enable the new server.',
  },
  {
    ...servers,
    id: 'vscode',
    title: 'VS Code',
    aliases: ['visualstudiocode', 'code', 'vs-code'],
    path: ['servers'],
    user: inSettings('Code/User/mcp.json'),
    project: '.vscode/mcp.json',
    reference: dollarEnv,
    next: 'Run "MCP: List Servers" and start it.',
  },
  {
    ...servers,
    id: 'windsurf',
    title: 'Windsurf',
    aliases: ['codeium'],
    user: atHome('.codeium/windsurf/mcp_config.json'),
    next: restart,
  },
  {
    ...servers,
    id: 'zed',
    title: 'Zed',
    aliases: [],
    path: ['context_servers'],
    user: {
      linux: ['~/.config/zed/settings.json'],
      // Sources disagree on macOS.
      darwin: ['~/.config/zed/settings.json', '{config}/Zed/settings.json'],
      win32: ['{config}/Zed/settings.json'],
    },
    project: '.zed/settings.json',
    next: 'Zed picks it up at once.',
  },
  {
    id: 'codex',
    title: 'Codex',
    aliases: ['openaicodex', 'codex-cli'],
    format: 'toml',
    path: ['mcp_servers'],
    holds: 'map',
    user: atHome('.codex/config.toml'),
    project: '.codex/config.toml',
    entry: ({ command, args, env }) => ({ command, args, enabled: true, env }),
    next: 'Start a new session.',
  },
  {
    ...servers,
    id: 'gemini-cli',
    title: 'Gemini CLI',
    aliases: ['gemini', 'geminicli'],
    user: atHome('.gemini/settings.json'),
    next: restart,
  },
  {
    ...servers,
    id: 'antigravity',
    title: 'Antigravity',
    aliases: ['googleantigravity', 'antigravitycli', 'googleantigravitycli'],
    user: atHome('.gemini/antigravity/mcp_config.json'),
    migrated: { marker: '~/.gemini/config/.migrated', file: '~/.gemini/config/mcp_config.json' },
    project: '.agents/mcp_config.json',
    next: restart,
  },
  {
    id: 'goose',
    title: 'Goose',
    aliases: [],
    format: 'yaml',
    path: ['extensions'],
    holds: 'map',
    user: {
      linux: ['~/.config/goose/config.yaml'],
      darwin: ['~/.config/goose/config.yaml'],
      win32: ['{config}/Block/goose/config/config.yaml'],
    },
    entry: ({ name, command, args, env }) => ({
      name,
      type: 'stdio',
      enabled: true,
      cmd: command,
      args,
      envs: env,
      timeout: 300,
    }),
    next: 'Start a new session.',
  },
  {
    id: 'continue',
    title: 'Continue',
    aliases: [],
    format: 'yaml',
    path: ['mcpServers'],
    holds: 'list',
    user: atHome('.continue/config.yaml'),
    project: '.continue/mcpServers/{server}.yaml',
    entry: ({ name, command, args, env }) => ({ name, type: 'stdio', command, args, env }),
    start: ({ name }) => ({ name, version: '0.0.1', schema: 'v1' }),
    next: restart,
  },
  {
    ...servers,
    id: 'cline',
    title: 'Cline',
    aliases: [],
    user: inSettings('Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
    entry: switchable,
    next: 'Cline picks it up at once.',
  },
  {
    ...servers,
    id: 'copilot-cli',
    title: 'Copilot CLI',
    aliases: ['copilot', 'copilotcli'],
    user: atHome('.copilot/mcp-config.json'),
    entry: server => ({ ...plain(server), tools: ['*'] }),
    next: restart,
  },
  {
    ...servers,
    id: 'opencode',
    title: 'OpenCode',
    aliases: [],
    path: ['mcp'],
    // Sources disagree on the name of the file.
    user: atHome('.config/opencode/opencode.json', '.config/opencode/opencode.jsonc', '.config/opencode/config.json'),
    project: 'opencode.json',
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      environment: env,
    }),
    reference: variable => `{env:${variable}}`,
    next: restart,
  },
  {
    ...servers,
    id: 'kiro',
    title: 'Kiro',
    aliases: [],
    user: atHome('.kiro/settings/mcp.json'),
    project: '.kiro/settings/mcp.json',
    entry: switchable,
    reference: dollar,
    next: restart,
  },
  {
    ...servers,
    id: 'lm-studio',
    title: 'LM Studio',
    aliases: ['lmstudio'],
    user: atHome('.lmstudio/mcp.json'),
    next: restart,
  },
  {
    ...servers,
    id: 'amazon-q',
    title: 'Amazon Q',
    aliases: ['amazonq', 'q', 'qdeveloper', 'amazonqdeveloper'],
    user: atHome('.aws/amazonq/mcp.json'),
    project: '.amazonq/mcp.json',
    next: restart,
  },
  {
    ...servers,
    id: 'junie',
    title: 'Junie',
    aliases: ['jetbrainsjunie'],
    user: atHome('.junie/mcp/mcp.json'),
    project: '.junie/mcp/mcp.json',
    next: restart,
  },
  {
    ...servers,
    id: 'qwen-code',
    title: 'Qwen Code',
    aliases: ['qwen', 'qwencode'],
    user: atHome('.qwen/settings.json'),
    project: '.qwen/settings.json',
    next: restart,
  },
  {
    ...servers,
    id: 'kimi-code',
    title: 'Kimi Code',
    aliases: ['kimi', 'kimicli', 'kimicode'],
    user: atHome('.kimi/mcp.json'),
    next: restart,
  },
  {
    ...servers,
    id: 'augment',
    title: 'Augment',
    aliases: ['auggie', 'augmentcode'],
    user: atHome('.augment/settings.json'),
    next: restart,
  },
  {
    ...servers,
    id: 'augment-ide',
    title: 'Augment in VS Code',
    aliases: ['augmentide', 'auggieide', 'augmentcodeide'],
    path: [],
    holds: 'list',
    user: inSettings('Code/User/globalStorage/augment.vscode-augment/augment-global-state/mcpServers.json'),
    entry: server => ({ name: server.name, ...plain(server) }),
    next: restart,
  },
];
