// `npm run docs:look`: the page of `toolwright docs --html` in a real Chromium at three widths: nothing runs over the edge, search and
// light and dark work. Installs Debian's Chromium where there is none; pictures go to node_modules/.cache/toolwright-docs.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { must, root } from './run.mjs';

const pictures = join(root, 'node_modules/.cache/toolwright-docs');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-look-'));
const page = join(folder, 'jira.html');
mkdirSync(pictures, { recursive: true });
must(process.execPath, [
  join(root, 'dist/cli/main.js'),
  'docs',
  join(root, 'examples/jira'),
  '--html',
  page,
  '--quiet',
]);

const browser = openBrowser(findChromium());
try {
  for (const width of [1280, 760, 390]) await look(width);
} finally {
  await browser.close();
  // Its children write for a while longer.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
console.log(`Pictures: ${pictures}`);

async function look(width) {
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (method, params = {}) => browser.send(method, params, sessionId);
  const evaluate = async expression => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result.value;
  };
  await send('Emulation.setDeviceMetricsOverride', { width, height: 1400, deviceScaleFactor: 1, mobile: width < 500 });
  await send('Page.enable');
  const loaded = browser.wait('Page.loadEventFired');
  await send('Page.navigate', { url: pathToFileURL(page).href });
  await loaded;
  expect(
    await evaluate('document.documentElement.scrollWidth <= innerWidth'),
    `nothing runs over the edge at ${width}`,
  );
  const all = await evaluate("document.querySelectorAll('.card').length");
  await evaluate("search.value = 'transition'; search.dispatchEvent(new Event('input'))");
  const shown = await evaluate(
    "[...document.querySelectorAll('.card')].filter(card => !card.hidden).map(card => card.id)",
  );
  expect(
    shown.length > 0 && shown.length < all && shown.includes('tool-transition-issue'),
    `search at ${width}: ${shown}`,
  );
  await evaluate("search.value = 'nothing has this'; search.dispatchEvent(new Event('input'))");
  expect(
    await evaluate("!document.getElementById('nothing').hidden"),
    `search says that nothing was found at ${width}`,
  );
  await evaluate("search.value = ''; search.dispatchEvent(new Event('input'))");
  const before = await evaluate('getComputedStyle(document.body).backgroundColor');
  await takePicture(send, `${width}-light.png`);
  await evaluate("document.getElementById('theme').click()");
  expect((await evaluate('getComputedStyle(document.body).backgroundColor')) !== before, `light and dark at ${width}`);
  await takePicture(send, `${width}-dark.png`);
}

async function takePicture(send, name) {
  const { data } = await send('Page.captureScreenshot', { format: 'png' });
  writeFileSync(join(pictures, name), Buffer.from(data, 'base64'));
}

function expect(isTrue, what) {
  console.log(`${isTrue ? 'ok    ' : 'FAILED'}  ${what}`);
  if (!isTrue) process.exitCode = 1;
}

function findChromium() {
  const found = () =>
    ['chromium', 'chromium-browser', 'google-chrome'].find(name => spawnSync(name, ['--version']).status === 0);
  if (found() === undefined) {
    console.error('Installing chromium ...');
    must('apt-get', ['update', '-qq']);
    must('apt-get', ['install', '-y', '-qq', 'chromium']);
  }
  return found();
}

/** Speaks the DevTools protocol over two pipes: messages are JSON that ends with a zero byte. */
function openBrowser(command) {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const more = ['--disable-component-update', '--disable-sync', `--user-data-dir=${join(folder, 'profile')}`];
  const child = spawn(command, [...flags, ...more, '--remote-debugging-pipe'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [input, output] = [child.stdio[3], child.stdio[4]];
  const waiting = new Map();
  const events = new Map();
  let next = 0;
  let rest = '';
  output.setEncoding('utf8').on('data', text => {
    const messages = (rest + text).split('\0');
    rest = messages.pop();
    for (const message of messages.map(one => JSON.parse(one))) {
      if (message.method !== undefined) events.get(message.method)?.(message.params);
      const { resolve, reject } = waiting.get(message.id) ?? {};
      waiting.delete(message.id);
      if (message.error === undefined) resolve?.(message.result);
      else reject?.(new Error(message.error.message));
    }
  });
  return {
    send(method, params, sessionId) {
      next += 1;
      const id = next;
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    wait: method => new Promise(resolve => events.set(method, resolve)),
    async close() {
      const closed = new Promise(resolve => child.once('exit', resolve));
      child.kill();
      await closed;
    },
  };
}
