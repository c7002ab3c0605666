// B9: random items without code, and random arguments: the handler that `eject` prints asks for exactly what the item asks for.

import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { printWork } from '../../../generator/eject/print-work.js';
import { prepareCommand } from '../../../runtime/backends/exec/prepare-command.js';
import { encodeRequest } from '../../../runtime/backends/http/encode-request.js';
import { headerPart } from '../../../runtime/backends/http/header-values.js';
import { path } from '../../../runtime/backends/http/path-tag.js';
import { makeRequest } from '../../../runtime/backends/items/http-work.js';
import { explainUnfit, scalar } from '../../../runtime/backends/scalar.js';
import { renderStatement } from '../../../runtime/backends/sql/statement.js';
import type { Program, Tool } from '../../../runtime/load/program.js';
import { makeFillArgs } from '../../../schema/backend/exec-args.js';
import { makeFillText, makeFillTree } from '../../../schema/backend/fill.js';
import { parseSql } from '../../../schema/backend/sql-text.js';
import type { Command, HttpRequest } from '../../../schema/support/mcp/backends.js';
import { amount, seedOr } from '../../harness/amount.js';
import { loadFiles } from '../../harness/pack.js';
import { makeRandom, type Random } from '../../harness/random.js';

const scalars = ['string', 'integer', 'number', 'boolean'] as const;
const names = [
  'a',
  'path',
  'exec',
  'ctx',
  'args',
  'rest',
  'odd-name',
  '2fa',
  'class',
  'toText',
  'ünï',
  'a_b',
  'request',
  'String',
  'headerPart',
  'scalar',
  'given',
] as const;
const odd = [
  '',
  'x',
  "it's",
  '`',
  '${x}',
  '\\',
  '\\`',
  '$',
  '\n',
  '\r\n',
  '\u2028',
  '\0',
  '*/',
  '//',
  '"',
  '%2f',
  '..',
  ' ',
  'ä',
  '😀',
  '\ud800',
  '\u202e',
  '</script>',
  '-',
  '{{',
  '}}',
] as const;
const config = { MODE: 'fast', COUNT: 3, LIST: ['x', 'y'] };

/** Half of all are harmless: whatever is odd in a header or a path is refused. */
function literal(random: Random): string {
  if (random.chance(0.5)) return random.pick(['plain', 'b-2', 'x']);
  let made = '';
  for (let count = random.below(4); count > 0; count -= 1) made += random.pick(odd);
  return made;
}

interface Parameter {
  readonly type: unknown;
  readonly items?: unknown;
  readonly isOptional: boolean;
}

type Parameters = Readonly<Record<string, Parameter>>;

function makeParameters(random: Random): Parameters {
  const chosen = names.filter(() => random.chance(0.5));
  return Object.fromEntries(
    (chosen.length === 0 ? ['a'] : chosen).map(name => {
      const isList = random.chance(0.2);
      const type = isList
        ? 'array'
        : random.chance(0.15)
          ? [random.pick(scalars), 'null']
          : random.chance(0.1)
            ? undefined
            : random.pick(scalars);
      return [
        name,
        { type, ...(isList ? { items: { type: random.pick(scalars) } } : {}), isOptional: random.chance(0.5) },
      ];
    }),
  );
}

function makeValue(type: unknown, random: Random): unknown {
  switch (type) {
    case 'string':
      return random.chance(0.6) ? 'plain' : literal(random);
    case 'integer':
      return random.below(5) - 1;
    case 'number':
      return random.pick([0.5, 1e21, -0, 7]);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case undefined:
      return random.pick(['x', 1, null, ['a', 1], { a: 1 }, false, [['n']]]);
    default:
      return Array.isArray(type) ? makeValue(random.pick(type), random) : undefined;
  }
}

