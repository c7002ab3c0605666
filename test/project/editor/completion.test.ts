// Completion in the real language server, on the published schemas.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accept, atMark, findingsOf, fixtures, readFixture, startEditor } from './editor.js';
import type { CompletionItem, LanguageServer } from './language-server.js';

let server: LanguageServer;
beforeAll(async () => {
  server = await startEditor();
});
afterAll(() => server.stop());

async function completions(fixture: string): Promise<readonly CompletionItem[]> {
  const { text, position } = atMark(readFixture(`complete/${fixture}.yaml`));
  return server.complete(server.open(`${fixtures}/complete/${fixture}.yaml`, text), position);
}

interface Offer {
  readonly fixture: string;
  readonly has: readonly string[];
  readonly hasNot?: readonly string[];
}

const typeNames = ['string', 'integer', 'number', 'boolean', 'array', 'object'];

const offers: readonly Offer[] = [
  {
    fixture: 'tool-keys',
    has: ['parameters', 'inputSchema', 'effect', 'errors', 'examples'],
    hasNot: ['description', '$schema'],
  },
  {
    fixture: 'tool-parameter-keys',
    has: ['description', 'required', 'default', 'items', 'minLength', 'header'],
    hasNot: typeNames,
  },
  { fixture: 'tool-parameter-nested', has: ['description', 'required', 'pattern'], hasNot: ['type', 'whenToUse'] },
  { fixture: 'tool-input-schema', has: ['type', 'properties', 'required', '$defs', 'object', 'file'] },
  {
    fixture: 'tool-input-schema-deep',
    has: ['type', 'properties', 'prefixItems', 'x-mcp-header'],
    hasNot: ['header', 'file'],
  },
  { fixture: 'tool-below-any-of', has: ['minLength', 'x-mcp-header'], hasNot: ['header'] },
  { fixture: 'tool-guidelines', has: ['avoidIf', 'prerequisites', 'sideEffects'], hasNot: ['whenToUse', 'effect'] },
  { fixture: 'tool-error-keys', has: ['match', 'status', 'suggestedFix'], hasNot: ['message', 'resultText'] },
  { fixture: 'tools-item', has: ['parameters', 'effect'], hasNot: ['description', 'get-issue'] },
  { fixture: 'pack-keys', has: ['version', 'root', 'tools', 'config', 'context'], hasNot: ['name', 'effect'] },
  { fixture: 'pack-declaration', has: ['description', 'parameters'], hasNot: ['name', 'effect', 'arguments'] },
  {
    fixture: 'server-inline-tool',
    has: ['description', 'parameters', 'handler'],
    hasNot: ['name', 'transport', 'tool'],
  },
  { fixture: 'server-inline-parameter', has: ['type', 'description', 'required'], hasNot: ['effect'] },
  { fixture: 'server-auth', has: ['issuer', 'audience', 'jwks', 'scopes'], hasNot: ['type', 'env'] },
  {
    fixture: 'tool-http-keys',
    has: ['backend', 'method', 'query', 'body', 'result', 'paginate'],
    hasNot: ['path', 'command'],
  },
  { fixture: 'tool-task-keys', has: ['mode', 'ask', 'restart'], hasNot: ['effect'] },
  { fixture: 'tool-exec-keys', has: ['args', 'cwd', 'env', 'ok'], hasNot: ['command', 'path'] },
  {
    fixture: 'pack-backend-http',
    has: ['auth', 'headers', 'retries', 'limits'],
    hasNot: ['url', 'readOnly', 'command'],
  },
  { fixture: 'pack-backend-sql', has: ['readOnly', 'pool', 'limits'], hasNot: ['auth', 'retries', 'command'] },
  { fixture: 'prompt-argument', has: ['description', 'required', 'type', 'complete'], hasNot: ['text'] },
  { fixture: 'overlay-keys', has: ['description', 'guidelines', 'limits'], hasNot: ['title', 'parameters', 'handler'] },
  { fixture: 'overlays-item', has: ['timeoutMs', 'resultChars'], hasNot: ['title'] },
];

