// What the version before generated and built (test/fixtures/previous-version) still runs with this one. It was made by
// `toolwright generate` and `toolwright build`; of the built server only what a stdio session of tools loads is kept, and the
// published schemas, which nothing runs, are left out.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../harness/build-pack.js';
import { call, hello, type ServerProcess, startProcess } from '../runtime/serve/server-process.js';

const fixture = join(root, 'test/fixtures/previous-version');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-previous-'));
const pack = join(folder, 'pack');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  cpSync(fixture, folder, { recursive: true });
  mkdirSync(join(pack, 'node_modules'));
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'junction');
});

/** Only validators from the disk can check the unusual schema there. */
const noEval = { NODE_OPTIONS: '--disallow-code-generation-from-strings' };

async function answersOf(server: ServerProcess, ...asked: readonly object[]): Promise<readonly unknown[]> {
  server.send(hello, { jsonrpc: '2.0', method: 'notifications/initialized' });
  server.send(...asked);
  const answers = await Promise.all(asked.map(one => server.answer((one as { readonly id: unknown }).id)));
  server.child.stdin.end();
  expect(await server.end).toBe(0);
  return answers.map(({ result, error }) => result?.structuredContent ?? textOf(result) ?? error);
}

function textOf(result: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean }) {
  const text = result.content?.[0]?.text;
  return text !== undefined && result.isError === true ? JSON.parse(text).message : (text ?? result);
}

const calls = [
  call(1, 'add-entry', { title: 'milk' }),
  call(2, 'add-entry', { title: '', count: 10, kind: 'nite' }),
  call(3, 'add-entry', { title: 'none' }),
  call(4, 'merge-entries', { entries: ['ab', 'c'], mode: { how: 'fast' } }),
  call(5, 'merge-entries', { entries: ['a', 'a'], label: '2024-02-30', other: 1 }),
];

const answers = [
  { text: '1 note: milk' },
  'add-entry got bad arguments: title must have at least 1 character; count must be <= 9; kind must be one of the ' +
    'allowed values, not the string "nite" (did you mean "note"? allowed: "note", "task")',
  'there is no such entry',
  'ab+c [object Object]',
  'merge-entries got bad arguments: entries[0] must have at least 2 characters; entries[1] must have at least 2 ' +
    'characters; entries must contain at least 1 and no more than 2 valid item(s); entries must not have the same item ' +
    'twice (at 0 and 1); label must be a valid date, not the string "2024-02-30"; and 2 more',
];

const useOfTypes = `
import { tools } from './generated/index.js';
export const handler = tools.addEntry(({ title, count }, ctx) => {
  ctx.log.info(title);
  const next: number = count + 1;
  return { text: \`\${title} \${next}\` };
});
`;

describe('the version before', () => {
  it('generated a pack that starts, validates and calls without compiling anything', async () => {
    const prompt = {
      jsonrpc: '2.0',
      id: 6,
      method: 'prompts/get',
      params: { name: 'summarise', arguments: { topic: 'rain' } },
    };
    const resource = { jsonrpc: '2.0', id: 7, method: 'resources/read', params: { uri: 'doc://guide' } };
    const said = await answersOf(startProcess({ start: pack }, [], noEval), ...calls, prompt, resource);
    expect(said.slice(0, 5)).toEqual(answers);
    expect(said[5]).toMatchObject({ messages: [{ content: { text: 'Summarise rain in one sentence.' } }] });
    expect(said[6]).toMatchObject({ contents: [{ uri: 'doc://guide', text: 'One entry per line.' }] });
  });

  it('generated types that this one still has the types for', () => {
    const options = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: [], allowJs: true };
    writeFileSync(join(pack, 'use.ts'), useOfTypes);
    writeFileSync(join(pack, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['use.ts'] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', pack], { encoding: 'utf8' });
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
  });

  it('built a server that runs by itself', async () => {
    expect(await answersOf(startProcess({ file: join(folder, 'server/entries.cjs') }, [], noEval), ...calls)).toEqual(
      answers,
    );
  });
});
