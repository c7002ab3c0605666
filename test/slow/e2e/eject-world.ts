// What the proofs of `eject` share: a pack of items without code, the same calls before and after, from the sources and from a build.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { ask, root, toolwright, writePack } from '../../harness/build-pack.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-eject-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Request = readonly [method: string, params: object];

export interface EjectCase {
  readonly name: string;
  /** Of the manifest, beside the name of the pack. */
  readonly manifest: object;
  /** Definitions by `tools/x`. */
  readonly items: Readonly<Record<string, object>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly requests: readonly Request[];
  readonly env?: Readonly<Record<string, string>>;
  /** Before each run: what it finds. */
  readonly prepare?: (pack: string) => void;
  /** After each run: what arrived elsewhere. */
  readonly seen?: (pack: string) => unknown;
  /** Also in a built server. */
  readonly isBuilt?: boolean;
}

export const call = (name: string, args: object = {}): Request => ['tools/call', { name, arguments: args }];

const compilerOptions = {
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noImplicitReturns: true },
  ...{ noUnusedLocals: true, noUnusedParameters: true, noPropertyAccessFromIndexSignature: true },
  ...{ module: 'nodenext', target: 'es2022', noEmit: true, types: ['node'], verbatimModuleSyntax: true },
};

function makePack({ name, manifest, items, files = {} }: Omit<EjectCase, 'requests'>): string {
  const definitions = Object.entries(items).map(([path, one]) => [`mcp/${path}.json`, JSON.stringify(one, null, 2)]);
  const pack = writePack(join(folder, `päck ${name}`), {
    'package.json': JSON.stringify({ name: 'demo', version: '1.0.0', type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'toolwright.yaml': JSON.stringify(manifest),
    'mcp/servers/main.yaml': 'description: The server\n',
    ...Object.fromEntries(definitions),
    ...files,
  });
  for (const one of ['typescript', '@types', 'undici-types', 'node-sqlite3-wasm', 'pg'])
    if (existsSync(join(root, 'node_modules', one)))
      symlinkSync(join(root, 'node_modules', one), join(pack, 'node_modules', one), 'dir');
  return pack;
}

function succeed(pack: string, ...words: readonly string[]): void {
  const { status, stdout, stderr } = toolwright(pack, ...words);
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}

/** Ejects every item: the pack then has no mistake for any checker. */
function ejectAll(pack: string, items: readonly string[]): void {
  for (const path of items) {
    const [kinds = '', name = ''] = path.split('/');
    succeed(pack, 'eject', `${kinds.slice(0, -1)}:${name}`);
    const left = JSON.parse(readFileSync(join(pack, `mcp/${path}.json`), 'utf8')) as object;
    expect(Object.keys(left).filter(key => ['http', 'sql', 'exec', 'mcp'].includes(key))).toEqual([]);
  }
  for (const words of [['check'], ['generate', '--check'], ['typecheck']]) succeed(pack, ...words);
  const compiler = createRequire(import.meta.url).resolve('typescript7/package.json');
  const run = spawnSync(process.execPath, [join(dirname(compiler), 'bin/tsc'), '-p', pack], { encoding: 'utf8' });
  expect(run.stdout + run.stderr).toBe('');
}

interface Run {
  readonly replies: readonly unknown[];
  readonly logs: readonly string[];
  readonly seen: unknown;
}

async function runCalls({ requests, env = {}, prepare, seen }: EjectCase, pack: string, file?: string): Promise<Run> {
  prepare?.(pack);
  const { PATH = '' } = process.env;
  const { replies, stderr } = await ask(file ?? join(root, 'dist/cli/main.js'), requests, {
    args: file === undefined ? ['start', 'main'] : [],
    cwd: pack,
    isPatient: true,
    env: { PATH, TOOLWRIGHT_CACHE: 'off', PACK: pack, ...env },
  });
  // The first is that of the handshake; what has no id is the log.
  const [, ...answers] = replies.filter(({ id }) => id !== undefined);
  expect({ count: answers.length, stderr }).toMatchObject({ count: requests.length });
  const logs = replies.filter(({ id }) => id === undefined).map(one => JSON.stringify(one));
  return { replies: answers, logs: logs.sort(), seen: seen?.(pack) };
}

/** Out: the replies, which were the same every time. */
export async function proveSame(one: EjectCase): Promise<readonly unknown[]> {
  const pack = makePack(one);
  const items = Object.keys(one.items);
  succeed(pack, 'check');
  const build = (place: string): string => {
    succeed(pack, 'build', 'main', '--out', place);
    return join(pack, place, 'main.cjs');
  };
  const before = await runCalls(one, pack);
  const builtBefore = one.isBuilt ? await runCalls(one, pack, build('before')) : undefined;
  ejectAll(pack, items);
  expect(await runCalls(one, pack)).toEqual(before);
  if (builtBefore === undefined) return before.replies;
  expect(builtBefore.replies).toEqual(before.replies);
  expect(await runCalls(one, pack, build('after'))).toEqual(builtBefore);
  return before.replies;
}
