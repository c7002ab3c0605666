// The first file of a built server. In: what the build wrote behind it. Out: answers to what clients ask first, before anything else
// is loaded; then the rest of it. It is CommonJS, because Node 20 starts its ES module loader only when asked to.
import { readFileSync } from 'node:fs';
import type { Handshake } from '../../runtime/protocol/handshake.js';
import type { Output } from '../../runtime/serve/lines.js';
import { openStdioConnection, type StdioConnection } from '../../runtime/serve/stdio-connection.js';
import { hashDefinitions } from '../../runtime/server/stored/definitions-hash.js';
import { definitionsRoot, type ServerParts } from '../../runtime/server/stored/parts.js';
import { readHandshake } from '../../runtime/server/stored/stored-handshake.js';
import { leaveOut } from '../../runtime/server/stored/switches.js';
import { readList } from '../../schema/config-list.js';
import type { ConfigEntry } from '../../schema/definitions.js';
import { openConfigWords, type WordKeys } from '../start/config-words.js';
import type { OpenedCalls, openCalls } from './calls.js';
import type { main } from './main.js';
import type { openSdk } from './sdk.js';

export interface EntryData extends StaticData {
  /** The folder of everything else, beside this file. */
  readonly folder: string;
}

/** How the other files of a built server are loaded: those that are not literals in here are not there when this is bundled. */
export interface Loads {
  /** Of external definitions, as they are now. */
  hashDefinitions?(): string | undefined;
  handshake(): string;
  parts(): ServerParts;
  calls(): { readonly openCalls: typeof openCalls };
  main(): { readonly main: typeof main };
  sdk(): { readonly openSdk: typeof openSdk };
}

/** `here`: the folder of this file; `require` is its own. */
export function start(data: EntryData, here: string, require: NodeJS.Require): void {
  const folder = `${here}/${data.folder}`;
  const load = (name: string): unknown => require(`${folder}/runtime/${name}.cjs`);
  serve(data, {
    hashDefinitions: () => hashDefinitions(`${here}/${definitionsRoot}`),
    handshake: () => readFileSync(`${folder}/handshake`, 'utf8'),
    parts: () => require(`${folder}/parts.cjs`) as ServerParts,
    calls: () => load('calls') as ReturnType<Loads['calls']>,
    main: () => load('main') as ReturnType<Loads['main']>,
    sdk: () => load('sdk') as ReturnType<Loads['sdk']>,
  });
}

export function serve(data: StaticData, loads: Loads): void {
  const words = process.argv.slice(2);
  const isCurrent = (): boolean => data.definitions === undefined || data.definitions === loads.hashDefinitions?.();
  const { own, variables } = splitWords(data.words, words);
  const isStatic = mayStartStatic(data, own, { ...process.env, ...variables }) && isCurrent();
  const handshake = isStatic ? readAnswers(loads) : undefined;
  if (handshake === undefined) {
    serveFully(loads, words).catch(fail);
    return;
  }
  Object.assign(process.env, variables);
  serveStatic(loads, handshake);
}

async function serveFully(loads: Loads, words: readonly string[]): Promise<void> {
  process.exitCode = await loads.main().main(loads.parts(), words);
}

/** Undefined where settings of an install change more than a list of tools. */
function readAnswers(loads: Loads): Handshake | undefined {
  const stored = readHandshake(loads.handshake());
  const settings = process.env['TOOLWRIGHT_SETTINGS'] ?? '';
  return settings === '' ? stored : leaveOut(stored, stored.switches, settings);
}

function serveStatic(loads: Loads, answers: Handshake): void {
  let handshake = answers;
  let opened: OpenedCalls | undefined;
  const open = (): OpenedCalls => {
    if (opened !== undefined) return opened;
    opened = loads.calls().openCalls(loads.parts(), reason => connection.abandon(reason));
    opened.onChange((changed, change) => {
      handshake = changed;
      connection.announce(change);
    });
    return opened;
  };
  const connection: StdioConnection = openStdioConnection({
    input: process.stdin,
    output: outputOf(
      process.stdout,
      prepareWhenIdle([() => void loads.calls(), () => void open(), () => opened?.warm()]),
    ),
    handshake: () => handshake,
    loadCalls: async () => open().calls,
    loadSdk: async wire => {
      const { surface } = open();
      return loads.sdk().openSdk(surface, wire);
    },
    report: text => process.stderr.write(`toolwright: ${text}\n`),
  });
  // A person who starts it by hand would wait for it to say something (cli/start/serve-opened.ts says the same).
  if (process.stdin.isTTY === true && !process.argv.includes('--quiet'))
    process.stderr.write('toolwright: waiting for an MCP client on stdin; Ctrl+C ends\n');
  const stop = (): void => {
    // The second one does what it does to any process.
    for (const name of signals) process.removeListener(name, stop);
    void connection.close();
  };
  for (const name of signals) process.on(name, stop);
  connection.closed
    .then(async () => {
      await opened?.leave();
      process.exit(0);
    })
    .catch(fail);
}

/** Since the last answer; lists are asked for within a few milliseconds of the handshake. */
const idleMs = 15;

/**
 * A call will come sooner or later, and clients that have their lists leave the time to get ready for it. Step by step, so that
 * a caller that asks something meanwhile is answered between two of them. Gives what is to be said with every answer.
 */
