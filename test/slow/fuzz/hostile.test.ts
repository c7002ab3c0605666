// Input that means harm, on real disks and with the real command: a diagnostic, in little memory, and nothing from outside.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPlaces } from '../../harness/pack.js';
import {
  type HostileFile,
  type HostileFiles,
  type HostilePlace,
  type HostileRun,
  linkTo,
  makeHostilePlace,
  mapOf,
  pipe,
  repeat,
  secret,
  socket,
  sparse,
} from './hostile-pack.js';

const timeout = 60_000;
const mostMegabytes = 300;
const tool = 'mcp/tools/t.yaml';
const json = 'mcp/tools/t.json';

let place: HostilePlace;
beforeAll(() => {
  place = makeHostilePlace();
});
afterAll(() => place.remove());

/** Neither a crash nor a hang nor a memory full of it. */
function expectCalm({ status, stdout, stderr, megabytes }: HostileRun): void {
  // Data that is for programs has its diagnostics beside it, on stderr; a stack trace belongs nowhere.
  const crash = /bug in toolwright|^ +at |warning:/im.test(stderr) ? stderr.slice(0, 2000) : '';
  expect({ status, crash }).toEqual({ status: expect.toSatisfy(one => one === 0 || one === 1), crash: '' });
  expect(`${stdout}${stderr}`).not.toContain(secret);
  expect(stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(megabytes).toBeLessThan(mostMegabytes);
}

function check(files: HostileFiles, more: readonly string[] = []): HostileRun {
  const run = place.run(place.write(files), ['check', ...more]);
  expectCalm(run);
  return run;
}

/** One test per line: its name, the pack, and the codes of the report. */
type Case = readonly [name: string, files: HostileFiles | (() => HostileFiles), codes: readonly string[]];

function checkAll(cases: readonly Case[]): void {
  it.each(cases)('P3 `check` stays calm and reports what is wrong: %s', { timeout }, (_name, files, codes) => {
    expect(check(typeof files === 'function' ? files() : files).codes).toEqual(codes);
  });
}

const schemaTool = (inputSchema: unknown): HostileFiles => ({
  [json]: JSON.stringify({ description: 'x', inputSchema }),
});
const parameter = (text: string): HostileFiles => ({ [tool]: `description: x\nparameters:\n  a: ${text}\n` });
const tools = (count: number, make: (index: number) => unknown): HostileFile =>
  JSON.stringify(mapOf(count, index => [`tool-${index}`, make(index)]));

describe('large files', () => {
  const large = 50 * 2 ** 20;
  checkAll([
    ['50 MB of YAML', () => ({ [tool]: Buffer.alloc(large, 'a: b\n') }), ['read/too-large']],
    ['50 MB of JSON', () => ({ [json]: Buffer.alloc(large, ' ') }), ['read/too-large']],
    ['50 MB of Markdown', () => ({ [tool]: 'description: {file: d.md}\n', 'd.md': sparse(large) }), ['read/too-large']],
    ['50 MB of toolwright.yaml', () => ({ 'toolwright.yaml': sparse(large) }), ['read/too-large']],
    ['50 MB of package.json', () => ({ 'package.json': sparse(large) }), ['discover/package-json']],
    ['a sparse file of 1.9 GB', () => ({ [tool]: sparse(1900 * 2 ** 20) }), ['read/too-large']],
    ['a sparse file below the limit', () => ({ [tool]: sparse(2 ** 24) }), ['parse/control-character']],
    ['the same as JSON', () => ({ [json]: sparse(2 ** 24) }), ['parse/control-character']],
    ['20 MB of list in YAML', () => ({ [tool]: Buffer.alloc(20 * 2 ** 20, '- a\n') }), ['parse/too-many']],
    ['20 MB of lists in JSON', () => ({ [json]: Buffer.alloc(20 * 2 ** 20, '[],') }), ['parse/too-many']],
    ['a description of 1 MB', () => ({ [tool]: `description: ${'x'.repeat(2 ** 20)}\n` }), []],
    ['a description of 1 MB on one line each', () => ({ [tool]: `description: |\n${'  x\n'.repeat(2 ** 18)}` }), []],
  ]);
});

describe('encodings', () => {
  checkAll([
    ['NUL bytes', { [tool]: 'description: a\0b\n' }, ['parse/control-character']],
    ['UTF-16 with a BOM', () => ({ [tool]: Buffer.from('\ufeffdescription: x\n', 'utf16le') }), ['read/encoding']],
    ['UTF-16 without', () => ({ [tool]: Buffer.from('description: x\n', 'utf16le') }), ['parse/control-character']],
    ['a BOM', { [tool]: '\ufeffdescription: x\n', [json.replace('t.', 'u.')]: '\ufeff{"description": "x"}' }, []],
    ['a lone surrogate in JSON', { [json]: '{"description": "x", "\\ud800": 1}' }, ['validate/unknown-key']],
  ]);

  it('P3 invalid UTF-8 is reported at its line and column, also far into a file', { timeout }, async () => {
    const bad = (before: string): Uint8Array => Buffer.concat([Buffer.from(before), Buffer.from([0xe2, 0x82, 0x28])]);
    const at = async (before: string): Promise<readonly string[]> =>
      checkPlaces({ 'toolwright.yaml': '', [tool]: bad(before) });
    expect(await at('')).toEqual([`read/encoding ${tool}:1:1`]);
    expect(await at('\ufeffa: b\r\nc: é😀')).toEqual([`read/encoding ${tool}:2:7`]);
    // Across the borders of the pieces in which a large file is read, with characters of three bytes.
    for (const shift of ['', 'x', 'xx']) {
      expect(await at(`${shift}${'€'.repeat(60_000)}\n€€`)).toEqual([`read/encoding ${tool}:2:3`]);
    }
    const late = check({ [tool]: Buffer.concat([Buffer.alloc(20 * 2 ** 20, 'a: b\n'), Buffer.from([0xff])]) });
    expect(late.stdout).toContain(`${tool}:4194305:1 error`);
  });
});

describe('depth of files', () => {
  const nest = (open: string, inner: string, close: string): string =>
    open.repeat(10_000) + inner + close.repeat(10_000);
  checkAll([
    ['10,000 braces in inputSchema', { [tool]: `inputSchema: ${nest('{a: ', '1', '}')}\n` }, ['parse/too-deep']],
    ['10,000 levels of JSON', { [json]: nest('{"inputSchema":', '1', '}') }, ['parse/too-deep']],
    ['3,000 levels of indentation', { [tool]: repeat(3000, level => `${' '.repeat(level)}a:\n`) }, ['parse/too-deep']],
    ['10,000 dashes', { [tool]: '- '.repeat(10_000) }, ['parse/too-deep']],
    [
      '10,000 levels in a schema file',
      { [tool]: 'description: x\ninputSchema: {file: s.json}\n', 's.json': nest('{"not":', '{}', '}') },
      ['parse/too-deep'],
    ],
    ['10,000 levels of package.json', { 'package.json': nest('[', '', ']') }, ['discover/package-json']],
    ['10,000 levels of toolwright.yaml', { 'toolwright.yaml': nest('[', '', ']') }, ['parse/too-deep']],
    [
      '190 levels with a default at the top',
      () => {
        let schema: object = { type: 'string' };
        for (let level = 0; level < 95; level += 1) schema = { type: 'object', properties: { a: schema } };
        return schemaTool({ ...schema, default: 1 });
      },
      ['schema/invalid-default'],
    ],
  ]);
});

describe('aliases in files', () => {
  const bomb = repeat(9, level =>
    level === 0 ? 'a0: &a0 [x, x, x, x]\n' : `a${level}: &a${level} [${Array(10).fill(`*a${level - 1}`)}]\n`,
  );
  const merges = repeat(30, level => `a${level + 1}: &a${level + 1} {<<: [*a${level}, *a${level}]}\n`);
  checkAll([
    ['lists of lists', { [tool]: bomb }, ['parse/alias-bomb']],
    ['lists of lists in toolwright.yaml', { 'toolwright.yaml': bomb }, ['parse/alias-bomb']],
    ['merges of merges', { [tool]: `a0: &a0 {${repeat(50, key => `k${key}: 1, `)}}\n${merges}` }, ['parse/alias-bomb']],
    [
      'one long list, often',
      { [tool]: `a: &a [${'x,'.repeat(1000)}]\n${repeat(20_000, key => `k${key}: *a\n`)}` },
      ['parse/alias-bomb'],
    ],
    [
      'one long text, often',
      { [tool]: `a: &a ${'x'.repeat(2 ** 20)}\nb: [${Array(99).fill('*a')}]\n` },
      ['parse/alias-bomb'],
    ],
    ['a circle', { [tool]: '_meta: &a {b: *a}\n' }, ['parse/alias-cycle']],
  ]);
});

describe('schemas that keep a validator busy', () => {
  const fanOut = (keyword: string): HostileFiles =>
    schemaTool({
      type: 'object',
      properties: { p: { $ref: '#/$defs/a0', default: 1 } },
      $defs: mapOf(60, level => {
        const next = { $ref: `#/$defs/a${level + 1}` };
        return [`a${level}`, level === 59 ? { type: 'string' } : { [keyword]: [next, next] }];
      }),
    });
  const long = `${'a'.repeat(60)}!`;
  checkAll([
    [
      'a regular expression and a default',
      parameter(`{type: string, pattern: "^(a+)+$", default: ${long}}`),
      ['schema/uncheckable'],
    ],
    [
      'the same and an example',
      { [tool]: `${parameter('{type: string, pattern: "^(a+)+$"}')[tool]}examples: [{input: {a: ${long}}}]\n` },
      ['schema/uncheckable'],
    ],
    [
      'alternatives that overlap',
      parameter(`{type: string, pattern: "^(a|a)*$", default: ${long}}`),
      ['schema/uncheckable'],
    ],
    [
      'many stars',
      parameter(`{type: string, pattern: "a*a*a*a*a*a*$", default: ${'a'.repeat(3000)}!}`),
      ['schema/uncheckable'],
    ],
    ['a look ahead', parameter(`{type: string, pattern: "(?=(a+)+$)b", default: ${long}}`), ['schema/uncheckable']],
    [
      'names of properties',
      parameter(`{type: object, propertyNames: {pattern: "^(a+)+$"}, default: {${long}: 1}}`),
      ['schema/uncheckable'],
    ],
    [
      'patternProperties and a default',
      parameter(`{type: object, patternProperties: {"^(a+)+$": {type: string}}, default: {${long}: 1}}`),
      ['schema/uncheckable'],
    ],
    [
      'patternProperties and required',
      schemaTool({ type: 'object', properties: { z: {} }, required: [long], patternProperties: { '^(a+)+$': {} } }),
      [],
    ],
    ['allOf of references', fanOut('allOf'), ['schema/invalid-default']],
    ['anyOf of references', fanOut('anyOf'), ['schema/invalid-default']],
    ['oneOf of references', fanOut('oneOf'), ['schema/invalid-default']],
    [
      'a deep value that meets a fan of references on every level',
      () => {
        let value: unknown = 1;
        for (let level = 0; level < 150; level += 1) value = { x: value };
        const a = { $ref: '#/$defs/a' };
        return schemaTool({
          type: 'object',
          properties: { p: { ...a, default: value } },
          $defs: { a: { type: 'object', properties: { x: { allOf: [a, a] } } } },
        });
      },
      ['schema/invalid-default'],
    ],
    [
      'a large definition that is referred to often',
      () =>
        schemaTool({
          type: 'object',
          default: 1,
          properties: mapOf(500, index => [`p${index}`, { $ref: '#/$defs/a' }]),
          $defs: { a: { type: 'object', properties: mapOf(500, index => [`q${index}`, { type: 'string' }]) } },
        }),
      ['schema/invalid-default'],
    ],
    [
      'a circle of references',
      schemaTool({
        type: 'object',
        properties: { p: { $ref: '#/$defs/a', default: 1 } },
        $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
      }),
      ['schema/ref-cycle'],
    ],
    [
      '30,000 members that must differ',
      () =>
        schemaTool({
          type: 'object',
          properties: {
            a: { type: 'array', uniqueItems: true, default: Array.from({ length: 30_000 }, (_, index) => [index]) },
          },
        }),
      [],
    ],
    [
      '2,000 wrong defaults',
      () =>
        schemaTool({ type: 'object', properties: mapOf(2000, index => [`p${index}`, { type: 'string', default: 1 }]) }),
      ['schema/invalid-default'],
    ],
    [
      'an enum of 3,000 members',
      () =>
        schemaTool({
          type: 'object',
          properties: { a: { enum: Array.from({ length: 3000 }, (_, index) => `v${index}`), default: 'no' } },
        }),
      ['schema/invalid-default'],
    ],
    [
      'huge numbers',
      {
        [tool]:
          'description: x\nlimits: {timeoutMs: 1e400}\nparameters: {a: {type: number, multipleOf: 1e-320, default: 1e308}}\n',
      },
      ['parse/not-json'],
    ],
  ]);
});

describe('names that every object has', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];
  const all = (value: string): string => `{${names.map(name => `${name}: ${value}`).join(', ')}}`;

  it('P3 names that every object has are names like others, at every level', { timeout }, () => {
    const pack = place.write({
      'toolwright.yaml': `name: acme/x\n${names.map(name => `${name}: 1\n`).join('')}config: ${all('{type: string}')}\n`,
      'mcp/tools.yaml': names.map(name => `${name}: ${all('1')}\n`).join(''),
      [tool]: `description: x\nparameters: ${all('string')}\noptions: ${all('{type: string, default: x}')}\nerrors: ${all('{message: x}')}\nrequires: ${all('required')}\nannotations: ${all('1')}\nlimits: ${all('1')}\nexamples: [{input: ${all('x')}}]\n`,
      'mcp/prompts.yaml': `constructor: {description: x, arguments: ${all('x')}, text: "{{constructor}} {{toString}} {{isPrototypeOf}}"}\n`,
      'mcp/resources.yaml': `toString: {uriTemplate: "x://{constructor}", complete: ${all('[a]')}}\n`,
      'mcp/servers.yaml': `valueOf: {tools: [${names}, isPrototypeOf], auth: {type: constructor}, http: ${all('1')}}\n`,
    });
    const run = place.run(pack, ['check']);
    expectCalm(run);
    expect(run.stdout).toContain('unknown key "constructor" in toolwright.yaml');
    expect(run.stdout).toContain('unknown key "toString" in the tool');
    expect(run.stdout).toContain('this pack declares no tool "isPrototypeOf"');
    expect(run.stdout).toContain('"isPrototypeOf"');
    for (const format of ['text', 'json']) expectCalm(place.run(pack, ['explain', 'tool:constructor'], format));
    const missing = place.run(pack, ['explain', '__defineGetter__']);
    expect(missing.status).toBe(2);
    expect(missing.stderr).toMatch(/^toolwright: the pack \S+ has no item "__defineGetter__"\n$/);
  });

  const forbidden = ['parse/forbidden-key'];
  checkAll([
    ['__proto__ in toolwright.yaml', { 'toolwright.yaml': 'config: {__proto__: {type: string}}\n' }, forbidden],
    ['__proto__ in a tool', { [tool]: 'parameters: {__proto__: {polluted: 1}}\n' }, forbidden],
    ['__proto__ in a combined file', { 'mcp/tools.json': '{"__proto__": {"polluted": 1}}' }, forbidden],
    ['__proto__ in package.json', { 'package.json': '{"__proto__": {"name": "x"}}' }, ['discover/package-json']],
    [
      '__proto__ in a schema file',
      {
        [tool]: 'description: x\ninputSchema: {file: s.json}\n',
        's.json': '{"type": "object", "properties": {"__proto__": {}}}',
      },
      forbidden,
    ],
    ['__proto__ as a file name', { 'mcp/tools/__proto__.yaml': 'description: x\n' }, ['resolve/item-name']],
  ]);
});

