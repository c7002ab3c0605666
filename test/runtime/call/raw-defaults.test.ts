// Defaults of schemas that the author wrote as JSON Schema: annotations, unless the tool says `defaults: fill`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { printValidators } from '../../../generator/compile/validators/print.js';
import { compileValidators } from '../../../runtime/call/compile-validators.js';
import { createRegistry, createServer } from '../../../runtime/index.js';
import { definitionHash, type Tool } from '../../../runtime/load/program.js';
import { type Check, evaluate, outcomeOf } from '../../generator/compile/validators-module.js';
import { ask, toolwright, writePack } from '../../harness/build-pack.js';
import { check, type Files, loadFiles, tool } from '../../harness/pack.js';
import { makeKit } from './call-kit.js';

/** A PATCH: nobody wants members in it that nobody named. */
const update = (more = '', extra = ''): string => `description: Update a repository.
${more}inputSchema:
  type: object
  ${extra}
  properties:
    owner: { type: string }
    private: { type: boolean, default: false }
    labels: { type: array, default: [] }
    owners: { type: array, items: { type: object, properties: { role: { type: string, default: member } } } }
    limits: { $ref: '#/$defs/limits' }
  required: [owner]
  allOf:
    - { properties: { archived: { type: boolean, default: false } } }
  $defs:
    limits: { type: object, properties: { size: { type: integer, default: 5 } } }
`;

function toolOf(definition: string, files: Files = {}): Tool {
  const { program, diagnostics } = loadFiles({ ...tool(definition), ...files });
  const [found] = program?.tools ?? [];
  if (found === undefined) throw new Error(JSON.stringify(diagnostics));
  return found;
}

/** ajv makes the validator where a keyword is not common. */
const engines = [
  ['our own engine', ''],
  ['ajv', 'unevaluatedItems: true'],
] as const;

describe.each(engines)('fix-P1 J53 defaults of a raw inputSchema, by %s', (_, extra) => {
  const sent = { owner: 'me', owners: [{}], limits: {} };
  const filled = {
    owner: 'me',
    owners: [{ role: 'member' }],
    limits: { size: 5 },
    private: false,
    labels: [],
    archived: false,
  };

  it.each([
    ['', sent],
    ['defaults: advertise\n', sent],
    ['defaults: fill\n', filled],
  ])('%j gives the handler the same arguments, generated or made at run time', async (key, expected) => {
    const made = toolOf(update(key, extra));
    const compiled = await compileValidators(made);
    const { validateInput } = evaluate(await printValidators(made));
    for (const validate of [compiled.input as Check, validateInput])
      expect(outcomeOf(validate, sent)).toEqual({ isValid: true, errors: null, value: expected });
    let seen: unknown;
    const kit = makeKit(update(key, extra), {
      handler: args => {
        seen = args;
      },
    });
    await kit.call(sent);
    expect(seen).toEqual(expected);
  });

  it.each([
    ['', false],
    ['defaults: fill\n', true],
  ])('%j never overrides `required`, wherever it stands', async (key, fills) => {
    const definition = `description: Remove a chart.
${key}inputSchema:
  type: object
  ${extra}
  properties:
    name: { type: string }
    namespace: { type: string, default: default }
    inner: { type: object, properties: { a: { default: 1 }, b: { default: 2 } }, required: [a] }
  allOf:
    - { properties: { force: { type: boolean, default: false } } }
    - { $ref: '#/$defs/forced' }
  required: [name, namespace]
  $defs: { forced: { required: [force] } }
`;
    const made = toolOf(definition);
    const { validateInput } = evaluate(await printValidators(made));
    for (const validate of [(await compileValidators(made)).input as Check, validateInput]) {
      const refused = outcomeOf(validate, { name: 'x', inner: {} });
      expect(refused).toMatchObject({ isValid: false, value: { name: 'x', inner: {} } });
      const missing = (refused.errors as { params: { missingProperty: string } }[]).map(
        one => one.params.missingProperty,
      );
      expect(missing.sort()).toEqual(['a', 'force', 'namespace']);
      const whole = { name: 'x', namespace: 'y', force: true, inner: { a: 0 } };
      const given = outcomeOf(validate, whole);
      expect(given.value).toEqual(fills ? { ...whole, inner: { a: 0, b: 2 } } : whole);
    }
    expect(await makeKit(definition).fail({ name: 'x' })).toMatchObject({ code: 'BAD_ARGUMENTS' });
  });
});

