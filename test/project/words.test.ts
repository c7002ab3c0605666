// Messages, help, docs and comments are written for native readers: phrases that came back too often may not come back again.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Phrase {
  readonly phrase: RegExp;
  readonly say: string;
}

const phrases: readonly Phrase[] = [
  {
    // "There is no such file" and "is no longer" are fine.
    phrase:
      /(?<!\bthere\s+|\bwhere\s+|\bthat\s+there\s+)\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|\w+er\b|reason\b|accident\b|use\b|sign\b|match\b)\w+/gi,
    say: 'is not a ...',
  },
  { phrase: /\bmend(?:s|ed|ing)?\b/gi, say: 'fix' },
  { phrase: /\bthat (?:is|are|was|were) there\b/gi, say: 'existing' },
  {
    // "Told apart" and "as far as can be told" are fine.
    phrase: /(?<!\b(?:can|cannot|could) )\b(?:is|are|was|were|be|been|being|gets?) told\b(?! apart| from)/gi,
    say: 'reported, said, shown',
  },
  { phrase: /\b(?:tells?|told|telling) of\b/gi, say: 'reports, mentions' },
  { phrase: /\bwhoever\b/gi, say: 'anyone who, the caller' },
  {
    phrase:
      /\ba text\b(?! (?:file|result|block|content|message|template|field|editor|resource|item|line|form|node|input))/gi,
    say: 'a string (for a type), text (for prose)',
  },
  { phrase: /\btak(?:e|es|en|ing) along\b/gi, say: 'include' },
  { phrase: /\b(?:is|are|was|were|be) taken out of\b/gi, say: 'is removed from' },
  { phrase: /\bvalid by (?:its|the|their)\b/gi, say: 'matches its schema' },
  { phrase: /\bthe last good server goes on\b/gi, say: 'still serving the last good version' },
  { phrase: /\bthe rest is served\b/gi, say: 'everything else is served' },
  { phrase: /\bsomebody at\b/gi, say: 'name the place: x.ts:14:13 writes ...' },
  { phrase: /\bbelongs to the protocol\b/gi, say: 'is reserved for the protocol' },
  { phrase: /\bfor the whole usage\b/gi, say: 'Run with --help for usage.' },
  { phrase: /\bno development dependency\b/gi, say: 'Install it as a regular dependency, not with --save-dev' },
  { phrase: /\bothers' turn\b/gi, say: 'Publishing' },
  { phrase: /\boutside: \$?\{/gi, say: 'not bundled: ...; install it where the server runs' },
];

/** What people read: sources, templates, manifests, pages, scripts. Tests quote what authors may write. */
const read = [
  'schema',
  'runtime',
  'generator',
  'cli',
  'templates',
  'builtin',
  'docs',
  'examples',
  'scripts',
  'bench',
  '*.md',
];
const skipped = /\.gen\.|\.schema\.json$|\.d\.ts(\.map)?$|\.svg$|package-lock|\/generated\//;

function found(path: string): readonly string[] {
  // A phrase may go over the end of a line of a comment.
  const text = readFileSync(join(root, path), 'utf8').replaceAll(
    /\n([ \t]*(?:\/\/|\*|#|>)?[ \t]*)/g,
    (all: string) => `\n${' '.repeat(all.length - 1)}`,
  );
  const flat = text.replaceAll(/\s/g, one => (one === '\n' ? '\n' : ' '));
  return phrases.flatMap(({ phrase, say }) =>
    [...spaced(phrase, flat)].map(({ index, found: words }) => {
      const line = flat.slice(0, index).split('\n').length;
      return `${path}:${line} "${words}": ${say}`;
    }),
  );
}

function* spaced(phrase: RegExp, text: string): Generator<{ readonly index: number; readonly found: string }> {
  const loose = new RegExp(phrase.source.replaceAll(/(?<!\\) (?!\?)/g, '\\s+'), phrase.flags);
  for (const match of text.matchAll(loose)) yield { index: match.index, found: match[0].replaceAll(/\s+/g, ' ') };
}

const files = execFileSync('git', ['ls-files', '--', ...read], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(path => path !== '' && !skipped.test(path));

describe('words in pages and sources', () => {
  it('no page or source has a phrase that a native reader stumbles over', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap(found)).toEqual([]);
  });
});