describe('paths that lead out', () => {
  const out =
    (name: string): HostileFile =>
    path => {
      const make = linkTo(`${place.outside}/${name}`);
      if (typeof make === 'function') make(path);
    };
  const leadsOut = ['resolve/path-escape'];
  const cases: readonly Case[] = [
    ['a linked definition', { 'mcp/tools/x.yaml': out('secret.yaml') }, leadsOut],
    ['a linked combined file', { 'mcp/tools.yaml': out('tools.yaml') }, leadsOut],
    ['a linked toolwright.yaml', { 'toolwright.yaml': out('toolwright.yaml') }, leadsOut],
    ['a linked package.json', { 'package.json': out('secret.json') }, ['discover/package-json']],
    ['a linked folder of tools', { 'mcp/tools': out('tools') }, leadsOut],
    ['a linked root', { mcp: out('') }, leadsOut],
    ['a linked root of another name', { 'toolwright.yaml': 'root: other\n', other: out('') }, leadsOut],
    ['a linked description', { [tool]: 'description: {file: d.md}\n', 'd.md': out('secret.md') }, leadsOut],
    ['a description in a linked folder', { [tool]: 'description: {file: o/secret.md}\n', o: out('') }, leadsOut],
    [
      'a linked schema',
      { [tool]: 'description: x\ninputSchema: {file: s.json}\n', 's.json': out('secret.json') },
      leadsOut,
    ],
    ['root: ../outside', { 'toolwright.yaml': 'root: ../outside\n' }, leadsOut],
    ['root: ../..', { 'toolwright.yaml': 'root: ../..\n' }, leadsOut],
    ['an absolute root', () => ({ 'toolwright.yaml': `root: ${place.outside}\n` }), leadsOut],
    ['a root on another drive', { 'toolwright.yaml': 'root: "C:\\\\outside"\n' }, leadsOut],
    ['backslashes', { [tool]: 'description: {file: "..\\\\outside\\\\secret.md"}\n' }, leadsOut],
    ['an absolute description', () => ({ [tool]: `description: {file: ${place.outside}/secret.md}\n` }), leadsOut],
    ['a handler outside', { [tool]: 'description: x\nhandler: ../outside/secret\n' }, leadsOut],
    ['a path with NUL', { [json]: '{"description": {"file": "../outside/secret.md\\u0000.md"}}' }, leadsOut],
  ];
  checkAll(cases);

  it('P3 no output shows anything of files that paths lead to outside the pack', { timeout }, () => {
    const packs = cases.map(([, files]) => place.write(typeof files === 'function' ? files() : files));
    for (const format of ['json', 'sarif', 'github']) expectCalm(place.run(place.outside, ['check', ...packs], format));
  });

  it('P3 overlays do not lead out of the pack', { timeout }, () => {
    const pack = place.write({
      [tool]: 'description: x\n',
      'o/tools.yaml': out('tools.yaml'),
      'o/tools/t.yaml': 'description: {file: d.md}\n',
      'o/d.md': out('secret.md'),
      'o/prompts': out('tools'),
    });
    for (const format of ['text', 'json', 'sarif']) {
      const run = place.run(pack, ['check', '--overlay', 'o'], format);
      expectCalm(run);
      if (format === 'text') expect(run.codes).toEqual(leadsOut);
    }
  });

  it('P3 `explain` shows nothing of files outside the pack', { timeout }, () => {
    const pack = place.write({ [tool]: 'description: {file: d.md}\n', 'd.md': out('secret.md') });
    for (const format of ['text', 'json']) expectCalm(place.run(pack, ['explain', 't'], format));
    const linked = place.run(place.write({ 'toolwright.yaml': out('toolwright.yaml') }), ['explain', 't']);
    expect(linked.status).toBe(2);
    expect(linked.stdout + linked.stderr).not.toContain(secret);
  });
});

