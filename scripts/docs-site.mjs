// `npm run docs`: docs/ as a static site in site/, which works from file://, below any path and without a network. Navigation is the list
// in docs/README.md. `--out <dir>` writes elsewhere, `--check` into a folder that is removed again, `--base /path/` is where the site will
// be served, for the page of addresses that do not exist. Fails where a link leads nowhere.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve as resolvePath } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { loadSources } from './reference/sources.mjs';
import { root } from './run.mjs';
import { findBrokenLinks } from './site/check-links.mjs';
import { highlight } from './site/highlight.mjs';
import { printNotFound, printPage } from './site/print-page.mjs';
import { createMarkdown, isForeign, readPage, textOf } from './site/read-page.mjs';
import { options } from './site/search-options.mjs';

const { values } = parseArgs({
  options: { out: { type: 'string' }, check: { type: 'boolean' }, base: { type: 'string', default: '' } },
});
const out = values.check ? mkdtempSync(join(tmpdir(), 'toolwright-site-')) : resolvePath(root, values.out ?? 'site');
const { createSlugger } = await loadSources();
const markdown = createMarkdown({ highlight });
markdown.renderer.rules.table_open = () => '<div class="wide"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';

try {
  await makeSite();
} finally {
  if (values.check) rmSync(out, { recursive: true, force: true });
}

async function makeSite() {
  if (!values.check) rmSync(out, { recursive: true, force: true });
  const paths = listPages();
  const pages = new Map(paths.map(path => [path, { path, file: fileOf(path), ...open(path) }]));
  const sections = readSections(pages);
  const order = [pages.get('docs/README.md'), ...sections.flatMap(one => one.pages)].map(({ file, title }) => ({
    file,
    title,
  }));
  const images = new Set();
  for (const page of pages.values()) {
    const at = order.findIndex(({ file }) => file === page.file);
    const home = '../'.repeat(page.file.split('/').length - 1);
    const body = printBody(page, { pages, home, images });
    const [before, after] = at < 0 ? [] : [order[at - 1], order[at + 1]];
    write(page.file, printPage({ ...page, body, home, sections, before, after }));
  }
  write('404.html', printNotFound(values.base));
  for (const path of images) copy(path, siteFile(path));
  copy('scripts/site/client.js', 'client.js');
  write('style.css', `${readPalette()}\n${readFileSync(join(root, 'scripts/site/style.css'), 'utf8')}`);
  const index = makeIndex([...pages.values()]);
  await bundleSearch(index);
  const broken = findBrokenLinks(out);
  for (const one of broken) console.error(one);
  if (broken.length > 0) process.exitCode = 1;
  else
    console.log(
      `${pages.size} pages in ${relative(process.cwd(), out) || '.'}: open ${join(relative(process.cwd(), out), 'index.html')}`,
    );
}

/** All of docs/, and the pages of the project itself. */
function listPages() {
  const inside = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map(path => `docs/${path.replaceAll('\\', '/')}`)
    .filter(path => path.endsWith('.md'));
  const around = readdirSync(root).filter(name => name.endsWith('.md'));
  return [...inside, ...around].sort();
}

function open(path) {
  return readPage(readFileSync(join(root, path), 'utf8'), createSlugger, markdown);
}

/** `docs/guides/http.md` -> `guides/http.html`; what is not below docs/ goes to project/. */
function siteFile(path) {
  return path.startsWith('docs/') ? path.slice('docs/'.length) : `project/${path}`;
}

function fileOf(path) {
  return siteFile(path)
    .replace(/(^|\/)README\.md$/, (_, slash) => (path === 'README.md' ? `${slash}readme.html` : `${slash}index.html`))
    .replace(/\.md$/, '.html');
}

/** The headings of docs/README.md and the pages that it lists below each. */
function readSections(pages) {
  const { tokens, headings } = pages.get('docs/README.md');
  const sections = [];
  for (const token of tokens) {
    const heading = headings.find(one => one.token === token);
    if (heading?.level === 2) sections.push({ title: heading.text, pages: [] });
    if (token.type !== 'inline' || sections.length === 0) continue;
    for (const [index, child] of token.children.entries()) {
      const page = pages.get(resolve('docs/README.md', child.attrGet('href') ?? ''));
      const isListed = sections.some(one => one.pages.some(({ file }) => file === page?.file));
      // The list has short names, which fit a menu.
      const title = token.children[index + 1]?.content;
      if (page !== undefined && !isListed) sections.at(-1).pages.push({ file: page.file, title });
    }
  }
  return sections;
}

