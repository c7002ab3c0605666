// A real Chromium, for scripts that look at pages. Debian's is installed where there is none.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { must } from './run.mjs';

export function findChromium() {
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
export function openBrowser(command, profile) {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const more = ['--disable-component-update', '--disable-sync', `--user-data-dir=${profile}`];
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
    /** Every event of the kind, until another listens to it. */
    on: (method, listen) => events.set(method, listen),
    async close() {
      const closed = new Promise(resolve => child.once('exit', resolve));
      child.kill();
      await closed;
    },
  };
}

/** A page at a width, with what it complains about. */
export async function openTab(browser, { url, width, height = 1400 }) {
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (method, params = {}) => browser.send(method, params, sessionId);
  const evaluate = async expression => {
    const answer = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails !== undefined) throw new Error(`${expression}: ${answer.exceptionDetails.text}`);
    return answer.result.value;
  };
  const complaints = [];
  browser.on('Runtime.exceptionThrown', ({ exceptionDetails }) => complaints.push(exceptionDetails.text));
  browser.on('Log.entryAdded', ({ entry }) => entry.level === 'error' && complaints.push(entry.text));
  browser.on('Runtime.consoleAPICalled', ({ type, args }) => type === 'error' && complaints.push(args[0]?.value));
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 });
  const visit = async address => {
    const loaded = browser.wait('Page.loadEventFired');
    await send('Page.navigate', { url: address });
    await loaded;
  };
  await visit(url);
  const takePicture = async file => {
    const { data } = await send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(file, Buffer.from(data, 'base64'));
  };
  const close = () => browser.send('Target.closeTarget', { targetId });
  return { evaluate, visit, complaints, takePicture, close };
}
