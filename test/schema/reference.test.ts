// The reference of the manifest language: what it says about each key, as a page and on a terminal.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codes } from '../../schema/codes.js';
import { findKey } from '../../schema/reference/find-key.js';
import { printMarkdown } from '../../schema/reference/print-markdown.js';
import { printKeyForTerminal, printKindForTerminal } from '../../schema/reference/print-terminal.js';
import { type Key, listKeys, readKind, referenceKinds } from '../../schema/reference/read-kind.js';
import { createSlugger } from '../../schema/reference/slug.js';

const references = Object.fromEntries(
  referenceKinds.map(kind => [
    kind,
    readKind(kind, JSON.parse(readFileSync(new URL(`../../schema/${kind}.schema.json`, import.meta.url), 'utf8'))),
  ]),
);
const reference = (kind: string) => {
  const found = references[kind];
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
};
const everyKey = Object.values(references).flatMap(({ kind, keys }) =>
  listKeys(keys).map(key => ({ name: `${kind} ${key.path}`, key })),
);
const keyOf = (kind: string, path: string): Key => {
  const found = findKey(reference(kind), path);
  if ('hint' in found) throw new Error(found.hint);
  return found.key;
};
const same = (text: string): string => text;
const plain = { red: same, yellow: same, blue: same, cyan: same, dim: same, bold: same };

