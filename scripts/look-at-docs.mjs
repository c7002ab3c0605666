// `npm run docs:look`: the page of `toolwright docs --html` and the site of `npm run docs` in a real Chromium at three widths: nothing runs
// over the edge, search, light and dark work, nothing is complained about. Installs Debian's Chromium where there is none; pictures go to
// node_modules/.cache/toolwright-docs.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium, openBrowser, openTab } from './browser.mjs';
import { must, root } from './run.mjs';

const pictures = join(root, 'node_modules/.cache/toolwright-docs');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-look-'));
const page = join(folder, 'jira.html');
const site = join(folder, 'any', 'path');
mkdirSync(pictures, { recursive: true });
const fits = 'document.documentElement.scrollWidth <= innerWidth';
const { execPath: node } = process;
must(node, [join(root, 'dist/cli/main.js'), 'docs', join(root, 'examples/jira'), '--html', page, '--quiet']);
must(node, [join(root, 'scripts/docs-site.mjs'), '--out', site]);

const browser = openBrowser(findChromium(), join(folder, 'profile'));
try {
  for (const width of [1280, 760, 390]) {
    await look(width);
    await lookAtSite(width);
  }
} finally {
  await browser.close();
  // Its children write for a while longer.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
console.log(`Pictures: ${pictures}`);

async function look(width) {
  const { evaluate, takePicture, complaints, close } = await openTab(browser, { url: pathToFileURL(page).href, width });
  expect(await evaluate(fits), `nothing runs over the edge at ${width}`);
  const all = await evaluate("document.querySelectorAll('.card').length");
  await evaluate(type('transition'));
  const shown = await evaluate(
    "[...document.querySelectorAll('.card')].filter(card => !card.hidden).map(card => card.id)",
  );
  expect(
    shown.length > 0 && shown.length < all && shown.includes('tool-transition-issue'),
    `search at ${width}: ${shown}`,
  );
  await evaluate(type('nothing has this'));
  expect(
    await evaluate("!document.getElementById('nothing').hidden"),
    `search says that nothing was found at ${width}`,
  );
  await evaluate(type(''));
  await lookAtColours({ evaluate, takePicture }, `${width}`);
  expect(complaints.length === 0, `no complaints at ${width} ${complaints}`);
  await close();
}

/** The site: a page of prose, a long one of the reference, the page of no page. */
async function lookAtSite(width) {
  const at = file => pathToFileURL(join(site, file)).href;
  const { evaluate, visit, takePicture, complaints, close } = await openTab(browser, { url: at('index.html'), width });
  for (const file of [
    'index.html',
    'reference/tool.html',
    'reference/commands.html',
    'reference/api.html',
    '404.html',
  ]) {
    await visit(at(file));
    expect(await evaluate(fits), `nothing of the site's ${file} runs over the edge at ${width}`);
    expect(await evaluate('scrollY === 0'), `the site's ${file} begins at its top at ${width}`);
  }
  await visit(at('reference/tool.html'));
  expect(await evaluate("document.body.textContent.includes('{{tool:item}}')"), `{{tool:item}} is shown at ${width}`);
  expect(await evaluate("document.body.textContent.includes('Mcp-Param-<name>')"), `<name> is shown at ${width}`);
  await evaluate(`search.focus(); ${type('whenToUse')}`);
  await evaluate(until("results.querySelector('a')"));
  const first = await evaluate("results.querySelector('a').href");
  expect(first.endsWith('reference/tool.html#guidelineswhentouse'), `search finds a key at ${width}: ${first}`);
  await evaluate(type('http.port'));
  await evaluate(until("results.querySelector('a')?.href.includes('server.html')"));
  await takePicture(join(pictures, `site-${width}-search.png`));
  const port = await evaluate("results.querySelector('a').href");
  await visit(port);
  expect(
    await evaluate("document.getElementById('httpport').getBoundingClientRect().top < innerHeight"),
    `search leads to ${port}`,
  );
  if (width < 700) {
    await evaluate("document.getElementById('open-menu').click()");
    expect(await evaluate("getComputedStyle(menu).display === 'block'"), `the menu opens at ${width}`);
    await takePicture(join(pictures, `site-${width}-menu.png`));
  }
  await visit(at('reference/tool.html'));
  await lookAtColours({ evaluate, takePicture }, `site-${width}`);
  await visit(at('index.html'));
  expect(
    await evaluate("document.documentElement.dataset.theme === 'dark'"),
    `the next page is dark, too, at ${width}`,
  );
  await takePicture(join(pictures, `site-${width}-index.png`));
  await evaluate("localStorage.removeItem('theme')");
  expect(complaints.length === 0, `no complaints of the site at ${width} ${complaints}`);
  await close();
}

async function lookAtColours({ evaluate, takePicture }, name) {
  const background = 'getComputedStyle(document.body).backgroundColor';
  const before = await evaluate(background);
  await takePicture(join(pictures, `${name}-light.png`));
  await evaluate("document.getElementById('theme').click()");
  expect((await evaluate(background)) !== before, `light and dark at ${name}`);
  await takePicture(join(pictures, `${name}-dark.png`));
}

function type(words) {
  return `search.value = ${JSON.stringify(words)}; search.dispatchEvent(new Event('input'))`;
}

/** Waits in the page, for some seconds at most. */
function until(condition) {
  return `(async () => { for (let left = 200; left > 0 && !(${condition}); left -= 1) await new Promise(go => setTimeout(go, 25)); })()`;
}

function expect(isTrue, what) {
  console.log(`${isTrue ? 'ok    ' : 'FAILED'}  ${what}`);
  if (!isTrue) process.exitCode = 1;
}
