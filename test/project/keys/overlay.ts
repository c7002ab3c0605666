// The keys of overlays.
import type { Manifests } from './kit.js';
import { absent, answered, bound, listed, type Pair } from './pair.js';
import { tool } from './tool.js';

const patched = (parts: Readonly<Record<string, unknown>>): Manifests => ({ tool: parts });
const patch = (key: string, pair: Pair): [string, Pair] => [`overlay.${key}`, { at: `overlay.tool.${key}`, ...pair }];
export const overlay: Readonly<Record<string, Pair>> = Object.fromEntries([
  patch('$schema', { ...bound('overlay'), at: 'tool.$schema', base: { tool: { nonsense: true } } }),
  patch('title', listed(absent, 'Other')),
  patch('description', listed(absent, 'Other')),
  patch('guidelines', listed(absent, { whenToUse: 'Always' })),
  ...['whenToUse', 'avoidIf', 'prerequisites', 'sideEffects', 'additionalInfo'].map(key =>
    patch(`guidelines.${key}`, listed(absent, 'Always')),
  ),
  patch('annotations', listed(absent, { openWorldHint: true })),
  patch('annotations.title', listed(absent, 'Other')),
  ...['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].map(key =>
    patch(`annotations.${key}`, listed(absent, true)),
  ),
  patch('annotations.audience', listed(absent, ['user'], { at: 'overlay.resource.annotations.audience' })),
  patch('annotations.priority', listed(absent, 1, { at: 'overlay.resource.annotations.priority' })),
  patch(
    'annotations.lastModified',
    listed(absent, '2026-01-01T00:00:00Z', { at: 'overlay.resource.annotations.lastModified' }),
  ),
  patch('instructions', listed(absent, 'Read first.', { at: 'overlay.server.instructions' })),
  patch(
    'options',
    answered(
      absent,
      { size: 9 },
      {
        base: patched({ options: { size: { type: 'integer', default: 5 } } }),
        handlers: { 'src/tools/t.ts': (_: object, { options }: { options: object }) => JSON.stringify(options) },
      },
    ),
  ),
  patch('enabled', listed(absent, false)),
  patch('limits', answered(absent, { resultChars: 5 }, { handlers: { 'src/tools/t.ts': () => 'a long text' } })),
  patch('limits.timeoutMs', { ...tool['limits.timeoutMs'], at: 'overlay.tool.limits.timeoutMs' } as Pair),
  ...['concurrency', 'queue'].map(key =>
    patch(`limits.${key}`, { ...tool[`limits.${key}`], at: `overlay.tool.limits.${key}` } as Pair),
  ),
  patch('limits.resultChars', answered(absent, 5, { handlers: { 'src/tools/t.ts': () => 'a long text' } })),
]);
