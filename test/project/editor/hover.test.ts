// Hover in the real language server, on the published schemas.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { atMark, fixtures, readFixture, startEditor } from './editor.js';
import type { LanguageServer } from './language-server.js';

let server: LanguageServer;
beforeAll(async () => {
  server = await startEditor();
});
afterAll(() => server.stop());

const hovers: readonly (readonly [string, readonly string[]])[] = [
  [
    'tool-effect',
    [
      'What a call does to the world',
      '```yaml\neffect: read\n```',
      '* `write`: Adds or changes something, destroys nothing.',
    ],
  ],
  ['tool-limits', ['#### Limits', 'Limits for calls.', '```yaml\nlimits:\n  timeoutMs: 10000']],
  ['tool-required', ['#### Parameter', 'required unless this is false', '```yaml\nrequired: false\n```']],
  ['tool-deep-keyword', ['The smallest length of a string.', '```yaml\nminLength: 1\n```']],
  ['tool-error-fix', ['#### Error', 'What the model should do next', '{{tool:search-issues}}']],
  ['pack-declaration', ['#### Declaration of a tool', 'A short description for people']],
  ['server-issuer', ['#### OAuth', 'The address of the issuer.', '```yaml\nissuer: https://login.example.com\n```']],
  ['prompts-role', ['#### Message', 'Who says it.', '* `assistant`: The model.']],
  ['overlays-enabled', ['#### Overlay', 'not callable', '```yaml\nenabled: false\n```']],
];

it.each(hovers)('P19 hovering over %s shows Markdown with an example', async (fixture, parts) => {
  const name = `hover/${fixture}.yaml`;
  const { text, position } = atMark(readFixture(name));
  const shown = await server.hover(server.open(`${fixtures}/${name}`, text), position);
  for (const part of parts) expect(shown).toContain(part);
});
