// Pages for users are short, say why a command is not run, name commands that exist, and can be found.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differenceOf } from '../harness/docs/compare-output.js';
import { listGuides, listPages, root } from '../harness/docs/pages.js';
import { readPage } from '../harness/docs/read-page.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const fence = '```';

describe('pages for users', () => {
  it('Q4 a guide has at most 900 words of prose', () => {
    const long = listGuides().map(path => ({ path, words: readPage(read(path)).words }));
    expect(long.length).toBeGreaterThan(30);
    expect(long.filter(({ words }) => words > 900)).toEqual([]);
  });

  it('every command of a page is run, or says why it is not', () => {
    const problems = listPages().flatMap(path => readPage(read(path)).problems.map(problem => `${path}: ${problem}`));
    expect(problems).toEqual([]);
    // Whoever adds a command that no test runs sees it here.
    const skipped = listPages().flatMap(path => readPage(read(path)).skipped.map(({ reason }) => `${path}: ${reason}`));
    expect(skipped).toEqual([
      'README.md: these two run in a clone of the repository, not in a pack; CI runs both',
      'docs/start/editor.md: they go in the start-up files of four shells; the tests of `completion` try them in real shells',
      'docs/start/install.md: needs a clone of the repository',
      'docs/start/install.md: real pnpm, yarn and bun are tried by the tests of `init`',
      'docs/guides/clients.md: needs Claude Code',
      'docs/guides/deploying.md: needs systemd',
      'docs/guides/deploying.md: needs Docker',
      'docs/guides/deploying.md: needs an account',
    ]);
  });

  it('every guide begins with a heading and says what to do when it fails', () => {
    const guides = listGuides().filter(path => path.startsWith('docs/guides/'));
    const poor = guides.filter(path => !/^# \S/.test(read(path)) || !/^## When |^## The pack$/m.test(read(path)));
    expect(poor).toEqual([]);
  });

  it('commands that a page mentions exist, with their options', () => {
    const sections = read('docs/reference/commands.md').split(/^## /m).slice(1);
    const options = new Map(
      sections.map(section => [
        /^[\w-]+/.exec(section)?.[0] ?? '',
        new Set([...(section.match(/--?[a-z][\w-]*/g) ?? []), '--help', '--version']),
      ]),
    );
    expect(options.size).toBeGreaterThan(20);
    const wrong = listPages().flatMap(path => {
      const mentions = read(path).matchAll(/(?:`|npx |^|&& )toolwright ((?:--?)?[a-z][\w-]*)([^`\n#]*)/gm);
      return [...mentions].flatMap(([text, command = '', rest = '']) => {
        if (command.startsWith('-') || !/[`]|npx |&& |^toolwright/.test(text)) return [];
        const known = options.get(command);
        if (known === undefined) return [`${path}: ${text.trim()}`];
        const used = rest.split(/ -- |&&|\|/)[0]?.match(/(?<=\s)--?[a-z][\w-]*/g) ?? [];
        return used.filter(option => !known.has(option)).map(option => `${path}: ${command} ${option}`);
      });
    });
    expect(wrong).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('docs/README.md links to every page for users', () => {
    const tree = read('docs/README.md');
    expect(
      listPages().filter(path => path !== 'README.md' && !tree.includes(`](${path.slice('docs/'.length)})`)),
    ).toEqual([]);
  });
});

describe('the reader of pages', () => {
  it('a mark without a reason and commands that no test would run are problems', () => {
    const page = readPage(
      [
        '<!-- not run: -->',
        `${fence}sh`,
        'docker run x',
        fence,
        `${fence}bash`,
        'ls',
        fence,
        `${fence}`,
        '$ npx toolwright check',
        fence,
        `${fence}text`,
        'output of nothing',
        fence,
        '<!-- skip: later -->',
        `${fence}sh`,
        'ls',
        fence,
      ].join('\n'),
    );
    expect(page.problems).toEqual([
      'line 1: the mark "not run" needs a reason',
      'line 5: commands that no test runs: use an "sh" block, or say <!-- not run: why -->',
      'line 8: commands that no test runs: use an "sh" block, or say <!-- not run: why -->',
      'line 11: a "text" block without commands before it',
      'line 14: unknown mark "skip"',
    ]);
  });

  it('files, commands over several lines and output are told apart', () => {
    const page = readPage(
      [
        'Some words of prose.',
        `${fence}yaml`,
        '# mcp/tools/x.yaml',
        'description: X',
        fence,
        '`package.json`:',
        '',
        `${fence}json`,
        '{}',
        fence,
        '<!-- exit: 1 -->',
        '<!-- first: touch a -->',
        `${fence}sh`,
        'ls \\',
        '  -l',
        '# a comment',
        'false',
        fence,
        `${fence}text`,
        'a',
        fence,
      ].join('\n'),
    );
    expect(page.problems).toEqual([]);
    expect(page.words).toBe(5);
    expect(page.steps).toMatchObject([
      { kind: 'write', path: 'mcp/tools/x.yaml', text: '# mcp/tools/x.yaml\ndescription: X\n' },
      { kind: 'write', path: 'package.json', text: '{}\n' },
      {
        kind: 'run',
        commands: [
          { text: 'touch a', line: 12 },
          { text: 'ls \\\n  -l', line: 14 },
          { text: 'false', line: 17 },
        ],
        exit: 1,
        shown: 'a\n',
      },
    ]);
  });

  it.each([
    { shown: 'a\nb', printed: 'a\nb', same: true },
    { shown: 'a', printed: 'a\nb', same: false },
    { shown: 'a\nc', printed: 'a\nb', same: false },
    { shown: '...\nb', printed: 'a\nb', same: true },
    { shown: '...\nb\n...', printed: 'a\nb\nb\nc', same: true },
    { shown: 'begins ...', printed: 'begins and goes on', same: true },
    { shown: 'done in 3 ms', printed: 'done in 1200 ms', same: true },
    { shown: '3 tools', printed: '4 tools', same: false },
  ])('output "$printed" is compared with "$shown"', ({ shown, printed, same }) => {
    expect(differenceOf(shown, printed) === undefined).toBe(same);
  });
});
