// Messages, help, docs and comments are written for native readers: phrases that came back too often may not come back again.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listTestTitles } from './test-titles.js';

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
  { phrase: /\bis no header\b/gi, say: 'is not a valid header name' },
  { phrase: /\bclients are told\b/gi, say: 'clients notified: tools' },
  { phrase: /\btold, not taken\b/gi, say: 'reported, not removed' },
  { phrase: /\bleads? out of the (?:pack|schema)[`'"]/gi, say: 'is outside the pack' },
  { phrase: /\bwrites? (?:it|them) anew\b/gi, say: 'writes it again' },
  { phrase: /\btakes? (?:it|them) out all the same\b/gi, say: 'removes it anyway' },
  { phrase: /\b[Dd]ata of your own goes\b/g, say: 'your own data goes' },
  { phrase: /\bis deprecated since\b/gi, say: 'has been deprecated since' },
  { phrase: /\bis switched off`/gi, say: 'is disabled' },
  { phrase: /\bbelongs? into\b/gi, say: 'belongs in' },
  { phrase: /\bin this order of weight\b/gi, say: 'in this order of precedence' },
  { phrase: /\bfor whole stories\b/gi, say: 'for multi-step scenarios' },
  { phrase: /\bthe settings of a client\b/gi, say: "a client's settings" },
  { phrase: /\ban? errors? of the protocol\b/gi, say: 'a protocol error' },
  { phrase: /\bhints of the protocol\b/gi, say: 'protocol hints' },
  { phrase: /\bone JSON document a line\b/gi, say: 'one JSON document per line' },
  { phrase: /\bsays? the form\b/gi, say: 'state the expected format' },
  { phrase: /\blook whether it is all right\b/gi, say: 'check it' },
  { phrase: /\bnothing is in the way\b/gi, say: 'no problems found' },
  { phrase: /\bsuits the handlers\b/gi, say: 'works for the handlers' },
  { phrase: /\bHuman name of\b/gi, say: 'display name of' },
  { phrase: /\bsettings of an MCP client\b/gi, say: "an MCP client's settings" },
  { phrase: /\b(?:the environment|later ones|later files) counts? more\b/gi, say: 'overrides, wins' },
  { phrase: /\bthe first in "servers:" of\b/gi, say: 'the first one under "servers:" in' },
  { phrase: /\bis the business of the proxy\b/gi, say: 'leave it to a proxy' },
  { phrase: /\bbuilds? it anew\b/gi, say: 'builds it again' },
  { phrase: /\ban anchor of YAML\b/gi, say: 'a YAML anchor' },
  { phrase: /\bleads nowhere[`'"]/gi, say: 'is a broken link' },
  { phrase: /\bis of no known type\b/gi, say: 'has an unknown type' },
  { phrase: /--[a-z]+ takes (?:key=|NAME=|tool\.option=|a port|a version)/g, say: '--option needs ...' },
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
/** As they were imported: these words are GitHub's. */
const foreign = /^examples\/github\/mcp\/tools\/(?:issues-update|pulls-create-review)\.yaml$/;

function found(path: string): readonly string[] {
  // A phrase may go over the end of a line of a comment.
  const text = readFileSync(join(root, path), 'utf8').replaceAll(
    /\n([ \t]*(?:\/\/|\*|#|>)?[ \t]*)/g,
    (all: string) => `\n${' '.repeat(all.length - 1)}`,
  );
  const flat = text.replaceAll(/\s/g, one => (one === '\n' ? '\n' : ' '));
  return stumbles(flat).map(({ index, what }) => `${path}:${flat.slice(0, index).split('\n').length} ${what}`);
}

function stumbles(text: string): readonly { readonly index: number; readonly what: string }[] {
  return phrases.flatMap(({ phrase, say }) => {
    const loose = new RegExp(phrase.source.replaceAll(/(?<!\\) (?!\?)/g, '\\s+'), phrase.flags);
    return [...text.matchAll(loose)].map(({ index, 0: words }) => ({
      index,
      what: `"${words.replaceAll(/\s+/g, ' ')}": ${say}`,
    }));
  });
}

const files = execFileSync('git', ['ls-files', '--', ...read], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(path => path !== '' && !skipped.test(path) && !foreign.test(path));

describe('words in pages and sources', () => {
  it('no page or source has a phrase that a native reader stumbles over', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap(found)).toEqual([]);
  });
});

/** Ids of features and findings stand before the sentence. */
const ids = /^(?:(?:fix-)?[A-Z]\d+b?\s+)+/;
const helpers = 'is|are|was|were|be|has|have|had|do|does|did|can|cannot|may|must|will|would';
const isPredicate = new RegExp(
  `^(?:${helpers}|says|tells|keeps|takes|gives|gets|finds|shows|refuses|accepts|works)\\b`,
);

/** What surely is not a sentence; whether the rest are good ones is for readers to say. */
function faultsOf(title: string): readonly string[] {
  const sentence = title.replace(ids, '');
  const words = sentence.split(/\s+/);
  const couldBeVerb = new RegExp(`^(?:${helpers}|and)$|s[,:]?$`);
  return [
    ...(words.length < 3 ? ['it has fewer than three words'] : []),
    ...(isPredicate.test(sentence) || /^(?:and|or|but)\b/.test(sentence) ? ['its subject is missing'] : []),
    ...(words.some(word => couldBeVerb.test(word)) ? [] : ['it has no verb']),
    ...(sentence.includes('; ') ? ['it has two sentences: use a comma and "and", or two tests'] : []),
    ...stumbles(sentence).map(({ what }) => what),
  ];
}

describe('titles of tests', () => {
  it.each([
    ['unknown keys', ['it has fewer than three words']],
    ['works', ['it has fewer than three words', 'its subject is missing']],
    ['W5 unknown key in a tool', ['it has no verb']],
    ['and over HTTP', ['its subject is missing']],
    ['P11 is remembered with its result', ['its subject is missing']],
    ['a path that is no pack is told', ['"is no pack": is not a ...', '"is told": reported, said, shown']],
    ['W5 `check` reports an unknown key with its line', []],
    ['C6 `check` and `inspect` install nothing', []],
  ])('a title that is not a sentence is recognized: %s', (title, faults) => {
    expect(faultsOf(title)).toEqual(faults);
  });

  it('every title is a sentence with a subject, in words that a native reader would use', () => {
    const titles = listTestTitles();
    expect(titles.length).toBeGreaterThan(2000);
    expect(titles.flatMap(({ place, text }) => faultsOf(text).map(fault => `${place} "${text}": ${fault}`))).toEqual(
      [],
    );
  });
});
