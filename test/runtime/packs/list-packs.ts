// Packs for the tests of `toolwright list`, and the built command as people run it.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import type { ListedServer } from '../../../runtime/packs/list-servers.js';
import { openCommands, type Ran } from '../../harness/commands.js';
import type { PackFiles } from './code-packs.js';

export const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** A pack with one server of two tools and a prompt. */
export function deskPack(packageName: string, version = '1.0.0', more: object = {}): PackFiles {
  return {
    'package.json': JSON.stringify({ name: packageName, version, ...more }),
    'toolwright.yaml': `servers:\n  - [desk, The desk of ${packageName.replace('@', '')}]\n`,
    'mcp/servers/desk.yaml': 'description: Desk\n',
    'mcp/tools/get.yaml': 'description: Get it\nparameters: { key: string }\n',
    'mcp/tools.yaml':
      'put:\n  description: Put it\n  parameters: { key: string, value: { type: string, required: false } }\n',
    'mcp/prompts/ask.yaml': 'description: Ask\narguments: { what: { required: true } }\ntext: "Ask {{what}}"\n',
    'src/tools/get.ts': 'throw new Error("this must not run");\n',
  };
}

export function packageJson(value: object): PackFiles {
  return { 'package.json': JSON.stringify(value) };
}

const commands = openCommands();
afterAll(() => commands.close());

export function runList(cwd: string, ...args: readonly string[]): Ran {
  return commands.runSync(['list', ...args], {
    cwd,
    env: {
      ...process.env,
      TOOLWRIGHT_CACHE: join(cwd, '..', 'list-cache'),
      NO_COLOR: undefined,
      FORCE_COLOR: undefined,
    },
  });
}

export function listed(cwd: string, ...args: readonly string[]): readonly ListedServer[] {
  const { status, stdout, stderr } = runList(cwd, ...args, '--format', 'json');
  if (status !== 0) throw new Error(`exit code ${status}: ${stderr}`);
  return (JSON.parse(stdout) as { servers: readonly ListedServer[] }).servers;
}

/** `name version source`, or `name: reason`. */
export function brief(servers: readonly ListedServer[]): readonly string[] {
  return servers.map(({ name, version, source, broken }) =>
    broken === undefined ? `${name} ${version} ${source}` : `${name} ${source} broken: ${broken}`,
  );
}
