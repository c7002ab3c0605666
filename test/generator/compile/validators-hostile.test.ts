// Text is never code: printed modules with hostile texts have the same syntax tree as with harmless ones.
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { loadValidatorPrinter } from '../../../generator/compile/validators/print.js';
import { makeRandom } from '../../harness/random.js';
import { compileWithAjv, evaluate, outcomeOf, toolOf } from './validators-module.js';

const print = await loadValidatorPrinter();

/** The kinds of all nodes in order, and the syntax errors. */
function treeOf(text: string): { readonly kinds: readonly string[]; readonly errors: readonly unknown[] } {
  const source = ts.createSourceFile('validators.js', text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS);
  const kinds: string[] = [];
  const visit = (node: ts.Node): void => {
    kinds.push(ts.SyntaxKind[node.kind] ?? '');
    ts.forEachChild(node, visit);
  };
  visit(source);
  const { parseDiagnostics } = source as unknown as { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  return { kinds, errors: parseDiagnostics.map(({ messageText }) => messageText) };
}

const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const escapePointer = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
/** ajv refuses half characters in names, because they have no place in its paths. */
const toName = (text: string): string => text.replaceAll(/\p{Cs}/gu, '?');

/** A schema with the text wherever an author can write one. */
function schemaWith(text: string): object {
  const name = toName(text);
  return {
    $id: `https://x.test/${encodeURIComponent(name)}`,
    $comment: text,
    title: text,
    description: text,
    type: 'object',
    properties: {
      [`${name} `]: { type: 'string', pattern: escapeRegex(text), description: text, examples: [text] },
      plain: { enum: [text, 1, { [text]: text }], default: { [text]: [text] } },
      fixed: { const: text },
      object: { const: { [`${text} `]: text } },
      formatted: { type: 'string', format: text },
      referring: { $ref: `#/$defs/${escapePointer(name)}` },
    },
    patternProperties: { [`^${escapeRegex(name)}$`]: { type: 'integer' } },
    required: [`${name} `],
    dependentRequired: { [`${name} `]: [`${name}  `] },
    [`x-${text}`]: text,
    $defs: { [name]: { type: 'object', default: text, required: [`${name} `] } },
    additionalProperties: false,
  };
}

/** The same without what needs ajv: the schema itself is printed. */
function plainWith(text: string): object {
  const { $id: _, ...schema } = schemaWith(text) as { readonly $id: string; readonly properties: object };
  return {
    ...schema,
    properties: { ...schema.properties, referring: { $ref: '#/$defs/plain' } },
    $defs: { plain: { const: text } },
  };
}

const harmless = 'a harmless text';
/** Names of variables in a text count as uses, so that lines stay which could go: these texts have them in common. */
const twins: Readonly<Record<string, string>> = {
  'const _errs1 = errors;': 'harmless _errs1',
  'schema0 pattern0 validate0 formats0 valid0': 'harmless valid0',
};
const hostile = [
  '*/ globalThis.hacked = 1; /*',
  '`${globalThis.hacked = 1}`',
  '"; globalThis.hacked = 1; "',
  "'; globalThis.hacked = 1; //",
  '\\"; globalThis.hacked = 1; //',
  'line\nglobalThis.hacked = 1',
  'line\r\nglobalThis.hacked = 1',
  'line\u2028globalThis.hacked = 1\u2029',
  '</script><script>globalThis.hacked = 1</script>',
  '//# sourceMappingURL=data:,x',
  'require("ajv/dist/runtime/equal").default',
  'const _errs1 = errors;',
  '\nelse {\n}\n',
  'schema0 pattern0 validate0 formats0 valid0',
  '\ud83d lone \udc00',
  'emoji 😀 and \u202e turned',
  '{"__proto__":1}',
  '\u0000\u0007\u001b[31m',
  '#{}[]()$&$1$`',
];

describe('P17 hostile text in validators', () => {
  it.each(hostile)('%j never becomes code in a compiled validator', text => {
    const tool = { ...toolOf(schemaWith(text), schemaWith(text)), file: `mcp/tools/${text}.yaml` };
    const printed = print(tool);
    const twin = twins[text] ?? harmless;
    const tree = treeOf(printed);
    expect(tree.errors).toEqual([]);
    expect(tree.kinds).toEqual(treeOf(print(toolOf(schemaWith(twin), schemaWith(twin)))).kinds);
    // What is written to disk as UTF-8 is read back as the same text.
    expect(new TextDecoder().decode(new TextEncoder().encode(printed))).toBe(printed);
    const { validateInput } = evaluate(printed);
    const value = {
      [`${toName(text)} `]: text,
      plain: text,
      fixed: 'other',
      object: { [`${text} `]: text },
      referring: {},
    };
    expect(outcomeOf(validateInput, value)).toEqual(outcomeOf(compileWithAjv(schemaWith(text), 'input'), value));
    expect(Object.hasOwn(globalThis, 'hacked')).toBe(false);
  });

  it.each(hostile)('%j never becomes code in a schema that is printed whole', text => {
    const printed = print({ ...toolOf(plainWith(text), plainWith(text)), file: `${text}.yaml` });
    expect(printed.match(/makeValidator\(/g)).toHaveLength(2);
    const tree = treeOf(printed);
    expect(tree.errors).toEqual([]);
    expect(tree.kinds).toEqual(treeOf(print(toolOf(plainWith(harmless), plainWith(harmless)))).kinds);
    expect(new TextDecoder().decode(new TextEncoder().encode(printed))).toBe(printed);
    const { validateInput } = evaluate(printed);
    for (const referring of [text, 'other']) {
      const value = { [`${toName(text)} `]: text, fixed: text, referring, [text]: 'x' };
      expect(outcomeOf(validateInput, value)).toEqual(outcomeOf(compileWithAjv(plainWith(text), 'input'), value));
    }
    expect(Object.hasOwn(globalThis, 'hacked')).toBe(false);
  });

  it('an address that would end a comment does not become code', () => {
    const schema = (segment: string) => ({
      $id: `https://x.test/${segment}`,
      type: 'object',
      properties: { a: { $ref: `https://x.test/${segment}#/$defs/n` } },
      $defs: { n: { type: 'integer' } },
    });
    const printed = print(toolOf(schema('*/}globalThis.hacked=1;{/*')));
    const tree = treeOf(printed);
    expect(tree.errors).toEqual([]);
    expect(tree.kinds).toEqual(treeOf(print(toolOf(schema('harmless')))).kinds);
    const { validateInput } = evaluate(printed);
    expect([validateInput({ a: 1 }), validateInput({ a: 'x' })]).toEqual([true, false]);
    expect(Object.hasOwn(globalThis, 'hacked')).toBe(false);
  });

  it('random text of dangerous pieces does not become code', () => {
    const pieces = [
      '*/',
      '/*',
      '//',
      '"',
      "'",
      '`',
      '${',
      '}',
      '\\',
      '\n',
      '\u2028',
      ';',
      '<',
      'a',
      '\ud83d',
      ']',
      '(',
    ];
    const random = makeRandom(41);
    const { kinds } = treeOf(print(toolOf(schemaWith(harmless))));
    for (let round = 0; round < 40; round += 1) {
      const text = Array.from({ length: 2 + random.below(7) }, () => pieces[random.below(pieces.length)]).join('');
      const tree = treeOf(print({ ...toolOf(schemaWith(text)), file: text }));
      expect(tree, JSON.stringify(text)).toEqual({ kinds, errors: [] });
    }
  });

  it('the key __proto__ stays a key', () => {
    const schema = JSON.parse(`{"type":"object","properties":{
      "a":{"default":{"__proto__":{"x":1}}},"b":{"enum":[{"__proto__":1},"{\\"__proto__\\":1}"]},"__proto__":{"type":"string"}}}`);
    const { validateInput } = evaluate(print(toolOf(schema)));
    const value: { a?: object; b: unknown } = { b: JSON.parse('{"__proto__":1}') };
    expect(validateInput(value)).toBe(true);
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
    expect(Object.keys(value.a ?? {})).toEqual(['__proto__']);
    expect([validateInput({ b: {} }), validateInput({ b: '{"__proto__":1}' })]).toEqual([false, true]);
  });
});