describe('places that are not files', () => {
  const noFile = ['read/not-a-file'];
  checkAll([
    ['a folder named x.yaml', { 'mcp/tools/x.yaml/y': '', 'mcp/tools.yaml/z': '' }, noFile],
    ['a folder named toolwright.yaml', { 'toolwright.yaml/x': '' }, noFile],
    ['a folder named package.json', { 'package.json/x': '' }, ['discover/package-json']],
    ['a file named tools', { 'mcp/tools': 'x' }, []],
    ['a file named mcp', { mcp: 'x' }, []],
    ['a pipe', { 'mcp/tools/x.yaml': pipe }, noFile],
    ['a pipe as toolwright.yaml', { 'toolwright.yaml': pipe }, noFile],
    ['a pipe as package.json', { 'package.json': pipe }, ['discover/package-json']],
    ['a pipe as description', { [tool]: 'description: {file: d.md}\n', 'd.md': pipe }, noFile],
    ['a link to a pipe', { pipe, 'mcp/tools/x.yaml': linkTo('../../pipe') }, noFile],
    ['a socket', { 'mcp/tools/x.yaml': socket }, noFile],
    ['a device', { 'mcp/tools/x.yaml': linkTo('/dev/zero') }, ['resolve/path-escape']],
    ['a folder of tools that is a link to itself', { 'mcp/tools': linkTo('tools') }, ['read/failed']],
    ['a root that is a link to itself', { mcp: linkTo('mcp') }, ['resolve/missing-root']],
    ['a link to itself', { 'mcp/tools/x.yaml': linkTo('x.yaml') }, noFile],
    ['a toolwright.yaml that is a link to itself', { 'toolwright.yaml': linkTo('toolwright.yaml') }, noFile],
    ['links in circles', { [tool]: 'description: x\n', 'mcp/tools/l': linkTo('.'), 'mcp/l': linkTo('..') }, []],
    ['a link to nothing', { 'mcp/tools/x.yaml': linkTo('nothing') }, ['read/not-found']],
  ]);

  it('P3 a file that cannot be read is one diagnostic, wherever it is', async () => {
    const broken = { error: 'EACCES' };
    const at = (file: string): Promise<readonly string[]> =>
      checkPlaces({ 'toolwright.yaml': '', [tool]: 'description: {file: d.md}\n', 'd.md': 'x', [file]: broken });
    expect(await at(tool)).toEqual([`read/failed ${tool}:1:1`]);
    expect(await at('toolwright.yaml')).toEqual(['read/failed toolwright.yaml:1:1']);
    expect(await at('d.md')).toEqual([`read/failed ${tool}:1:21`]);
    expect(await at('mcp/tools.yaml')).toEqual(['read/failed mcp/tools.yaml:1:1']);
    expect(await at('package.json')).toEqual(['discover/package-json package.json:1:1']);
  });
});

