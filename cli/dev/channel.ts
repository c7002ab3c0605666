// In: an environment. Out: a process that runs handlers, with the channel to it; what it prints comes out as lines.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../runtime/load/own-package.js';
import { readLines } from '../../runtime/packs/child-output.js';
import type { FromWorker } from '../../runtime/server/dev/messages.js';
import type { Channel, Exit } from '../../runtime/server/dev/remote-server.js';

export interface Workers {
  /** One that waits for its order. */
  take(): Channel;
  close(): void;
}

/** Until nothing else wants the processor. */
const reserveMs = 150;

/**
 * Keeps one process in reserve, which has started and loaded everything but the pack: a change is served twice as soon.
 *
 * @example const workers = openWorkers(process.env, line => console.error(line));
 */
export function openWorkers(env: NodeJS.ProcessEnv, onLine: (line: string) => void): Workers {
  let reserve: Channel | undefined;
  let timer: NodeJS.Timeout | undefined;
  const prepare = (): void => {
    const made = startWorker(env, onLine);
    reserve = made;
    made.onExit(() => {
      if (reserve === made) reserve = undefined;
    });
  };
  return {
    take() {
      const taken = reserve ?? startWorker(env, onLine);
      reserve = undefined;
      clearTimeout(timer);
      timer = setTimeout(prepare, reserveMs);
      return taken;
    },
    close() {
      clearTimeout(timer);
      reserve?.kill();
    },
  };
}

/** Of a process and not of a thread: handlers may end it, change its folder or environment, or load native code. */
function startWorker(env: NodeJS.ProcessEnv, onLine: (line: string) => void): Channel {
  const command = fileURLToPath(packageFile('dist/cli/main.js'));
  const child = fork(command, ['dev-worker'], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
  const exited = exitOf(child);
  for (const stream of [child.stdout, child.stderr]) if (stream !== null) readLines(stream, onLine);
  return {
    send(message) {
      // It may have ended a moment ago, which `onExit` tells.
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: listen => void child.on('message', message => listen(message as FromWorker)),
    onExit: listen => void exited.then(listen),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Everything that it printed and sent has arrived by then. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise(resolve => {
    child.on('error', () => resolve({ code: null, signal: null }));
    child.on('exit', (code, signal) => {
      // A process that it started may keep its pipes open for ever.
      const late = setTimeout(() => resolve({ code, signal }), 200);
      child.on('close', () => {
        clearTimeout(late);
        resolve({ code, signal });
      });
    });
  });
}
