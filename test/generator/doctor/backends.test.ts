// What `toolwright doctor` says of packs with items without code.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { command } from '../../cli/author-world.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';

const manifest = `name: acme/p
config:
  API: string
  TOKEN: { type: string, secret: true }
  FOLDER: string
  LATER: string
backends:
  api: { type: http, url: "{config.API}", auth: { bearer: TOKEN } }
  main: { type: sqlite, url: "sqlite:x.db" }
  any: { type: sql, url: "{config.LATER}" }
  theirs: { type: mcp, command: [no-such-server, --stdio] }
`;
const files = {
  'toolwright.yaml': manifest,
  'mcp/tools.yaml': `
get: { description: A request, http: GET /x }
log: { description: A program, exec: { command: node, args: [-v], cwd: "{config.FOLDER}" } }
own: { description: A program of the pack, exec: { command: ./bin/own.sh } }
gone: { description: A program that nobody has, exec: { command: no-such-program } }
gone-too: { description: Another one, exec: { command: no-such-program } }
off: { description: Switched off, enabled: false, exec: { command: also-no-such-program } }
`,
  'mcp/resources.yaml': 'page: { uri: "page://x", http: GET /page }\n',
  'bin/own.sh': '#!/bin/sh\n',
};

function doctor(env: Readonly<Record<string, string>> = {}): readonly string[] {
  const { PATH = '' } = process.env;
  const { stdout } = spawnSync(process.execPath, [command, 'doctor', '--format', 'json'], {
    cwd: writeFolder(files),
    env: { PATH, TOOLWRIGHT_CACHE: 'off', ...env },
    encoding: 'utf8',
  });
  const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string; message: string }[] };
  return checks.map(({ id, status, message }) => `${status} ${id} ${message}`);
}

describe('`toolwright doctor` and items without code', () => {
  it('B1 B3 the settings that requests and programs need are named with the items', () => {
    const found = doctor({ FOLDER: '/' }).filter(line => line.includes(' config '));
    expect(found).toEqual([
      'warning config API (needed by get, page) is not set',
      'warning config TOKEN (needed by get, page) is not set',
    ]);
  });

  it('B3 B4 a program that cannot be found is named with what needs it', () => {
    expect(doctor().filter(line => line.includes(' programs '))).toEqual([
      'warning programs the program no-such-program (needed by gone, gone-too) is not there',
      'warning programs the program ./bin/own.sh (needed by own) is not there',
      'warning programs the program no-such-server (needed by the backend theirs) is not there',
    ]);
  });

  it('B2 the driver of a database is named where its type decides which one it is', () => {
    expect(doctor().filter(line => line.includes(' drivers '))).toEqual([
      expect.stringMatching(/^ok drivers main uses (?:node:sqlite|better-sqlite3|node-sqlite3-wasm)$/),
    ]);
  });
});