describe('fix-P1 J53 choice of filling in', () => {
  it('a schema in a file is raw, too', async () => {
    const schema = '{"type":"object","properties":{"a":{"type":"integer","default":1}}}';
    const made = (key: string) =>
      toolOf(`description: d\n${key}inputSchema: { file: mcp/s.json }\n`, { 'mcp/s.json': schema });
    const valueBy = async (one: Tool) => outcomeOf((await compileValidators(one)).input as Check, {}).value;
    expect(await valueBy(made(''))).toEqual({});
    expect(await valueBy(made('defaults: fill\n'))).toEqual({ a: 1 });
  });

  it('parameters are filled in as always', async () => {
    const made = toolOf('description: d\nparameters: { a: { type: integer, default: 1 } }\n');
    expect(outcomeOf((await compileValidators(made)).input as Check, {}).value).toEqual({ a: 1 });
  });

  it('validators of another choice are stale', () => {
    const hashes = ['', 'defaults: fill\n'].map(key => definitionHash(toolOf(update(key))));
    expect(new Set(hashes).size).toBe(2);
    expect(definitionHash(toolOf(update('defaults: advertise\n')))).toBe(hashes[0]);
  });

  it('JSON in a string is repaired before anything is filled in', async () => {
    let seen: unknown;
    const kit = makeKit(update('defaults: fill\n'), {
      handler: args => {
        seen = args;
      },
    });
    await kit.call({ owner: 'me', limits: '{}' });
    expect(seen).toMatchObject({ limits: { size: 5 }, archived: false });
  });

  it('examples are checked against what clients see', async () => {
    const example = 'examples: [{ name: e, input: {} }]\n';
    const schema = 'inputSchema: { type: object, properties: { a: { default: 1 } }, required: [a] }\n';
    for (const key of ['', 'defaults: fill\n'])
      expect(await check(tool(`description: d\n${key}${schema}${example}`))).toMatchObject([{ code: 'example/input' }]);
  });
});

describe('fix-P1 J53 mistakes with `defaults`', () => {
  const raw = 'inputSchema: { type: object, properties: { a: { default: 1 } } }\n';
  const found = async (definition: string) =>
    (await check(tool(`description: d\n${definition}`))).map(({ code, severity, line, column, hint, message }) => ({
      at: `${severity} ${code} ${line}:${column}`,
      hint,
      message,
    }));

  const idle = 'remove `defaults`, or write the input as `inputSchema`';
  const advertise = 'write `defaults: advertise`, and let the handler decide what an absent argument means';
  it.each([
    ['a number', `defaults: 1\n${raw}`, 'error validate/value 2:11', 'use one of them'],
    ['another word', `defaults: filled\n${raw}`, 'error validate/value 2:11', 'did you mean "fill"?'],
    ['another spelling', `default: fill\n${raw}`, 'error validate/unknown-key 2:1', 'did you mean "defaults"?'],
    [
      'beside parameters',
      'defaults: fill\nparameters: { a: { type: string, default: x } }\n',
      'error link/idle-defaults 2:1',
      idle,
    ],
    [
      'advertise beside parameters',
      'defaults: advertise\nparameters: { a: string }\n',
      'error link/idle-defaults 2:1',
      idle,
    ],
    ['without any schema', 'defaults: fill\n', 'error link/idle-defaults 2:1', idle],
    ['on a tool that writes', `defaults: fill\neffect: write\n${raw}`, 'warning link/filled-write 2:1', advertise],
    [
      'on a tool that destroys',
      `defaults: fill\neffect: destructive\n${raw}`,
      'warning link/filled-write 2:1',
      advertise,
    ],
  ])('wrong use of the key is one diagnostic at its position, with a hint: %s', async (_what, definition, at, hint) => {
    expect(await found(definition)).toMatchObject([{ at, hint }]);
  });

  it('`check` says nothing about correct use of the key', async () => {
    expect(await found(`defaults: fill\neffect: read\n${raw}`)).toEqual([]);
    expect(await found(`defaults: fill\n${raw}`)).toEqual([]);
    expect(await found(`defaults: advertise\neffect: write\n${raw}`)).toEqual([]);
    expect(await found(`defaults: fill\noutputSchema: { type: object, properties: { a: { default: 1 } } }\n`)).toEqual(
      [],
    );
  });
});