function makeArguments(parameters: Parameters, random: Random): Record<string, unknown> {
  const given = Object.entries(parameters).filter(([, { isOptional }]) => !isOptional || random.chance(0.5));
  return Object.fromEntries(
    given.map(([name, { type, items }]) => {
      if (type !== 'array') return [name, makeValue(type, random)];
      const { type: inner } = items as { type: unknown };
      return [name, Array.from({ length: random.below(3) }, () => makeValue(inner, random))];
    }),
  );
}

function makeText(parameters: Parameters, random: Random, withConfig: boolean): string {
  let made = '';
  const all = Object.keys(parameters);
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    made += literal(random).replace(/(?<!\{)\{(?!\{)|(?<!\})\}(?!\})/g, '$&$&');
    if (random.chance(0.7))
      made +=
        withConfig && random.chance(0.2) ? `{config.${random.pick(Object.keys(config))}}` : `{${random.pick(all)}}`;
  }
  return random.chance(0.4) ? `{${random.pick(all)}}` : made;
}

function makeTree(parameters: Parameters, random: Random, depth = 0): unknown {
  const kind = random.below(depth > 2 ? 4 : 7);
  if (kind < 3) return makeText(parameters, random, false);
  if (kind === 3) return random.pick([1, 0, true, null, -0, 2.5]);
  if (kind < 5) return Array.from({ length: random.below(4) }, () => makeTree(parameters, random, depth + 1));
  const keys = Array.from({ length: random.below(4) }, () => `k${literal(random)}${random.below(3)}`);
  return Object.fromEntries(keys.map(key => [key, makeTree(parameters, random, depth + 1)]));
}

function toolOf(parameters: Parameters, definition: object): Tool {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([name, { isOptional: _, ...schema }]) => [name, schema]),
  );
  const required = Object.entries(parameters).flatMap(([name, { isOptional }]) => (isOptional ? [] : [name]));
  const inputSchema = { type: 'object', properties, required, additionalProperties: false };
  return {
    kind: 'tool',
    item: 't',
    name: 't',
    definition: { ...definition, inputSchema },
    inputSchema,
    filling: { input: 'always', output: 'always' },
  } as unknown as Tool;
}

const { program } = loadFiles({
  'toolwright.yaml':
    'name: p\nconfig: { MODE: string, COUNT: integer, LIST: array }\nbackends:\n  "my-api": { type: http, url: https://x }\n  db: { type: sqlite, url: sqlite:x }\n',
});

type Asked = readonly [what: string, ...given: readonly unknown[]];

/** Runs the handler, with everything that it reaches replaced by a note of what it asks. */
async function askedBy(tool: Tool, args: object): Promise<Asked> {
  const { parameters, body } = printWork(
    { item: tool, program: program as Program },
    { helperPrefix: '', isTypeScript: true },
  );
  const source = `async (${parameters.replace(/, ctx$/, ': any, ctx: any')}) => {\n${body}\n}`;
  const { outputText, diagnostics = [] } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
    reportDiagnostics: true,
  });
  expect({ source, messages: diagnostics.map(({ messageText }) => messageText) }).toEqual({ source, messages: [] });
  let asked: Asked = ['nothing'];
  const note =
    (what: string) =>
    async (...given: readonly unknown[]) => {
      asked = [what, ...given];
    };
  const run = new Function(
    'path',
    'headerPart',
    'scalar',
    'exec',
    'request',
    `return ${outputText.trim().replace(/;$/, '')}`,
  );
  const handler = run(path, headerPart, scalar, note('exec'), note('request')) as (
    args: object,
    ctx: object,
  ) => Promise<unknown>;
  await handler(args, { config, backends: { 'my-api': { request: note('http') }, db: { query: note('sql') } } });
  return asked;
}

/** What comes of it; a refusal is told by its code. */
async function outcomeOf(work: () => unknown): Promise<unknown> {
  try {
    return { value: await work() };
  } catch (thrown) {
    const { code, message } = explainUnfit(thrown) as { code?: string; message: string };
    if (code === undefined) throw thrown;
    return { code, isText: message !== '' };
  }
}