describe('the reference of keys', () => {
  it('Q4 fix-N1 every key of every kind has a sentence, a type and an example in YAML', () => {
    expect(everyKey.length).toBeGreaterThan(250);
    const poor = everyKey.filter(
      ({ key }) => !/[.:]$/.test(key.description.trim()) || key.example.trim() === '' || key.type === '',
    );
    expect(poor.map(({ name }) => name)).toEqual([]);
  });

  it('Q4 every default is data, not only a part of the sentence', () => {
    const told = everyKey.filter(({ key }) => /\bdefault:|\babsent\b(?! stays)/i.test(key.description));
    expect(told.map(({ name }) => name)).toEqual([]);
    // A switch that may be left out is on or off then; whether a schema says so about data, only the data knows.
    const isAnnotation =
      /[. ](?:deprecated|readOnly|writeOnly|uniqueItems|\$recursiveAnchor|unevaluated\w+|additionalItems)$/;
    const switches = everyKey.filter(
      ({ name, key }) => /^boolean\b(?!.*null)/.test(key.type) && !isAnnotation.test(name),
    );
    expect(switches.length).toBeGreaterThan(15);
    expect(switches.filter(({ key }) => key.default === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('Q4 what keys exclude and need is said with them', () => {
    expect(keyOf('tool', 'parameters').excludes).toEqual(['inputSchema']);
    expect(keyOf('prompt', 'text').excludes).toEqual(['messages', 'handler', 'mcp']);
    expect(keyOf('prompt', 'messages[].image').excludes).toEqual(['text', 'audio', 'resource', 'link']);
    expect(keyOf('server', 'http').needs).toEqual(['transport: http']);
    expect(keyOf('tool', 'resultText')).toMatchObject({ experimental: '0.3' });
  });

  it('Q4 keys name only diagnostics that exist', () => {
    const named = everyKey.flatMap(({ key }) => key.codes ?? []);
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter(code => !Object.hasOwn(codes, code))).toEqual([]);
  });

  it.each([
    ['server', 'http.port', { type: 'integer', default: '3000', limits: ['from 0 to 65535'] }],
    ['server', 'auth.issuer', { isRequired: true, needs: ['type: oauth'] }],
    ['tool', 'guidelines.whenToUse', { type: 'string or list of strings' }],
    [
      'tool',
      'errors.NOT_FOUND.status',
      {
        path: 'errors.<name>.status',
        default: 'the status that was matched; otherwise 503 if `retryable: true`, and 400 if not',
      },
    ],
    ['tool', 'errors.status', { path: 'errors.<name>.status' }],
    ['tool', 'parameters.city.minLength', { path: 'parameters.<name>.minLength' }],
    ['tool', 'parameters.city.items.minimum', { path: 'parameters.<name>.minimum' }],
    ['tool', 'outputSchema.maximum', { path: 'parameters.<name>.maximum' }],
    ['tool', 'whenToUse', { path: 'guidelines.whenToUse' }],
    ['prompt', 'messages[0].role', { isRequired: true }],
    ['prompt', 'messages.role', { isRequired: true }],
    ['pack', 'config.JIRA_TOKEN.secret', { default: 'false' }],
  ])('Q4 the key %s %s is found as an author would write it', (kind, path, expected) => {
    expect(keyOf(kind, path)).toMatchObject(expected);
  });

  it.each([
    ['tool', 'paramters', 'did you mean parameters?'],
    ['server', 'http.prot', 'did you mean http.port?'],
    ['tool', 'limits.zzz.yyy', 'known keys in limits: timeoutMs, resultChars'],
    ['tool', 'parameters.city.minimun', 'did you mean parameters.<name>.minimum?'],
    ['tool', 'nothing-like-it', 'known keys: $schema, name'],
    ['tool', '', 'known keys'],
    ['tool', 'constructor', 'known keys'],
    ['tool', 'x'.repeat(5000), 'known keys'],
    ['tool', '....', 'known keys'],
  ])('Q4 an unknown key of a %s, %s, gets a hint', (kind, path, hint) => {
    expect(findKey(reference(kind), path)).toEqual({ hint: expect.stringContaining(hint) });
  });
});

describe('printers of the reference', () => {
  it('Q4 the page of a kind has a section with an anchor for each key', () => {
    for (const { kind, keys } of Object.values(references)) {
      const page = printMarkdown(reference(kind));
      const headings = [...page.matchAll(/^##+ `(.+)`$/gm)].map(([, path]) => path);
      expect(headings).toEqual(listKeys(keys).map(({ path }) => path));
    }
  });

  it('Q4 words in angle brackets outside code are escaped', () => {
    expect(printMarkdown(reference('tool'))).toContain('Mcp-Param-\\<name>');
  });

  it.each([40, 80, 200])('Q4 nothing on a terminal of %i columns is wider than it, but for code', width => {
    const screen = { width, paint: plain };
    const texts = [
      printKindForTerminal(reference('tool'), screen),
      ...listKeys(reference('tool').keys).map(key => printKeyForTerminal('tool', key, screen)),
    ];
    const lines = texts.flatMap(text => text.split('\n')).filter(line => !/^ {2}\| /.test(line));
    const long = lines.filter(line => line.length > width && !/^\s*\S+$/.test(line));
    expect(long.filter(line => !/^tool |^Guide +\S+$/.test(line))).toEqual([]);
  });

  it('Q4 a key on a terminal has its facts, its values and its example', () => {
    expect(
      printKeyForTerminal('tool', keyOf('tool', 'guidelinesIn'), { width: 80, paint: plain }),
    ).toBe(`tool guidelinesIn

Where the guidelines are rendered.

Type       string
Default    description
Only with  guidelines

  description   Under the tool description.
  instructions  In the server instructions.

  | guidelinesIn: instructions

`);
  });

  it('Q4 a key on a terminal names its guide in the folder that has the pages', () => {
    const screen = { width: 80, paint: plain, docs: '/p/toolwright/docs' };
    expect(printKeyForTerminal('tool', keyOf('tool', 'errors'), screen)).toMatch(
      /^Guide +\/p\/toolwright\/docs\/guides\/errors\.md$/m,
    );
  });

  it('Q4 anchors are those of GitHub, and the second of a name has a number', () => {
    const slug = createSlugger();
    expect(['`http.port`', 'Keys', 'Keys', '`$schema`', '`_meta`', 'Keys', 'What it costs: 2 %'].map(slug)).toEqual([
      'httpport',
      'keys',
      'keys-1',
      'schema',
      '_meta',
      'keys-2',
      'what-it-costs-2-',
    ]);
  });
});