function resolve(from, target) {
  return posix.normalize(posix.join(posix.dirname(from), target.split('#')[0]));
}

function printBody({ path, tokens, headings, links }, { pages, home, images }) {
  for (const { token, anchor, level } of headings) {
    token.attrSet('id', anchor);
    if (level === 1) continue;
    const inline = tokens[tokens.indexOf(token) + 1];
    inline.children.push(anchorToken(anchor));
  }
  for (const { target, token } of links) {
    if (isForeign(target) || target.startsWith('#')) continue;
    const [, hash = ''] = /(#.*)$/.exec(target) ?? [];
    const wanted = resolve(path, target);
    // A folder with a page of its own.
    const page = pages.get(wanted) ?? pages.get(posix.join(wanted, 'README.md'));
    if (page !== undefined) token.attrSet('href', `${home}${page.file}${hash}`);
    else if (token.type === 'image') {
      images.add(wanted);
      token.attrSet('src', `${home}${siteFile(wanted)}`);
    } else leaveInRepository(token, wanted);
  }
  return markdown.renderer.render(tokens, { ...markdown.options, langPrefix: 'language-' }, {});
}

/** Files that the site does not have are only named. */
function leaveInRepository(token, path) {
  if (!existsSync(join(root, path))) return;
  token.tag = 'span';
  token.attrs = [
    ['class', 'repository'],
    ['title', `${path} in the repository`],
  ];
}

function anchorToken(anchor) {
  return {
    type: 'html_inline',
    content: `<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`,
    children: null,
    attrGet: () => null,
  };
}

/** The lines of the template of `toolwright docs --html` that set colours. */
function readPalette() {
  const lines = readFileSync(join(root, 'templates/docs-page.html.hbs'), 'utf8').split('\n');
  return lines.filter(line => /^:root|^@media \(prefers-color-scheme/.test(line)).join('\n');
}

/** A document per heading, so that a search leads to the place. */
function makeIndex(pages) {
  const index = new MiniSearch(options);
  let id = 0;
  for (const { path, file, title, tokens, headings } of pages) {
    // Decisions and the changelog are for those who work on Toolwright.
    if (!path.startsWith('docs/') || path.startsWith('docs/decisions/')) continue;
    let here = { title, page: title, url: file, text: '' };
    const add = () => {
      id += 1;
      index.add({ id, ...here, excerpt: here.text.slice(0, 140) });
    };
    for (const [at, token] of tokens.entries()) {
      const heading = headings.find(one => one.token === token);
      if (heading !== undefined && heading.level > 1) {
        add();
        here = { title: heading.text, page: title, url: `${file}#${heading.anchor}`, text: '' };
      }
      const isHeading = tokens[at - 1]?.type === 'heading_open';
      if (token.type === 'inline' && !isHeading) here.text += `${textOf(token)} `;
      if (token.type === 'fence') here.text += `${token.content} `;
    }
    add();
  }
  return JSON.stringify(index);
}

async function bundleSearch(index) {
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/site/search.js'],
    bundle: true,
    minify: true,
    format: 'iife',
    outfile: join(out, 'search.js'),
    logLevel: 'warning',
    plugins: [
      {
        name: 'docs-index',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^docs-index$/ }, ({ path }) => ({ path, namespace: 'docs' }));
          onLoad({ filter: /./, namespace: 'docs' }, () => ({ contents: index, loader: 'json' }));
        },
      },
    ],
  });
}

function write(file, text) {
  const path = join(out, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copy(path, file) {
  if (!existsSync(join(root, path)) || !statSync(join(root, path)).isFile()) return;
  mkdirSync(dirname(join(out, file)), { recursive: true });
  copyFileSync(join(root, path), join(out, file));
}
