// The commands that only look at packs, run on one that means harm: nothing runs, nothing is read of others, nothing is written
// but what was asked for.
import { describe, expect, it } from 'vitest';
import { type Attempt, changes, makeWorld, type Run, secret } from './trust-world.js';

/** Commands of the levels discovery and inspection (DESIGN.md 5) that change no file. */
const looking: readonly (readonly string[])[] = [
  ['list', '--all', '--builtin'],
  ['check'],
  ['check', '--format', 'json', '.', 'evil/pack'],
  ['check', '--publish'],
  ['inspect', 's', '--format', 'json'],
  ['inspect', 'evil/pack', '--format', 'mermaid'],
  ['explain', 'tool:t'],
  ['explain', 'server:s', '--format', 'json'],
  ['schema', 'tool'],
  ['generate', '--check'],
  ['lock', '--check'],
  ['doctor'],
  ['doctor', 'evil/pack', '--format', 'json'],
  ['add', 'tool', 'fresh', '--dry-run'],
  ['init', '--dry-run', '--yes'],
  ['__complete', '--', 'explain', ''],
  ['docs', '--stdout'],
  ['docs', 'evil/pack', '--stdout', '--format', 'json'],
];

/** Commands that are there to write, and the files that each may change, by their path in the world. */
const writing: readonly (readonly [args: readonly string[], mayChange: RegExp])[] = [
  [['lock'], /^project\/toolwright\.lock$/],
  [['add', 'prompt', 'fresh'], /^project\/(?:generated|src|mcp\/prompts|mcp)(?:\/|$)|^project\/toolwright\.yaml$/],
  [['docs', '--html'], /^project\/docs(?:\/index\.html)?$/],
  [['generate'], /^project\/(?:generated|src)(?:\/|$)/],
];

/** Neither a crash nor a hang, nothing of others, nothing that steers a terminal. */
export function expectCalm(args: readonly string[], { code, output }: Run): void {
  expect({ args, code }).toEqual({ args, code: expect.toSatisfy(one => one === 0 || one === 1 || one === 2) });
  expect(output).not.toMatch(/bug in toolwright|^ {4}at /m);
  expect(output).not.toContain(secret);
  expect(output).not.toContain('root:x:0');
  expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
}

/** One test per attempt. */
export function tryAll(attempts: readonly Attempt[]): void {
  describe('W61 looking at a pack', () => {
    it.each(attempts)(
      'W61 commands that only look at a pack are safe from $title',
      { timeout: 120_000 },
      async attempt => {
        const world = await makeWorld(attempt);
        const runOne = attempt.isAlone ? world.run : world.runShared;
        try {
          let before = world.snapshot();
          const runs = await Promise.all(looking.map(async args => ({ args, run: await runOne(args) })));
          expect({ wrong: changes(before, world.snapshot()), marks: world.marks() }).toEqual({ wrong: [], marks: [] });
          for (const [args, mayChange] of writing) {
            const run = await runOne(args);
            runs.push({ args, run });
            const after = world.snapshot();
            const wrong = changes(before, after).filter(path => !mayChange.test(path));
            expect({ args, wrong, marks: world.marks() }).toEqual({ args, wrong: [], marks: [] });
            before = after;
          }
          for (const { args, run } of runs) expectCalm(args, run);
        } finally {
          await world.remove();
        }
      },
    );
  });
}
