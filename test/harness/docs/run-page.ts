// Does what a page of the docs says, in a folder of its own. In: the page as `readPage` gives it. Out: nothing, or an error that names the
// line of the page. Commands see a home folder of the page, a shell that remembers `cd` and `export`, and ports that nobody else has.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { differenceOf, plainOutput } from './compare-output.js';
import type { Command, Page, RunStep } from './read-page.js';

export interface PageWorld {
  /** The home folder of the page. */
  readonly home: string;
  /** Where its commands begin. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What `npm install toolwright` installs. */
  readonly tarball: string;
}

/** How long a command may take before it counts as stuck; a page whose commands are all right never waits for this. */
const patience = 120_000;

export async function runPage(page: Page, world: PageWorld): Promise<void> {
  const ports = await choosePorts(page);
  const shell = openShell(world, ports);
  try {
    for (const step of page.steps) {
      if (step.kind === 'write') {
        const path = join(shell.folder(), step.path);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, ports.forUse(step.text));
        continue;
      }
      await runStep(step, shell, ports, world);
    }
  } finally {
    await shell.close();
  }
}

async function runStep(step: RunStep, shell: Shell, ports: Ports, world: PageWorld): Promise<void> {
  const runs: Run[] = [];
  const printed = (): string =>
    plainOutput(ports.forPage(runs.map(({ output }) => output()).join('')), { home: world.home });
  for (const [index, command] of step.commands.entries()) {
    const run = await shell.run(command);
    runs.push(run);
    const wanted = index === step.commands.length - 1 ? step.exit : 0;
    if (run.status !== undefined && run.status !== wanted)
      throw new Error(`line ${command.line}: ${command.text}\nended with ${run.status}, not ${wanted}\n${printed()}`);
  }
  if (step.shown === undefined) return;
  // A server that stays may not have said everything yet.
  for (let tries = 0; tries < 100 && differenceOf(step.shown, printed()) !== undefined; tries += 1) {
    if (!runs.some(({ status }) => status === undefined)) break;
    await sleep(100);
  }
  const difference = differenceOf(step.shown, printed());
  if (difference !== undefined)
    throw new Error(
      `line ${step.line}: the output is not as the page shows it\n${difference}\nAll of it:\n${printed()}`,
    );
}

interface Ports {
  forUse(text: string): string;
  forPage(text: string): string;
}

/** Pages name ports as readers would; several run at once, so each of them gets free ones. */
async function choosePorts(page: Page): Promise<Ports> {
  const texts = page.steps.map(step =>
    step.kind === 'write' ? step.text : step.commands.map(({ text }) => text).join('\n'),
  );
  const named = texts.join('\n').matchAll(/(?:localhost:|127\.0\.0\.1:|--http |--port |port: |PORT=)(\d{4,5})\b/g);
  const numbers = new Set(['3000', ...[...named].map(([, port = '']) => port)]);
  const chosen = new Map<string, string>();
  for (const port of numbers) chosen.set(port, await freePort());
  const swap = (text: string, pairs: readonly (readonly [string, string])[]): string =>
    pairs.reduce((all, [from, to]) => all.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to), text);
  const back = [...chosen].map(([port, free]) => [free, port] as const);
  return {
    forUse: text => swap(text, [...chosen]).replaceAll(/--http(?! \d)/g, `--http ${chosen.get('3000')}`),
    forPage: text => swap(text, back),
  };
}

function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(String(typeof address === 'object' ? address?.port : '')));
    });
  });
}

interface Run {
  /** Undefined: it serves, and goes on. */
  readonly status: number | undefined;
  output(): string;
}

interface Shell {
  folder(): string;
  run(command: Command): Promise<Run>;
  close(): Promise<void>;
}

/** Each command is a process; where the one before it ended, and what it exported, is kept in files. */
function openShell({ home, cwd, env, tarball }: PageWorld, ports: Ports): Shell {
  const state = join(home, '.page-state');
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'cwd'), `${cwd}\n`);
  writeFileSync(join(state, 'exports'), '');
  const serving: { readonly child: ChildProcess; readonly isServer: boolean }[] = [];
  const end = async (which: (one: { readonly isServer: boolean }) => boolean): Promise<void> => {
    for (const one of serving.filter(which)) {
      serving.splice(serving.indexOf(one), 1);
      const { pid, exitCode, signalCode } = one.child;
      if (pid === undefined || exitCode !== null || signalCode !== null) continue;
      const ended = new Promise(done => one.child.once('exit', done));
      process.kill(-pid, 'SIGTERM');
      await Promise.race([ended, sleep(5000, undefined, { ref: false })]);
    }
  };
  const script = (command: string): string =>
    [
      `. ${quoted(join(state, 'exports'))}`,
      `cd "$(cat ${quoted(join(state, 'cwd'))})"`,
      // What npx does for a program that is installed, without the half second that npm takes to find it.
      'npx() { if [ -x "node_modules/.bin/$1" ]; then "$PWD/node_modules/.bin/$1" "${@:2}"; else command npx "$@"; fi; }',
      command,
      'status=$?',
      `pwd > ${quoted(join(state, 'cwd'))}`,
      `export -p > ${quoted(join(state, 'exports'))}`,
      'exit $status',
    ].join('\n');
  return {
    folder: () => readFileSync(join(state, 'cwd'), 'utf8').trim(),
    async run({ text, line }) {
      const typed = ports.forUse(text.replaceAll(/\bnpm install toolwright\b/g, installFrom(tarball)));
      // A reader ends one server before starting the next.
      const isServer = /\btoolwright (?:start|dev)\b|\bnode \S+ --http\b|\bnpm (?:start|run dev)\b/.test(text);
      if (isServer) await end(one => one.isServer);
      const child = spawn('bash', ['-c', script(typed)], {
        cwd,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      const take = (piece: string): void => {
        output += piece;
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const isServing = (): void => {
          if (/listens on http:|serving .* (?:on|at) http:/.test(output)) resolve(undefined);
        };
        child.stdout.on('data', isServing);
        child.stderr.on('data', isServing);
        child.once('error', reject);
        child.once('close', code => resolve(code ?? 1));
        const stuck = setTimeout(() => {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
          reject(new Error(`line ${line}: ${text}\ndid not end, and serves nothing\n${output}`));
        }, patience);
        child.once('close', () => clearTimeout(stuck));
        stuck.unref();
      });
      if (status === undefined) serving.push({ child, isServer });
      return { status, output: () => output };
    },
    close: () => end(() => true),
  };
}

/** `npm install toolwright`, before it is published: package.json says afterwards what it would say then. */
export function installFrom(tarball: string): string {
  const [, version = ''] = /-(\d[^/]*)\.tgz$/.exec(tarball) ?? [];
  return `{ npm install ${quoted(tarball)} && npm pkg set dependencies.toolwright=^${version}; }`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