describe('great numbers of items', () => {
  const described = { description: 'x' };
  const many = (count: number): string => JSON.stringify(mapOf(count, index => [`s${index}`, {}]));
  const unknown = repeat(4000, index => `  - other-${index}\n`);
  checkAll([
    ['50,000 items', () => ({ 'mcp/tools.json': tools(50_000, () => described) }), []],
    [
      '200,000 unknown keys',
      () => ({ [json]: JSON.stringify(mapOf(200_000, index => [`k${index}`, 1])) }),
      ['validate/unknown-key'],
    ],
    [
      '10,000 items with a mistake each',
      () => ({ 'mcp/tools.yaml': repeat(10_000, index => `k${index}: {desc: x}\n`) }),
      ['validate/unknown-key'],
    ],
    [
      '10,000 tools of one wire name',
      () => ({
        'mcp/servers/s.yaml': 'description: x\n',
        'mcp/tools.json': tools(10_000, () => ({ ...described, name: 'same' })),
      }),
      ['link/wire-name-collision'],
    ],
    [
      '5,000 servers of 10,000 tools',
      () => ({ 'mcp/servers.json': many(5000), 'mcp/tools.json': tools(10_000, () => described) }),
      [],
    ],
    [
      '5,000 servers with a pattern',
      () => ({
        'mcp/servers.json': JSON.stringify(mapOf(5000, index => [`s${index}`, { tools: ['*'] }])),
        'mcp/tools.json': tools(10_000, () => described),
      }),
      [],
    ],
    [
      '4,000 declared items that do not exist',
      () => ({ 'toolwright.yaml': `tools:\n${unknown}`, 'mcp/tools.json': tools(4000, () => described) }),
      ['resolve/unreachable', 'resolve/missing-definition'],
    ],
    [
      '4,000 references that lead nowhere',
      () => ({ 'mcp/servers/s.yaml': `tools:\n${unknown}`, 'mcp/tools.json': tools(4000, () => described) }),
      ['link/unknown-reference'],
    ],
    [
      '100,000 unknown tools in a text',
      () => ({ [tool]: 'description: {file: d.md}\n', 'd.md': '{{tool:x}}\n'.repeat(100_000) }),
      ['link/unknown-tool'],
    ],
    [
      '80,000 unknown arguments in a template',
      () => ({
        'mcp/prompts/p.yaml': 'description: x\ntext: {file: d.md}\n',
        'd.md': repeat(80_000, index => `{{x${index}}}\n`),
      }),
      ['template/unknown-argument'],
    ],
    [
      'names of 10,000 characters',
      {
        'toolwright.yaml': `tools: [${'a'.repeat(10_000)}]\n`,
        'mcp/tools.yaml': `${'b'.repeat(1000)}: {}\n`,
        'mcp/servers/s.yaml': `tools: [${'c'.repeat(10_000)}, "${'*d'.repeat(5000)}"]\n`,
      },
      ['link/unknown-reference', 'link/empty-pattern', 'resolve/unreachable', 'resolve/missing-definition'],
    ],
  ]);
});

