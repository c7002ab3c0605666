// Definitions written in code go the way of manifests: the same checks, the same schemas, mistakes at their place.
import { describe, expect, it } from 'vitest';
import { DefinitionError } from '../../../runtime/packs/open-pack.js';
import { type CodeItem, type LinkedCode, linkCode } from '../../../runtime/server/create-server/link-code.js';
import { makeFunctions } from '../../../runtime/server/create-server/to-data.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import { loadFiles } from '../../harness/pack.js';

function linkTools(...definitions: readonly unknown[]): LinkedCode {
  return linkItems(definitions.map((definition, index) => ({ kind: 'tool', definition, place: `tools[${index}]` })));
}

function linkItems(items: readonly CodeItem[], files: Readonly<Record<string, string>> = {}): LinkedCode {
  return linkCode(items, { name: 'code', version: '1.0.0', folder: memoryFolder(files), functions: makeFunctions() });
}

function places({ diagnostics }: LinkedCode): readonly string[] {
  return diagnostics.map(({ code, file }) => `${code} ${file}`);
}

const handler = (): string => 'done';

describe('definitions in code', () => {
  it('M35 a tool in code has the same schemas as in a manifest', () => {
    const parameters = {
      issueKey: 'string',
      limit: { type: 'integer', default: 50 },
      tags: { type: 'array', items: 'string', required: false },
    };
    const { program } = linkTools({
      name: 'get',
      description: 'Get it.',
      parameters,
      output: { key: 'string' },
      handler,
    });
    const yaml = loadFiles({
      'toolwright.yaml': '',
      'mcp/tools/get.yaml': JSON.stringify({ description: 'Get it.', parameters, output: { key: 'string' } }),
    });
    const [fromCode] = program.tools;
    const [fromYaml] = yaml.program?.tools ?? [];
    expect(fromCode?.inputSchema).toEqual(fromYaml?.inputSchema);
    expect(JSON.stringify(fromCode?.inputSchema)).toBe(JSON.stringify(fromYaml?.inputSchema));
    expect(fromCode?.outputSchema).toEqual(fromYaml?.outputSchema);
  });

  it('M48 every mistake in code is reported at its place in the data', () => {
    const linked = linkTools(
      { name: 'a', description: 'A.', efect: 'read', handler },
      { name: 'b', description: 'B.', parameters: { city: { type: 'strin' } }, handler },
      { name: 'c', description: 'C.', handler: 'src/c.ts' },
      { description: 'No name.', handler },
    );
    expect(places(linked)).toEqual([
      'validate/unknown-key tools[0].efect',
      'validate/value tools[1].parameters.city.type',
      'pack/no-function tools[2].handler',
      'validate/missing-key tools[3]',
    ]);
    expect(linked.program.tools).toEqual([]);
  });

  it('M48 a DefinitionError lists all mistakes in readable lines, with suggestions', () => {
    const { diagnostics } = linkTools(
      { name: 'a', description: 'A.', effect: 'raed', handler },
      { name: 'b b', description: '', handler },
    );
    const { message } = new DefinitionError('The server cannot be made:', diagnostics);
    expect(message.split('\n')).toHaveLength(1 + diagnostics.length);
    expect(message).toContain('tools[0].effect: ');
    expect(message).toContain('did you mean "read"?');
    expect(message).toContain('tools[1].name: ');
    expect(message).not.toContain(':1:1');
  });

  it('M48 code that no manifest could express is refused at its place', () => {
    const cyclic: Record<string, unknown> = { type: 'object' };
    cyclic['properties'] = { self: cyclic };
    const deep = JSON.parse(`${'{"items":'.repeat(300)}{}${'}'.repeat(300)}`) as unknown;
    const linked = linkTools(
      { name: 'a', description: 'A.', inputSchema: cyclic, handler },
      { name: 'b', description: () => 'B.', handler },
      { name: 'c', description: 'C.', parameters: { when: { type: 'string', default: new Date(0) } }, handler },
      { name: 'd', description: 'D.', limits: { timeoutMs: Number.NaN }, handler },
      { name: 'e', description: 'E.', _meta: { big: 10n, mark: Symbol('x') }, handler },
      { name: 'f', description: 'F.', inputSchema: { type: 'object', properties: { deep } }, handler },
      { name: 'g', description: 'G.', _meta: JSON.parse('{"__proto__": {"polluted": true}}') as object, handler },
    );
    expect(places(linked)).toEqual([
      'parse/not-json tools[0].inputSchema.properties.self',
      'parse/not-json tools[1].description',
      'parse/not-json tools[2].parameters.when.default',
      'parse/not-json tools[3].limits.timeoutMs',
      'parse/not-json tools[4]._meta.big',
      'parse/not-json tools[4]._meta.mark',
      expect.stringMatching(/^parse\/too-deep tools\[5\]\.inputSchema/),
      'parse/forbidden-key tools[6]._meta',
    ]);
    expect(linked.program.tools).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('M48 a value that is not a definition at all is one mistake', () => {
    expect(places(linkTools(null, 7, [], 'x'))).toEqual([
      'validate/type tools[0]',
      'validate/type tools[1]',
      'validate/type tools[2]',
      'validate/type tools[3]',
    ]);
  });

  it('M48 the same name twice is a mistake, not a second tool', () => {
    const linked = linkTools({ name: 'a', description: 'A.', handler }, { name: 'a', description: 'B.', handler });
    expect(places(linked)).toEqual(['resolve/duplicate-item tools[1].name']);
  });

  it('W74 prompts and resources in code are linked too, with files below the folder', () => {
    const linked = linkItems(
      [
        {
          kind: 'prompt',
          definition: { name: 'p', description: 'P.', arguments: { who: {} }, text: 'Hi {{whom}}' },
          place: 'prompts[0]',
        },
        { kind: 'prompt', definition: { name: 'q', description: 'Q.', handler }, place: 'prompts[1]' },
        { kind: 'resource', definition: { name: 'r', uri: 'doc://r', file: 'r.md' }, place: 'resources[0]' },
        { kind: 'resource', definition: { name: 's', uri: 'doc://s', file: '../s.md' }, place: 'resources[1]' },
        { kind: 'resource', definition: { name: 't', uri: 'doc://t' }, place: 'resources[2]' },
      ],
      { 'r.md': 'Rules.' },
    );
    expect(places(linked)).toEqual([
      'pack/no-function resources[2].handler',
      'template/unknown-argument prompts[0].text',
      'resolve/path-escape resources[1].file',
    ]);
    expect(linked.program.prompts.map(({ item }) => item)).toEqual(['q']);
    expect(linked.program.resources.map(({ item }) => item)).toEqual(['r']);
  });

  it('M48 functions may stand where manifests name modules, and nowhere else', () => {
    const functions = makeFunctions();
    const one = (): string => 'one';
    const complete = (): string[] => ['x'];
    const { program, diagnostics } = linkCode(
      [
        {
          kind: 'tool',
          definition: { name: 't', description: 'T.', handler: one, initialize: one },
          place: 'tools[0]',
        },
        {
          kind: 'prompt',
          definition: { name: 'p', description: 'P.', arguments: { a: { complete } }, text: '{{a}}' },
          place: 'prompts[0]',
        },
      ],
      { name: 'code', version: '1.0.0', folder: memoryFolder({}), functions },
    );
    expect(diagnostics).toEqual([]);
    expect(functions.get(program.tools[0]?.handler?.path ?? '')).toBe(one);
    expect(functions.get(String(program.tools[0]?.definition.initialize))).toBe(one);
    expect(functions.get(String(program.prompts[0]?.arguments[0]?.complete))).toBe(complete);
  });

  it('M28 a description may mention tools that already exist', () => {
    const mention = { name: 'b', description: 'After {{tool:a}} and {{tool:gone}}.', handler };
    const linked = linkCode([{ kind: 'tool', definition: mention, place: 'definition' }], {
      name: 'code',
      version: '1.0.0',
      folder: memoryFolder({}),
      functions: makeFunctions(),
      known: ['a'],
    });
    expect(linked.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringContaining('"gone"'),
    ]);
  });

  it('W97 config in code is checked like that of a manifest', () => {
    const wrong = { TOKEN: { type: 'strin' } } as never;
    const linked = linkCode([], {
      name: 'code',
      version: '1.0.0',
      folder: memoryFolder({}),
      functions: makeFunctions(),
      config: wrong,
    });
    expect(places(linked)).toEqual(['validate/value options.config.TOKEN.type']);
  });
});
