// Owns the process of test/harness/command-process.mjs on behalf of a test, in a thread, so that the test can wait for it with or without
// its event loop. In: `{ words, cwd, env, timeout }`, `{}` to end it. Out: `{ status, stdout, stderr }`, or `{ problem }`.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

const { port, answered } = workerData;
const driver = join(import.meta.dirname, 'command-process.mjs');
const end = `\n${randomUUID()} `;
const ending = new RegExp(`${end}(\\d+) (\\d+)\\n$`);
/** How long a process may take to end once nobody can ask it for anything any more. */
const patience = 20_000;
let started;

function start(env) {
  const child = spawn(process.execPath, [driver, end], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const printed = { stdout: '', stderr: '' };
  const closed = new Promise(done => child.once('close', done));
  const host = { child, printed, closed, ended: undefined, check: () => undefined };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', text => {
      printed[name] += text;
      host.check();
    });
  // Where it cannot be asked any more: its end tells.
  child.on('error', () => undefined);
  void closed.then(code => {
    host.ended = { code };
    host.check();
  });
  return host;
}

async function run({ words, cwd, env, timeout }) {
  if (started?.ended !== undefined) throw new Error(`between two commands the process ended: ${left(started)}`);
  started ??= start(env);
  const { child, printed } = started;
  printed.stdout = '';
  printed.stderr = '';
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  child.send({ words, cwd, env });
  await new Promise(done => {
    started.check = () => {
      if (started.ended !== undefined || (ending.test(printed.stdout) && ending.test(printed.stderr))) done();
    };
  });
  clearTimeout(timer);
  // A command may end its process, or be ended. The next one gets another.
  if (started.ended !== undefined) {
    const { code } = started.ended;
    started = undefined;
    return { status: code, ...printed };
  }
  const [, code, kilobytes] = ending.exec(printed.stdout);
  const text = { stdout: printed.stdout.replace(ending, ''), stderr: printed.stderr.replace(ending, '') };
  return { status: Number(code), ...text, megabytes: Number(kilobytes) / 1024 };
}

function left({ ended, printed }) {
  return `exit code ${ended.code}\n${printed.stdout}${printed.stderr}`;
}

/** Commands that leave a timer or a socket behind would keep a process of their own from ending. */
async function close() {
  if (started === undefined) return {};
  const { child, closed, printed } = started;
  printed.stdout = '';
  printed.stderr = '';
  if (child.connected) child.send({});
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  await closed;
  clearTimeout(timer);
  if (started.ended.code !== 0) throw new Error(`the process did not end by itself: ${left(started)}`);
  return {};
}

port.on('message', async ({ isAwaited, ...request }) => {
  const isLast = request.words === undefined;
  const answer = await (isLast ? close() : run(request)).catch(error => ({ problem: error.message }));
  port.postMessage(answer);
  if (!isAwaited) {
    Atomics.store(answered, 0, 1);
    Atomics.notify(answered, 0);
  }
  if (isLast) port.close();
});