describe('fix-P1 J53 ways of running', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-raw-defaults-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const schema = (extra: string): string =>
    `inputSchema: { type: object, properties: { a: { type: integer, default: 1 } }${extra} }\n`;
  writePack(folder, {
    'package.json': '{"type":"module"}',
    'toolwright.yaml': 'name: ways\n',
    'mcp/servers/s.yaml': 'description: S\n',
    'mcp/tools/plain.yaml': `description: d\neffect: write\n${schema('')}`,
    'mcp/tools/filled.yaml': `description: d\neffect: read\ndefaults: fill\n${schema('')}`,
    'mcp/tools/rare.yaml': `description: d\neffect: read\n${schema(', minContains: 0')}`,
    'mcp/tools/rarely.yaml': `description: d\neffect: read\ndefaults: fill\n${schema(', minContains: 0')}`,
    ...Object.fromEntries(
      ['plain', 'filled', 'rare', 'rarely'].map(name => [
        `src/tools/${name}.js`,
        'export default args => JSON.stringify(args);\n',
      ]),
    ),
  });
  const expected = { plain: '{}', filled: '{"a":1}', rare: '{}', rarely: '{"a":1}' };
  const names = Object.keys(expected);
  const calls = names.map(name => ['tools/call', { name, arguments: {} }] as const);
  const textsOf = ({ replies }: Awaited<ReturnType<typeof ask>>): unknown =>
    Object.fromEntries(
      names.map((name, index) => [
        name,
        (replies[index + 1]?.result?.['content'] as { text: string }[] | undefined)?.[0]?.text,
      ]),
    );
  const cli = join(folder, 'node_modules/toolwright/dist/cli/main.js');

  it('`start` and `call`, with and without generated validators, and built servers agree', async () => {
    for (const step of ['bare', 'generated']) {
      if (step === 'generated') expect(toolwright(folder, 'generate', '--quiet')).toMatchObject({ status: 0 });
      expect(textsOf(await ask(cli, calls, { cwd: folder, args: ['start', 's'] })), step).toEqual(expected);
      const called = names.map(name => [name, toolwright(folder, 'call', name, '{}').stdout.trim()]);
      expect(Object.fromEntries(called), step).toEqual(expected);
    }
    expect(toolwright(folder, 'build', '--quiet')).toMatchObject({ status: 0 });
    expect(textsOf(await ask(join(folder, 'dist/s.cjs'), calls))).toEqual(expected);
  });

  it('`createServer` and `createRegistry` agree', async () => {
    const registry = await createRegistry(folder, { env: {} });
    const found: Record<string, unknown> = {};
    for (const name of names) {
      const done = await registry.invoke(name, {});
      found[name] = done.ok ? done.value : done.error;
    }
    expect(found).toEqual(expected);
    expect(await registry.validate('filled', {})).toEqual({ ok: true, args: { a: 1 } });
    expect(await registry.validate('plain', {})).toEqual({ ok: true, args: {} });
    await registry.close();
    const inputSchema = { type: 'object', properties: { a: { default: 1 } } } as const;
    const handler = (args: object): string => JSON.stringify(args);
    await using server = await createServer({
      name: 'code',
      env: {},
      tools: [
        { name: 'plain', description: 'd', inputSchema, handler },
        { name: 'filled', description: 'd', defaults: 'fill', inputSchema, handler },
      ],
    });
    expect(await server.registry.invoke('plain')).toMatchObject({ value: '{}' });
    expect(await server.registry.invoke('filled')).toMatchObject({ value: '{"a":1}' });
  });
});