const values: readonly (readonly [string, readonly string[]])[] = [
  ['tool-effect', ['read', 'write', 'destructive']],
  ['tool-defaults', ['advertise', 'fill']],
  ['tool-task', ['forbidden', 'optional', 'required']],
  ['tool-task-restart', ['fail', 'resume']],
  ['tool-parameter', typeNames],
  ['tool-parameter-type', typeNames],
  ['tool-input-schema-type', typeNames],
  ['tool-requires', ['required', 'suggested']],
  ['tool-clean', ['progress', 'repeats', 'ansi', 'truncate']],
  ['tool-confirm', ['true', 'false']],
  ['tools-second-document', ['read', 'write', 'destructive']],
  ['pack-config-type', ['string', 'integer', 'number', 'boolean', 'array']],
  ['server-transport', ['stdio', 'http']],
  ['prompt-role', ['user', 'assistant']],
  ['resource-audience', ['user', 'assistant']],
];

const snippets: readonly (readonly [string, readonly string[]])[] = [
  ['tool-start', ['tool', 'tool with output']],
  ['tool-new-parameter', ['parameter', 'optional parameter', 'choice', 'list']],
  ['tool-new-error', ['error']],
  ['tool-new-example', ['example', 'failing example']],
  ['tool-new-option', ['option']],
  ['tool-input-schema', ['object', 'file']],
  ['tools-start', ['tool', 'tool with output']],
  ['pack-start', ['pack']],
  ['pack-new-declaration', ['tool declaration']],
  ['pack-new-config', ['setting', 'secret']],
  ['server-start', ['server', 'http server']],
  ['server-new-inline-tool', ['by tag', 'inline tool']],
  ['server-new-auth', ['bearer', 'oauth']],
  ['prompt-start', ['prompt']],
  ['prompt-new-message', ['message', 'image']],
  ['prompt-new-argument', ['argument']],
  ['resource-start', ['resource', 'resource template']],
];

describe('completion of keys', () => {
  it.each(offers)('P19 the editor completes keys in $fixture', async ({ fixture, has, hasNot = [] }) => {
    const labels = (await completions(fixture)).map(item => item.label);
    expect(labels).toEqual(expect.arrayContaining([...has]));
    expect(hasNot.filter(label => labels.includes(label))).toEqual([]);
  });

  it('P19 a completed key that may be a string or a map waits for a string', async () => {
    const items = await completions('server-start');
    const inserted = ['description', 'instructions', 'name'].map(
      key => items.find(item => item.label === key)?.insertText,
    );
    expect(inserted).toEqual(['description: ', 'instructions: ', 'name: ']);
  });

  it('P19 the editor completes only keys', async () => {
    expect((await completions('tool-new-error')).map(item => item.label)).toEqual(['error']);
  });
});

describe('completion of values', () => {
  it.each(values)('P19 the editor completes values in %s', async (fixture, expected) => {
    const labels = (await completions(fixture)).map(item => item.label);
    expect([...labels].sort()).toEqual([...expected].sort());
  });

  it('P19 each completed value says what it means', async () => {
    const items = await completions('tool-effect');
    expect(items.map(item => item.documentation)).toEqual([
      { kind: 'markdown', value: 'Changes nothing.' },
      { kind: 'markdown', value: 'Adds or changes something, destroys nothing.' },
      { kind: 'markdown', value: 'May destroy or overwrite something.' },
    ]);
  });
});

describe('completion of snippets', () => {
  it.concurrent.each(snippets)('P19 snippets in %s insert what is valid as it stands', async (fixture, labels) => {
    const cursor = atMark(readFixture(`complete/${fixture}.yaml`));
    const items = await completions(fixture);
    for (const label of labels) {
      const item = items.find(one => one.label === label && one.insertText?.includes(':'));
      expect(item, label).toBeDefined();
      if (item === undefined) continue;
      const text = accept(cursor, item);
      const name = `${fixtures}/accepted/${fixture}-${label.replaceAll(' ', '-')}.yaml`;
      expect(await findingsOf(server, name, text), text).toEqual([]);
    }
  });
});
