// Every link of a page leads somewhere: to a file that exists, and to a heading that it has.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createSlugger } from '../../schema/reference/slug.js';
// @ts-expect-error a script without types
import { isForeign, readPage } from '../../scripts/site/read-page.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', 'docs', 'examples/*.md'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter(path => path.endsWith('.md') && !path.startsWith('test/') && existsSync(join(root, path)));

interface Link {
  readonly target: string;
  readonly line: number;
}
interface Page {
  readonly headings: readonly { readonly anchor: string }[];
  readonly links: readonly Link[];
}

const opened = new Map<string, Page>();
function open(path: string): Page {
  const known = opened.get(path) ?? (readPage(readFileSync(join(root, path), 'utf8'), createSlugger) as Page);
  opened.set(path, known);
  return known;
}

function problemOf(path: string, { target }: Link): string | undefined {
  if (isForeign(target)) return undefined;
  const [file = '', anchor] = decodeURI(target).split('#');
  const wanted = file === '' ? path : posix.normalize(posix.join(dirname(path), file));
  if (!existsSync(join(root, wanted))) return `there is no ${wanted}`;
  if (anchor === undefined || !wanted.endsWith('.md')) return undefined;
  return open(wanted).headings.some(one => one.anchor === anchor) ? undefined : `${wanted} has no heading #${anchor}`;
}

describe('links in pages', () => {
  it('Q4 every relative link and anchor of the pages leads somewhere', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/README.md', 'docs/reference/tool.md']));
    const links = pages.flatMap(path => open(path).links.map(link => ({ path, link })));
    expect(links.length).toBeGreaterThan(500);
    const broken = links.flatMap(({ path, link }) => {
      const problem = problemOf(path, link);
      return problem === undefined ? [] : [`${path}:${link.line} ${problem}`];
    });
    expect(broken).toEqual([]);
  });

  it('a link to a missing file or heading is found', () => {
    const page = readPage(
      '# A\n\n[one](nowhere.md)\n<!-- [two](x.md) -->\n[three](../README.md#no-such-heading)\n',
      createSlugger,
    ) as Page;
    expect(page.links.map(link => problemOf('docs/README.md', link))).toEqual([
      'there is no docs/nowhere.md',
      'README.md has no heading #no-such-heading',
    ]);
  });

  it('Q4 every page of the reference is in the list of pages', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
    const reference = pages.filter(path => path.startsWith('docs/reference/'));
    expect(reference.length).toBeGreaterThanOrEqual(13);
    expect(reference.filter(path => !index.includes(`(${path.slice('docs/'.length)})`))).toEqual([]);
  });
});