/** Without the boundary, which is random. */
function encoded(request: HttpRequest): unknown {
  const { body, ...parts } = encodeRequest(request, { path: '/v1', wholePath: '/v1', query: '' });
  const text = body === undefined ? undefined : Buffer.from(body).toString('latin1');
  const [boundary = 'no boundary'] = /toolwright-[0-9a-f]{32}/.exec(JSON.stringify(parts)) ?? [];
  return JSON.parse(JSON.stringify({ ...parts, text }).replaceAll(boundary, 'boundary'));
}

describe('ejected handlers', () => {
  it('B9 a handler sends the request of its item, whatever it is made of', async () => {
    const random = makeRandom(seedOr(9));
    const seen = { sent: 0, refused: 0 };
    for (let round = 0; round < amount(500); round += 1) {
      const parameters = makeParameters(random);
      const text = (): string => makeText(parameters, random, false);
      const map = (make: () => unknown): Record<string, unknown> =>
        Object.fromEntries(
          Array.from({ length: random.below(4) }, (_, index) => [
            `k-${index}${random.chance(0.3) ? "'`${x}" : ''}`,
            make(),
          ]),
        );
      const header = (): Record<string, unknown> =>
        Object.fromEntries(
          Array.from({ length: random.below(3) }, (_, index) => [`X-${index}`, makeText(parameters, random, true)]),
        );
      const lone = (): string => `{${random.pick(Object.keys(parameters))}}`;
      const bodies = [
        {},
        { body: 'rest' },
        { body: makeTree(parameters, random) },
        { form: map(() => makeTree(parameters, random)) },
        { multipart: map(() => makeTree(parameters, random, 2)) },
        { multipart: { 'k-0': { base64: lone(), filename: lone(), type: 'image/png' }, 'k-1': { text: lone() } } },
        { file: { text: lone(), type: 'text/xml' } },
        { file: { base64: lone() } },
        { file: { resource: lone(), type: lone() } },
        { body: 'rest', optionalBody: true },
        { form: map(() => makeTree(parameters, random)), optionalBody: true },
      ] as const;
      const http = {
        method: random.pick(['GET', 'POST', 'PUT']),
        path: `/${text().replaceAll('\0', '')}/x/{${random.pick(Object.keys(parameters))}}`,
        query: map(() => makeTree(parameters, random)),
        style: random.pick([
          { 'k-0': 'pipe' },
          { 'k-0': 'deepObject', 'k-1': 'deepObject' },
          { 'k-1': 'comma' },
          { 'k-0': 'members', 'k-2': 'members' },
        ] as const),
        headers: header(),
        cookies: map(text),
        ...random.pick(bodies),
      };
      const effect = random.chance(0.5) ? 'read' : 'write';
      const tool = toolOf(parameters, { http, effect });
      const isRead = effect === 'read';
      for (let call = 0; call < 3; call += 1) {
        const args = makeArguments(parameters, random);
        const wanted = await outcomeOf(() => encoded(makeRequest(http as never, isRead)({ args, config })));
        const got = await outcomeOf(async () => {
          const [what, request] = await askedBy(tool, args);
          expect(what).toBe('http');
          const isReading = http.method === 'GET';
          return encoded({ ...(request as HttpRequest), ...(isReading && isRead ? { isRead: true } : {}) });
        });
        expect({ round, http, args, got }).toEqual({ round, http, args, got: wanted });
        seen[Object.hasOwn(wanted as object, 'value') ? 'sent' : 'refused'] += 1;
      }
    }
    expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(60);
  }, 300_000);

  it('B9 a handler runs the program of its item with the same words', async () => {
    const random = makeRandom(seedOr(10));
    const seen = { run: 0, refused: 0 };
    for (let round = 0; round < amount(600); round += 1) {
      const parameters = makeParameters(random);
      // Options are for `check` to find: here nothing can be one.
      const word = (): string => `x${makeText(parameters, random, true)}`;
      const lone = (): string => `{${random.pick(Object.keys(parameters))}}`;
      const args = Array.from({ length: random.below(6) }, () =>
        random.chance(0.3)
          ? {
              if: random.pick(Object.keys(parameters)),
              args: Array.from({ length: 1 + random.below(3) }, () => (random.chance(0.5) ? word() : lone())),
            }
          : random.chance(0.4)
            ? lone()
            : word(),
      );
      const exec = {
        command: 'git',
        args: ['--', ...args],
        ...(random.chance(0.5) ? { cwd: '/x/{config.MODE}' } : {}),
        ...(random.chance(0.5)
          ? { env: { A: makeText(parameters, random, true), B: makeText(parameters, random, true) } }
          : {}),
        ...(random.chance(0.5) ? { stdin: makeText(parameters, random, false) } : {}),
        ...(random.chance(0.5) ? { ok: [0, 2], result: 'lines' } : {}),
      };
      const tool = toolOf(parameters, { exec });
      const fillArgs = makeFillArgs(exec.args as never);
      for (let call = 0; call < 3; call += 1) {
        const values = { args: makeArguments(parameters, random), config };
        const prepare = ({ ok, result, ...command }: Command): unknown => ({
          ...prepareCommand(command, { folder: '/' }),
          ok,
          result,
        });
        const wanted = await outcomeOf(() =>
          prepare({
            ...{ command: exec.command, args: fillArgs(values), ok: exec.ok, result: exec.result as never },
            ...(exec.cwd === undefined ? {} : { cwd: makeFillText(exec.cwd)(values) as string }),
            ...(exec.env === undefined ? {} : { env: makeFillTree(exec.env)(values) as Record<string, unknown> }),
            ...(exec.stdin === undefined ? {} : { stdin: makeFillText(exec.stdin)(values) }),
          }),
        );
        const got = await outcomeOf(async () => {
          const [what, command] = await askedBy(tool, values.args);
          expect(what).toBe('exec');
          return prepare(command as Command);
        });
        expect({ round, exec, args: values.args, got }).toEqual({ round, exec, args: values.args, got: wanted });
        seen[Object.hasOwn(wanted as object, 'value') ? 'run' : 'refused'] += 1;
      }
    }
    expect(Math.min(seen.run, seen.refused)).toBeGreaterThan(100);
  }, 300_000);

  it('B9 a handler sends the statement of its item, character by character, with the same values', async () => {
    const random = makeRandom(seedOr(11));
    for (let round = 0; round < amount(500); round += 1) {
      const parameters = makeParameters(random);
      const binds = Object.keys(parameters).filter(name => /^[A-Za-z_]\w*$/.test(name));
      const pieces = Array.from(
        { length: 1 + random.below(4) },
        () => `'${literal(random).replaceAll("'", "''")}' || :${random.pick(binds) ?? 'none'}`,
      );
      const sql = {
        text: `SELECT ${pieces.join(` /* ${literal(random).replaceAll('*/', '')} */, `)}\n-- ${literal(random)}\n`,
        ...(random.chance(0.5) ? { result: 'row' } : {}),
      };
      const tool = toolOf(parameters, { sql, effect: random.chance(0.5) ? 'read' : 'write' });
      const args = makeArguments(parameters, random);
      const [what, text, values = {}, options = {}] = await askedBy(tool, args);
      const { result, isRead = false } = options as { result?: string; isRead?: boolean };
      expect({ what, text, result, isRead }).toEqual({
        what: 'sql',
        text: sql.text,
        result: sql.result,
        isRead: tool.definition.effect === 'read',
      });
      const { parts } = parseSql(sql.text, 'sqlite');
      const rendered = (given: Readonly<Record<string, unknown>>): Promise<unknown> =>
        outcomeOf(() => renderStatement(parts, given, 'sqlite'));
      expect(await rendered(values as Record<string, unknown>)).toEqual(await rendered(args));
    }
  }, 300_000);
});