function prepareWhenIdle(steps: readonly (() => void)[]): () => void {
  let next = 0;
  const take = (): void => {
    const step = steps[next];
    next += 1;
    try {
      step?.();
    } catch {
      // The call that needs it tries again, and tells why it cannot be.
      return;
    }
    if (next < steps.length) setImmediate(take);
  };
  let timer: NodeJS.Timeout | undefined;
  return () => {
    if (next > 0) return;
    timer ??= setTimeout(take, idleMs).unref();
    timer.refresh();
  };
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The real stdout, also after everybody else was sent to stderr. */
function outputOf(stdout: NodeJS.WriteStream, onWrite: () => void): Output {
  const write = stdout.write as (text: string, encoding: string, done?: () => void) => boolean;
  return {
    write(text, done) {
      onWrite();
      return write.call(stdout, text, 'utf8', done);
    },
    on: (event, listener) => stdout.on(event, listener),
  };
}

function fail(error: unknown): void {
  process.stderr.write(`toolwright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(70);
}

// In: what the build knows of a server, the words of its command line and its environment. Out: whether it may answer from its
// stored handshake before anything else is loaded. Where something could change an answer or stop the start, it may not.

interface StaticData {
  /** Code of the pack runs at start. */
  readonly startsWithCode: boolean;
  /** The server's own transport. */
  readonly isHttp: boolean;
  /** Of external definitions as they were built; a file more, less or changed, and the stored answers do not hold. */
  readonly definitions?: string;
  /** X2: variables that lists depend on; the stored answers are those without them. */
  readonly conditions: readonly string[];
  /** Variables of `config:` whose values may be wrong. */
  readonly config: readonly StaticConfig[];
  /** X3: keys that a command line can set; absent where there are none. */
  readonly words?: WordKeys;
  /** All keys: a file may have their values, and may be missing. */
  readonly keys?: readonly string[];
}

type StaticConfig = readonly [
  name: string,
  type: ConfigEntry['type'],
  allowed: readonly unknown[] | null,
  limits: Readonly<Record<string, unknown>>,
];

interface SplitWords {
  /** Those that set no configuration, and those that nobody understands. */
  readonly own: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

function splitWords(keys: WordKeys | undefined, words: readonly string[]): SplitWords {
  if (keys === undefined) return { own: words, variables: {} };
  const read = openConfigWords(keys);
  const own: string[] = [];
  let isPlain = false;
  for (let index = 0; index < words.length; ) {
    isPlain ||= words[index] === '--';
    const isOwn = !isPlain && harmlessFlags.has(words[index] ?? '');
    const taken = isOwn ? undefined : read.take(words, index);
    // Whatever is unclear is left to those who can explain it.
    if (!isOwn && (taken === undefined || 'problem' in taken)) return { own: words, variables: {} };
    if (isOwn) own.push(words[index] ?? '');
    index = taken !== undefined && 'next' in taken ? taken.next : index + 1;
  }
  return { own, variables: read.variables() };
}

/** What changes no answer. */
const harmlessFlags: ReadonlySet<string> = new Set(['--stdio', '--strict', '--quiet', '--no-initialize', '--no-color']);
/** These change lists, or may be wrong. */
const changingVariables = ['TOOLWRIGHT_OVERLAY', 'TOOLWRIGHT_OPTIONS', 'TOOLWRIGHT_STATE_KEY'] as const;

function mayStartStatic(
  { startsWithCode, isHttp, conditions, config, keys }: StaticData,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (startsWithCode && !words.includes('--no-initialize')) return false;
  if (isHttp && !words.includes('--stdio')) return false;
  if (!words.every(word => harmlessFlags.has(word))) return false;
  if (changingVariables.some(name => (env[name] ?? '') !== '')) return false;
  if (keys?.some(name => (env[`${name}_FILE`] ?? '') !== '')) return false;
  if (conditions.some(name => env[name] !== undefined)) return false;
  return config.every(one => surelyFits(env[one[0]], one));
}

/** Readings of numbers and flags that nobody doubts; the rest is judged, and explained, by the configuration itself. */
function surelyFits(text: string | undefined, [, type, allowed, limits]: StaticConfig): boolean {
  if (text === undefined) return true;
  if (type === 'array')
    return Object.keys(limits).length === 0 && readList(text)?.every(item => allowed?.includes(item) ?? true) === true;
  if (!Object.entries(limits).every(([keyword, limit]) => isWithin(keyword, Number(limit), text))) return false;
  if (allowed !== null) return type === 'string' && allowed.includes(text);
  switch (type) {
    case 'string':
      return true;
    case 'boolean':
      return text === 'true' || text === 'false';
    case 'integer':
      return /^\d{1,15}$/.test(text);
    case 'number':
      return /^\d{1,15}(\.\d{1,15})?$/.test(text);
    default:
      return type satisfies never;
  }
}

/** Limits that are one comparison; patterns, formats and the like need a validator. */
function isWithin(keyword: string, limit: number, text: string): boolean {
  switch (keyword) {
    case 'minimum':
      return Number(text) >= limit;
    case 'maximum':
      return Number(text) <= limit;
    case 'exclusiveMinimum':
      return Number(text) > limit;
    case 'exclusiveMaximum':
      return Number(text) < limit;
    case 'minLength':
      return [...text].length >= limit;
    case 'maxLength':
      return [...text].length <= limit;
    default:
      return false;
  }
}