describe('odd overlays', () => {
  it('P2 a pack that is its own overlay, a file, a missing folder and the folder around are reported as overlays', {
    timeout,
  }, () => {
    const folders = ['.', 'mcp', tool, 'nothing', '..'].flatMap(folder => ['--overlay', folder]);
    const { codes } = check({ [tool]: 'description: x\ninputSchema: {type: object}\n' }, folders);
    expect(codes).toEqual(['overlay/not-found', 'overlay/refused', 'resolve/stray']);
  });

  it('P2 two hundred overlays are applied', { timeout }, () => {
    const files = { [tool]: 'description: x\n', 'o/tools/t.yaml': 'title: y\n' };
    expect(check(files, Array.from({ length: 200 }, () => ['--overlay', 'o']).flat()).codes).toEqual([]);
  });
});

describe('output on a terminal', () => {
  it('P18 no control character of a manifest reaches a terminal, in any format and command', { timeout }, () => {
    const pack = place.write({
      'package.json': '{"name": "\\u001b[31mred\\u009b", "version": "\\u001b]0;x\\u0007\\u202e"}',
      [tool]: '"\\e[31mkey\\u202e": "\\e]0;title\\a\\u009b"\ndescription: "\\e[2J"\n',
    });
    for (const [command, format] of ['check', 'explain'].flatMap(one =>
      ['text', 'json', 'sarif', 'github'].map(f => [one, f]),
    )) {
      const run = place.run(pack, command === 'explain' ? ['explain', 't'] : ['check'], format ?? 'text');
      expectCalm(run);
      expect(run.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  });

  it('P18 `explain` shows fields of any name and options of any form', { timeout }, () => {
    const options = 'options: {x: 1, y: null, "": {type: string}, constructor: []}';
    const pack = place.write({ [tool]: `${options}\n"options.x": 3\n"limits.": 1\n"": 2\n${'b'.repeat(1000)}: 1\n` });
    const run = place.run(pack, ['explain', 't']);
    expectCalm(run);
    expect(run.stdout).toContain('options.constructor');
  });
});
