// The keys of prompts.
import type { Manifests } from './kit.js';
import { absent, answered, documented, generated, icon, listed, media, type Pair, refused } from './pair.js';

const argument = { x: {} };
const getPrompt = (args: object = {}): readonly [string, Record<string, unknown>] => [
  'prompts/get',
  { name: 'p', arguments: args },
];
const message = { role: 'user', text: 'Hello' };
const first = (content: object): Manifests => ({ prompt: { messages: [{ role: 'user', ...content }] }, files: media });

export const prompt: Readonly<Record<string, Pair>> = {
  'prompt.name': listed(absent, 'other', { base: { prompt: { text: 'Hello' } } }),
  'prompt.title': listed(absent, 'Other', { base: { prompt: { text: 'Hello' } } }),
  'prompt.description': listed('The prompt', 'Another', { base: { prompt: { text: 'Hello' } } }),
  'prompt.type': refused(absent, 'handler', { base: { prompt: { text: 'Hello' } } }),
  'prompt.onError': answered(absent, 'message', {
    base: { prompt: { handler: 'src/p.ts' } },
    handlers: {
      'src/p.ts': () => {
        throw new Error('broken');
      },
    },
    asked: [getPrompt()],
  }),
  'prompt.arguments': listed(absent, argument, { base: { prompt: { text: 'Hello' } } }),
  'promptArgument.title': listed(absent, 'Other', {
    at: 'prompt.arguments.x.title',
    base: { prompt: { text: '{{x}}', arguments: argument } },
  }),
  'promptArgument.description': listed(absent, 'Other', {
    at: 'prompt.arguments.x.description',
    base: { prompt: { text: '{{x}}', arguments: argument } },
  }),
  'promptArgument.required': listed(absent, true, {
    at: 'prompt.arguments.x.required',
    base: { prompt: { text: '{{x}}', arguments: argument } },
  }),
  'promptArgument.type': answered('string', 'list', {
    at: 'prompt.arguments.x.type',
    base: { prompt: { text: '{{x}}', arguments: argument } },
    asked: [['prompts/get', { name: 'p', arguments: { x: '["a","b"]' } }]],
  }),
  'promptArgument.complete': answered(['apple'], ['pear'], {
    at: 'prompt.arguments.x.complete',
    base: { prompt: { text: '{{x}}', arguments: argument } },
    asked: [['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'x', value: '' } }]],
  }),
  'prompt.text': answered('Hello', 'Bye', { base: { prompt: {} }, asked: [getPrompt()] }),
  'prompt.messages': answered([message], [{ role: 'user', text: 'Bye' }], {
    base: { prompt: {} },
    asked: [getPrompt()],
  }),
  'message.role': answered('user', 'assistant', {
    at: 'prompt.messages.0.role',
    base: first({ text: 'Hello' }),
    asked: [getPrompt()],
  }),
  'message.text': answered('Hello', 'Bye', { at: 'prompt.messages.0.text', base: first({}), asked: [getPrompt()] }),
  'message.image': answered(
    { file: 'docs/a.png' },
    { file: 'docs/b.png' },
    { at: 'prompt.messages.0.image', base: first({}), asked: [getPrompt()] },
  ),
  'mediaFile.file': answered('docs/a.png', 'docs/b.png', {
    at: 'prompt.messages.0.image.file',
    base: first({ image: {} }),
    asked: [getPrompt()],
  }),
  'mediaFile.mimeType': answered(absent, 'image/webp', {
    at: 'prompt.messages.0.image.mimeType',
    base: first({ image: { file: 'docs/a.png' } }),
    asked: [getPrompt()],
  }),
  'message.audio': answered(
    { file: 'docs/a.mp3' },
    { file: 'docs/b.mp3' },
    { at: 'prompt.messages.0.audio', base: first({}), asked: [getPrompt()] },
  ),
  'message.resource': answered(
    { uri: 'doc://a', text: 'A' },
    { uri: 'doc://b', text: 'B' },
    { at: 'prompt.messages.0.resource', base: first({}), asked: [getPrompt()] },
  ),
  'message.resource.uri': answered('doc://a', 'doc://b', {
    at: 'prompt.messages.0.resource.uri',
    base: first({ resource: { text: 'A' } }),
    asked: [getPrompt()],
  }),
  'message.resource.mimeType': answered(absent, 'text/markdown', {
    at: 'prompt.messages.0.resource.mimeType',
    base: first({ resource: { uri: 'doc://a', text: 'A' } }),
    asked: [getPrompt()],
  }),
  'message.resource.text': answered('A', 'B', {
    at: 'prompt.messages.0.resource.text',
    base: first({ resource: { uri: 'doc://a' } }),
    asked: [getPrompt()],
  }),
  'message.resource.file': answered('docs/a.md', 'docs/b.md', {
    at: 'prompt.messages.0.resource.file',
    base: first({ resource: { uri: 'doc://a' } }),
    asked: [getPrompt()],
  }),
  'message.link': answered(
    { uri: 'doc://a', name: 'a' },
    { uri: 'doc://b', name: 'a' },
    { at: 'prompt.messages.0.link', base: first({}), asked: [getPrompt()] },
  ),
  ...Object.fromEntries(
    ['title', 'description', 'mimeType'].map(key => [
      `message.link.${key}`,
      answered(absent, 'text/plain', {
        at: `prompt.messages.0.link.${key}`,
        base: first({ link: { uri: 'doc://a', name: 'a' } }),
        asked: [getPrompt()],
      }),
    ]),
  ),
  'message.link.uri': answered('doc://a', 'doc://b', {
    at: 'prompt.messages.0.link.uri',
    base: first({ link: { name: 'a' } }),
    asked: [getPrompt()],
  }),
  'message.link.name': answered('a', 'b', {
    at: 'prompt.messages.0.link.name',
    base: first({ link: { uri: 'doc://a' } }),
    asked: [getPrompt()],
  }),
  'prompt.handler': generated('src/a.ts', 'src/b.ts', { base: { prompt: {} } }),
  'prompt.examples': refused(absent, [{ name: 'one', input: { nobody: 'x' } }], {
    base: { prompt: { text: 'Hello' } },
  }),
  'prompt.tags': documented(absent, ['issues'], { base: { prompt: { text: 'Hello' } } }),
  'prompt.when': listed(absent, { ON: true }, { base: { pack: { config: { ON: 'boolean' } } } }),
  'prompt.modes': listed(absent, ['admin'], { mode: 'user', base: { prompt: { text: 'Hello' } } }),
  'prompt.enabled': listed(absent, false, { base: { prompt: { text: 'Hello' } } }),
  'prompt.icons': listed(absent, [icon], { base: { prompt: { text: 'Hello' } } }),
  'prompt._meta': listed(absent, { 'example.com/x': 1 }, { base: { prompt: { text: 'Hello' } } }),
};
