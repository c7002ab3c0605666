// The site of docs/: what becomes of Markdown, and that a link which leads nowhere is found.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSlugger } from '../../schema/reference/slug.js';
// @ts-expect-error a script without types
import { findBrokenLinks as findBroken } from '../../scripts/site/check-links.mjs';
// @ts-expect-error a script without types
import { highlight as mark } from '../../scripts/site/highlight.mjs';
// @ts-expect-error a script without types
import { createMarkdown, readPage } from '../../scripts/site/read-page.mjs';
import { writeFiles } from '../harness/files.js';

const findBrokenLinks = findBroken as (folder: string) => readonly string[];
const highlight = mark as (text: string, language: string) => string;
const render = (text: string): string => (createMarkdown() as { render(text: string): string }).render(text);
const root = fileURLToPath(new URL('../..', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-site-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): string {
  const place = mkdtempSync(join(folder, 'site-'));
  writeFiles(place, files);
  return place;
}

describe('Markdown of the site', () => {
  it.each([
    ['Use {{tool:X}} here', '<p>Use {{tool:X}} here</p>'],
    ['The header Mcp-Param-<name>', '<p>The header Mcp-Param-&lt;name&gt;</p>'],
    ['The header Mcp-Param-\\<name>', '<p>The header Mcp-Param-&lt;name&gt;</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['before\n<!-- not run: reason -->\nafter', '<p>before</p>\n<p>after</p>'],
    ['<!-- one\ntwo -->\n\ntext', '<p>text</p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  ])('Q4 the text %j becomes HTML that shows it', (text, html) => {
    expect(render(text).trim()).toBe(html);
  });

  it('Q4 colours of code never change what the code says', () => {
    const texts = [
      'a: <b> # c & d\n"e": 1',
      'const a = `${b}` // <c>',
      "npx toolwright call 'x' # <y>",
      '{"a": [1, "<"]}',
    ];
    for (const text of texts) {
      for (const language of ['yaml', 'ts', 'sh', 'json', 'text', 'constructor', '']) {
        const shown = highlight(text, language).replaceAll(/<\/?span[^>]*>/g, '');
        expect(
          shown.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
        ).toBe(text);
      }
    }
  });

  it('Q4 headings of the same words have different anchors', () => {
    const { headings } = readPage('# A\n\n## B\n\n## B\n\n## `b`\n', createSlugger) as {
      headings: { anchor: string }[];
    };
    expect(headings.map(({ anchor }) => anchor)).toEqual(['a', 'b', 'b-1', 'b-2']);
  });
});

describe('links of a built site', () => {
  it('Q4 a link, an anchor, a script and a picture that lead nowhere are found', () => {
    const site = write({
      'index.html':
        '<a href="a/b.html#x">1</a><a href="a/b.html#y">2</a><a href="c.html">3</a><script src="s.js"></script><a href="https://example.com">4</a>',
      'a/b.html': '<h1 id="x">B</h1><a href="../index.html">5</a><img src="../p.png"><a href="#z">6</a>',
    });
    expect([...findBrokenLinks(site)].sort()).toEqual([
      'a/b.html: a/b.html has no #z',
      'a/b.html: there is no ../p.png',
      'index.html: a/b.html has no #y',
      'index.html: there is no c.html',
      'index.html: there is no s.js',
    ]);
  });

  it('Q4 the site has a page for every page of docs/, a menu by its list, and no address but relative ones', () => {
    const out = join(folder, 'out');
    const ran = spawnSync(process.execPath, ['scripts/docs-site.mjs', '--out', out], { cwd: root, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(path =>
      path.endsWith('.md'),
    );
    const made = new Set(readdirSync(out, { recursive: true, encoding: 'utf8' }));
    const expected = pages.map(path => path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
    expect(expected.filter(path => !made.has(path))).toEqual([]);
    const page = readFileSync(join(out, 'reference/tool.html'), 'utf8');
    expect(page).toContain('<li><a href="../reference/tool.html" aria-current="page">Tool</a></li>');
    expect(page).toContain('<h3 id="parametersnameminimum">');
    expect([...page.matchAll(/(?:href|src)="\//g)]).toEqual([]);
  }, 60_000);
});
