// In: a page that was read, and where it stands among the others. Out: its HTML.

import { escapeHtml } from './read-page.mjs';

/** `home` leads from the page to the root of the site, so that the site works from any folder. */
export function printPage({ title, body, home, file, sections, headings, before, after }) {
  const menu = sections.map(
    ({ title: name, pages }) =>
      `<h2>${escapeHtml(name)}</h2>\n<ul>\n${pages.map(one => printLink(one, { home, file })).join('\n')}\n</ul>`,
  );
  const inner = headings.filter(({ level }) => level === 2);
  const contents = inner.map(({ text, anchor }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`).join('\n');
  const around = [
    before === undefined
      ? ''
      : `<a href="${home}${before.file}"><small>Previous</small>${escapeHtml(before.title)}</a>`,
    after === undefined
      ? ''
      : `<a class="next" href="${home}${after.file}"><small>Next</small>${escapeHtml(after.title)}</a>`,
  ].join('');
  return frame({
    title,
    home,
    body: `<div class="columns">
<nav id="menu" aria-label="Pages">
${menu.join('\n')}
</nav>
<main>
${body}
${around === '' ? '' : `<nav class="around" aria-label="Pages before and after">${around}</nav>`}
</main>
<nav class="contents" aria-label="On this page">
${contents === '' ? '' : `<h2>On this page</h2>\n<ul>\n${contents}\n</ul>`}
</nav>
</div>`,
  });
}

function printLink({ title, file: target }, { home, file }) {
  const current = target === file ? ' aria-current="page"' : '';
  return `<li><a href="${home}${target}"${current}>${escapeHtml(title)}</a></li>`;
}

/** Shown at any address: its links need the whole path of the site. */
export function printNotFound(base) {
  return frame({
    title: 'Page not found',
    home: base,
    body: `<div class="columns"><nav id="menu"></nav><main>
<h1>Page not found</h1>
<p>There is no page at this address. Search above, or start at the <a href="${base}index.html">list of all pages</a>.</p>
</main></div>`,
  });
}

function frame({ title, home, body }) {
  return `<!doctype html>
<html lang="en" data-home="${home}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}${title === 'Toolwright' ? '' : ' - Toolwright'}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${home}style.css">
<script>try { const theme = localStorage.getItem('theme'); if (theme) document.documentElement.dataset.theme = theme; } catch {}</script>
</head>
<body>
<header>
<button id="open-menu" type="button" aria-label="Menu">☰</button>
<a class="name" href="${home}index.html">Toolwright</a>
<div class="find">
<input type="search" id="search" placeholder="Search (press /)" aria-label="Search" autocomplete="off">
<div id="results" hidden></div>
</div>
<button id="theme" type="button" aria-label="Light or dark">◐</button>
</header>
${body}
<script src="${home}client.js"></script>
</body>
</html>
`;
}
