// The crash trial of tasks. In: how many, over how many processes. Out: what was seen of them, by those who have their handles and by a file that
// the tool itself writes. Processes are killed and stopped at random, lines torn, disks full, clocks moved.
import { type ChildProcess, fork } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { openFileStore } from '../../../runtime/tasks/files/file-store.js';
import { makeRandom } from '../../harness/random.js';
import type { Order, Report } from './worker.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const leaseMs = 1000;
const atOnce = 60;
const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

export interface Trial {
  /** Of tasks whose handle was received. */
  readonly handles: number;
  /** Every end that anybody saw, by task. */
  readonly ends: ReadonlyMap<string, ReadonlySet<string>>;
  /** Lines of the tool: what, task, step, attempt, process. */
  readonly lines: readonly Line[];
  readonly counts: Readonly<Record<'kills' | 'stops' | 'torn' | 'full' | 'jumps' | 'refused' | 'lost', number>>;
  readonly seconds: number;
}

export interface Line {
  readonly what: string;
  readonly id: string;
  readonly step: number;
  readonly attempt: number;
  readonly pid: number;
}

export async function runTrial({
  tasks,
  processes,
  seed,
}: Record<'tasks' | 'processes' | 'seed', number>): Promise<Trial> {
  const random = makeRandom(seed);
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-crash-')));
  const [folder, oracle] = [join(home, 'tasks'), join(home, 'oracle')];
  const program = await bundle();
  const counts = { kills: 0, stops: 0, torn: 0, full: 0, jumps: 0, refused: 0, lost: 0 };
  const handles = new Map<string, number>();
  const ends = new Map<string, Set<string>>();
  const workers: Worker[] = [];
  const started = performance.now();
  let next = 0;
  let disturbed = 0;

  const isOver = (id: string): boolean => (ends.get(id)?.size ?? 0) > 0;
  const open = (): string[] => [...handles.keys()].filter(id => !isOver(id));

  class Worker {
    readonly child: ChildProcess;
    readonly asked = new Set<number>();
    isReady = false;
    isStopped = false;
    isFull = false;

    constructor() {
      this.child = fork(program, [folder, oracle, String(leaseMs)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      this.child.on('message', message => this.#hear(message as Report));
    }

    #hear(heard: Report): void {
      if ('ready' in heard) this.isReady = true;
      else if ('handle' in heard) {
        this.asked.delete(heard.n);
        handles.set(heard.handle, heard.n);
      } else if ('refused' in heard) {
        this.asked.delete(heard.refused);
        counts.refused += 1;
        if (!heard.why.includes('disk is full')) throw new Error(`a call was refused: ${heard.why}`);
      } else for (const one of heard.seen) this.#see(one);
    }

    #see({ id, isAsking, end }: { id: string; isAsking: boolean; end: string | undefined }): void {
      if (end !== undefined) ends.set(id, (ends.get(id) ?? new Set()).add(end));
      else if (isAsking) this.tell({ answer: id });
    }

    tell(order: Order): void {
      if (this.child.connected) this.child.send(order, () => undefined);
    }

    async end(): Promise<void> {
      const ended = new Promise(resolve => this.child.once('exit', resolve));
      this.child.kill('SIGKILL');
      await ended;
      counts.lost += this.asked.size;
    }
  }

  /** A line in the journals of the dead, as if they had died while they wrote. */
  function tear(pid: number | undefined): void {
    const begun = readLines(oracle).filter(line => line.pid === pid && line.what === 'begun' && !isOver(line.id));
    for (const { id, attempt } of begun) {
      const path = join(folder, 'runs', `${id}.${attempt}`);
      if (!existsSync(path)) continue;
      appendFileSync(
        path,
        ['{"at":1,"key":"step 2","kept":[', '\0\0\0\0\0', '{"at":1,"key":"step 1","kept":[7]}'][random.below(3)] ?? '',
      );
      counts.torn += 1;
    }
  }

  /** Whether it did. */
  async function disturb(): Promise<0 | 1> {
    const index = random.below(workers.length);
    const worker = workers[index];
    if (worker === undefined || !worker.isReady || worker.isStopped) return 0;
    // Each kind in turn, in short trials, too.
    const what = (disturbed * 7) % 10;
    if (what < 4) {
      counts.kills += 1;
      await worker.end();
      tear(worker.child.pid);
      workers[index] = new Worker();
    } else if (what < 6) {
      counts.stops += 1;
      worker.isStopped = true;
      worker.child.kill('SIGSTOP');
      setTimeout(
        () => {
          worker.child.kill('SIGCONT');
          worker.isStopped = false;
        },
        random.below(leaseMs * 3),
      );
    } else if (what < 8) {
      counts.full += 1;
      worker.tell({ full: true });
      setTimeout(() => worker.tell({ full: false }), random.below(300));
    } else {
      counts.jumps += 1;
      // Many leases, but less than tasks live: a task that is accepted by a clock that is wrong by more has expired for all others.
      worker.tell({ jumpMs: (random.below(50) - 25) * 60_000 });
      setTimeout(() => worker.tell({ jumpMs: 0 }), random.below(5000));
    }
    return 1;
  }

  try {
    for (let index = 0; index < processes; index += 1) workers.push(new Worker());
    const deadline = performance.now() + 60_000 + tasks * 400;
    for (let round = 0; handles.size < tasks || open().length > 0; round += 1) {
      if (performance.now() > deadline)
        throw new Error(`not over in time: ${handles.size} handles, of which ${open().length} are open`);
      const waiting = workers.reduce((sum, { asked }) => sum + asked.size, 0);
      const ready = workers.filter(({ isReady, isStopped }) => isReady && !isStopped);
      for (let free = atOnce - open().length - waiting; free > 0 && handles.size + waiting < tasks; free -= processes) {
        for (const worker of ready) {
          next += 1;
          worker.asked.add(next);
          worker.tell({ start: next });
        }
      }
      const ids = open();
      for (const worker of ready) worker.tell({ get: ids });
      const [id] = ids;
      if (round % 5 === 0 && id !== undefined && (handles.get(id) ?? 0) % 11 === 0) ready[0]?.tell({ cancel: id });
      // On a slow machine, too, something must end between two disturbances; and the last tasks may end in peace.
      const seconds = (performance.now() - started) / 1000;
      if (handles.size < tasks && disturbed < (handles.size - open().length) / 3 + seconds * 5) {
        disturbed += await disturb();
      }
      await sleep(50);
    }
    await lookAgain();
    return {
      handles: handles.size,
      ends,
      lines: readLines(oracle),
      counts,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    for (const worker of workers) await worker.end();
    rmSync(home, { recursive: true, force: true });
    rmSync(dirname(program), { recursive: true, force: true });
  }

  /** Everybody, and one that has seen nothing yet, says the same of every task; and those that nobody knows of end, too. */
  async function lookAgain(): Promise<void> {
    const store = openFileStore({ folder });
    const late = performance.now() + 60_000;
    for (;;) {
      const all = await store.list('alice', undefined, Number.POSITIVE_INFINITY);
      // Nobody answers what a task asks of whose handle nobody knows.
      const working = all.filter(task => task.end === undefined && task.open.length === 0);
      if (working.length === 0) break;
      if (performance.now() > late) throw new Error(`nobody works at ${working.map(({ id }) => id).join(' ')}`);
      await sleep(100);
    }
    await store.close();
    await sleep(leaseMs * 3);
    workers.push(new Worker());
    while (workers.some(({ isReady }) => !isReady)) await sleep(20);
    const seen = workers.map(
      worker =>
        new Promise<void>(resolve => worker.child.on('message', heard => 'seen' in (heard as object) && resolve())),
    );
    for (const worker of workers) worker.tell({ get: [...handles.keys()] });
    await Promise.all(seen);
  }
}

async function bundle(): Promise<string> {
  const folder = join(root, 'node_modules/.cache/toolwright', `crash-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, 'worker.mjs');
  const entry = join(root, 'test/slow/tasks/worker.ts');
  await build({
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external', logLevel: 'warning' },
    ...{ absWorkingDir: root, entryPoints: [entry], outfile },
  });
  return outfile;
}

function readLines(path: string): Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const [what = '', id = '', step, attempt, pid] = line.split(' ');
      return { what, id, step: Number(step), attempt: Number(attempt), pid: Number(pid) };
    });
}

export interface Judged {
  /** What must not be. */
  readonly wrong: readonly string[];
  /** An effect that nobody had written down when its process was killed, stopped or overtaken, and that was done again. */
  readonly repeatedUnkept: number;
  /** An effect of a run that was overtaken between its look and the effect: another had kept the same already. */
  readonly overtaken: number;
}

/** Compares what the tool did with what was seen. */
export function judge({ lines, ends }: Pick<Trial, 'lines' | 'ends'>): Judged {
  const wrong: string[] = [];
  let [repeatedUnkept, overtaken] = [0, 0];
  for (const [id, seen] of ends) {
    if (seen.size !== 1 || seen.has('UNKNOWN')) wrong.push(`${id} ended as ${[...seen].join(' and ')}`);
    const [end = '{}'] = seen;
    const { kind } = JSON.parse(end === 'UNKNOWN' ? '{}' : end) as { kind?: string };
    if (kind !== 'result' && kind !== 'cancelled') wrong.push(`${id} ended as ${end}`);
  }
  const finished = new Map<string, number>();
  const keptIn = new Map<string, number>();
  const done = new Set<string>();
  for (const { what, id, step, attempt } of lines) {
    const key = `${id} ${step}`;
    if (what === 'finished') finished.set(id, (finished.get(id) ?? 0) + 1);
    if (what === 'kept') keptIn.set(key, Math.min(keptIn.get(key) ?? attempt, attempt));
    if (what !== 'effect') continue;
    const kept = keptIn.get(key);
    if (kept !== undefined && attempt > kept)
      wrong.push(`${key} was kept in run ${kept}, and done again in run ${attempt}`);
    else if (kept !== undefined) overtaken += 1;
    else if (done.has(key)) repeatedUnkept += 1;
    done.add(key);
  }
  for (const [id, times] of finished) if (times > 1) wrong.push(`${id} was finished ${times} times`);
  return { wrong, repeatedUnkept, overtaken };
}
