import { describe, expect, it } from 'vitest';
import { check, checkPlaces, explained, loadFiles } from '../../harness/pack.js';

const described = 'description: Does something\n';

describe('declarations in toolwright.yaml', () => {
  it('W1 W2 W3 a list of declarations mixes the three forms freely and keeps their order', () => {
    const { program, diagnostics } = loadFiles({
      'toolwright.yaml':
        'tools:\n  - zeta\n  - [beta, Second]\n  - name: alpha\n    description: Third\n    parameters: [a]\n',
      'mcp/tools.yaml': 'alpha: {parameters: {a: string}}\nbeta: {}\nzeta: {description: First}\n',
    });
    expect(diagnostics).toEqual([]);
    expect(program?.tools.map(({ item, description }) => [item, description])).toEqual([
      ['zeta', 'First'],
      ['beta', 'Second'],
      ['alpha', 'Third'],
    ]);
  });

  it('W2 the description of a definition wins over the declared one', () => {
    const files = { 'toolwright.yaml': 'tools: [[x, declared]]\n', 'mcp/tools/x.yaml': 'description: defined\n' };
    expect(loadFiles(files).program?.tools[0]?.description).toBe('defined');
    expect(explained(files, 'x').fields['description']).toEqual({ file: 'mcp/tools/x.yaml', line: 1 });
  });

  it('W2 `explain` shows a declared description at its declaration', () => {
    const files = { 'toolwright.yaml': 'tools:\n  - [x, declared]\n', 'mcp/tools/x.yaml': 'title: X\n' };
    expect(explained(files, 'x').fields['description']).toEqual({ file: 'toolwright.yaml', line: 2 });
  });

  it('W3 servers, prompts and resources have full forms of their own', async () => {
    const manifest = [
      'servers: [{name: s, tools: [a], prompts: [p]}]',
      'prompts: [{name: p, description: d, arguments: [x]}]',
      'resources: [{name: r, uri: "a:b"}]',
    ];
    const files = {
      'toolwright.yaml': `${manifest.join('\n')}\n`,
      'mcp/servers/s.yaml': 'title: S\n',
      'mcp/tools/a.yaml': 'description: A\n',
      'mcp/prompts/p.yaml': 'text: hello {{x}}\narguments: {x: {}}\n',
      'mcp/resources/r.yaml': 'uri: a:b\ntext: x\n',
    };
    expect(await check(files)).toEqual([]);
  });

  it('W4 every wrong form is an error at its own position, and the others are still read', async () => {
    const found = await checkPlaces({
      'toolwright.yaml': 'tools:\n  - 5\n  - [a]\n  - [b, c, d]\n  - {nam: x}\n  - bad name\n  - ok\n  - null\n',
      'mcp/tools.yaml': ['a', 'b', 'ok'].map(name => `${name}: {description: d}\n`).join(''),
    });
    expect(found).toEqual([
      'validate/type toolwright.yaml:2:5',
      'validate/limit toolwright.yaml:3:5',
      'validate/limit toolwright.yaml:4:5',
      'validate/unknown-key toolwright.yaml:5:6',
      'validate/pattern toolwright.yaml:6:5',
      'validate/type toolwright.yaml:8:5',
    ]);
  });

  it('W5 unknown keys are all reported, with suggestions', async () => {
    const found = await check({
      'toolwright.yaml': 'naem: a\ntols: []\nconfig:\n  KEY: {typ: string, type: string}\nzzz: 1\n',
    });
    expect(found.map(({ code, line, column, hint }) => [code, line, column, hint?.slice(0, 20)])).toEqual([
      ['validate/unknown-key', 1, 1, 'did you mean "name"?'],
      ['validate/unknown-key', 2, 1, 'did you mean "tools"'],
      ['validate/unknown-key', 4, 9, 'did you mean "type"?'],
      ['validate/unknown-key', 5, 1, 'known keys: name, ve'],
    ]);
  });

  it('W6 a root that is missing, outside the pack or not a folder is reported at its position', async () => {
    expect(await checkPlaces({ 'toolwright.yaml': 'tools: [x, y]\n' })).toEqual([
      'resolve/missing-root toolwright.yaml:1:1',
    ]);
    expect(await checkPlaces({ 'toolwright.yaml': 'name: a\nroot: nowhere\n' })).toEqual([
      'resolve/missing-root toolwright.yaml:2:7',
    ]);
    expect(await checkPlaces({ 'toolwright.yaml': '', mcp: { link: 'nowhere' } })).toEqual([
      'resolve/missing-root toolwright.yaml:1:1',
    ]);
    expect(await checkPlaces({ 'toolwright.yaml': 'root: ../..\n' })).toEqual([
      'resolve/path-escape toolwright.yaml:1:7',
    ]);
    expect(await checkPlaces({ 'toolwright.yaml': 'root: /etc\n' })).toEqual([
      'resolve/path-escape toolwright.yaml:1:7',
    ]);
    expect(await checkPlaces({ 'toolwright.yaml': 'root: out\n', out: { link: 'outside' } })).toEqual([
      'resolve/path-escape toolwright.yaml:1:7',
    ]);
  });

  it('W6 a pack may have another root', async () => {
    expect(await check({ 'toolwright.yaml': 'root: ./definitions/\n', 'definitions/tools/a.yaml': described })).toEqual(
      [],
    );
  });

  it('W8 a value that should be a list is one error at the value', async () => {
    const found = await check({ 'toolwright.yaml': 'tools: x\n' });
    expect(found.map(one => [one.code, one.column, one.hint])).toEqual([['validate/type', 8, 'write a list: [x]']]);
  });

  it('W9 a duplicate declaration names both positions', async () => {
    const [found, ...others] = await check({
      'toolwright.yaml': 'tools:\n  - a\n  - [a, again]\n',
      'mcp/tools/a.yaml': described,
    });
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      code: 'resolve/duplicate-declaration',
      line: 3,
      column: 6,
      related: [{ line: 2, column: 5 }],
    });
  });

  it('W10 an empty pack is valid: empty file, only comments, empty map, empty lists', async () => {
    for (const text of ['', '# nothing yet\n', '{}\n', 'tools: []\n', '---\n']) {
      expect(await check({ 'toolwright.yaml': text })).toEqual([]);
    }
  });

  it('a name or version in package.json that is not a string is reported and not used', async () => {
    const found = await check({ 'toolwright.yaml': '', 'package.json': '{\n  "name": 3,\n  "version": null\n}' });
    expect(found.map(({ severity, code, line, column, message }) => [severity, code, line, column, message])).toEqual([
      [
        ...['warning', 'discover/package-field', 2, 11],
        '"name" in package.json is the number 3, not a string, so it is not used',
      ],
      [
        ...['warning', 'discover/package-field', 3, 14],
        '"version" in package.json is empty, not a string, so it is not used',
      ],
    ]);
  });

  it('name and version default to package.json, and the names must agree', async () => {
    const named = loadFiles({ 'toolwright.yaml': '', 'package.json': '{"name": "@acme/jira", "version": "1.2.3"}' });
    expect(named.program?.pack).toMatchObject({ name: 'acme/jira', version: '1.2.3' });
    const bare = loadFiles({ 'toolwright.yaml': 'name: x\n' });
    expect(bare.program?.pack).toMatchObject({ name: 'x', version: '0.0.0' });
    const files = { 'toolwright.yaml': 'name: acme/other\n', 'package.json': '{"name": "@acme/jira"}' };
    expect(await checkPlaces(files)).toEqual(['resolve/name-mismatch toolwright.yaml:1:7']);
  });

  it('a broken package.json is reported once, in package.json', async () => {
    const found = await checkPlaces({ 'toolwright.yaml': '', 'package.json': '{\n  "name": oops\n}' });
    expect(found).toEqual(['discover/package-json package.json:2:11']);
  });

  it('P3 a version that YAML reads as a number gets a hint to put it in quotes', async () => {
    const [found] = await check({ 'toolwright.yaml': 'version: 1.10\n' });
    expect(found).toMatchObject({ code: 'validate/type', line: 1, column: 10, hint: 'put it in quotes: "1.10"' });
  });

  it('a pack without a manifest gets one diagnostic with a hint', async () => {
    expect(await checkPlaces({ 'package.json': '{}' })).toEqual(['discover/no-manifest toolwright.yaml:1:1']);
    const [found] = await check({ 'toolwright.yml': '' });
    expect(found?.hint).toBe('rename toolwright.yml to toolwright.yaml');
  });

  it('a config default must have the declared type', async () => {
    const config =
      'config:\n  A: {type: integer, default: many}\n  B: {type: string, enum: [x], default: y}\n  C: {type: integer, default: 5}\n';
    expect(await checkPlaces({ 'toolwright.yaml': config })).toEqual([
      'validate/type toolwright.yaml:2:31',
      'schema/invalid-default toolwright.yaml:3:41',
    ]);
  });
});
