// toolwright call [server] <tool> [json]
import { pathToFileURL } from 'node:url';
import { unfinishedKey } from '../../runtime/call/context/relay.js';
import { errorKey } from '../../runtime/call/failure.js';
import { messageOf } from '../../runtime/call/print-cause.js';
import { ProtocolProblem } from '../../runtime/call/protocol-problem.js';
import { askUntilDone } from '../../runtime/protocol/questions.js';
import { printReport } from '../../runtime/serve/print-report.js';
import { installStdoutGuard } from '../../runtime/serve/stdout-guard.js';
import { answerQuestions } from '../../runtime/server/registry/answer-questions.js';
import { requestsOf } from '../../runtime/server/registry/invoke.js';
import type { Surface } from '../../runtime/surface/surface.js';
import { isMap } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { findPackAround, workingFolder } from '../pack/pack-command.js';
import { isCalled } from '../start/choose-server.js';
import { applyEnvFiles } from '../start/env-file.js';
import { serverNames } from '../start/load-server.js';
import { type OpenServerPack, openServer, type ServerFlags } from '../start/open-server.js';
import { type Served, talk } from '../start/opened-server.js';
import { type LastWords, listenForExit, surviveRejections } from '../start/unexpected-end.js';
import { createAskUser } from '../terminal/ask-user.js';
import { keepAuthorFrames } from '../terminal/author-frames.js';
import { UsageError } from '../terminal/usage-error.js';
import { readArguments, readWords } from './call-arguments.js';
import { type PrintedResult, printResult } from './print-result.js';
import { saveContent } from './save-content.js';

export interface CallFlags extends ServerFlags {
  readonly arg: readonly string[];
  /** Where images, sounds and binary resources of the result go. */
  readonly save?: string;
}

export async function call(words: readonly string[], flags: CallFlags): Promise<number> {
  const cwd = workingFolder(flags);
  applyEnvFiles({ folder: findPackAround(cwd), given: flags.envFile ?? [], cwd }, flags);
  const { server, tool, json } = readWords(words, () => serverNames(flags));
  const reports = holdReports();
  const opened = await openServer(server, flags, { command: 'call', tool, showCauses: true, report: reports.report });
  if ('exit' in opened) return opened.exit;
  const { open } = opened;
  let exit: LastWords | undefined;
  surviveRejections(
    open,
    text => printReport(keepAuthorFrames(text)),
    () => exit?.abandon(),
  );
  // Here before anything runs, so that a wrong name runs nothing.
  const served = open.resolve();
  if (served === undefined) return 1;
  const { surface } = served;
  const name = findTool(tool, served);
  if (name === undefined) return refuse(tool, open, served);
  const args = readArguments(json, flags.arg, surface.tool(name)?.tool.inputSchema ?? {});
  // What handlers print is not the result.
  const guard = installStdoutGuard();
  if ((await open.start()) === undefined) process.exit(1);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  open.watchdog.arm({ hasStdin: false, graceMs: 1000, signals: ['SIGINT'] });
  // A handler that ends the process would end it without a word, and perhaps as if all was well.
  exit = listenForExit({
    names: open.watchdog.names,
    abandon() {
      process.exitCode = Number(process.exitCode) || 1;
    },
    report: text => printReport(open.hosts.redact(text)),
    ends: 'the call',
  });
  const result = await callTool(surface, { name, args, stop, flags, isAsked: json === '-' });
  await open.hosts.close();
  exit.stop();
  guard.restore();
  const isUnfinished = result._meta?.[unfinishedKey] === true;
  const code = stop.signal.aborted ? 130 : result.isError === true || isUnfinished ? 1 : 0;
  const details = reports.detailsOf(result);
  const isConfirmed = surface.tool(name)?.tool.definition.confirm === true;
  const advice =
    isUnfinished && isConfirmed ? `toolwright: ${name} did not run; --arg confirmed=true agrees to it\n` : '';
  await write(stop.signal.aborted ? { stdout: '', stderr: 'cancelled\n' } : printed(result, details + advice, flags));
  if (flags.save !== undefined && code === 0)
    process.stderr.write(saveContent(result, { cwd, typed: flags.save }, name));
  // Whatever handlers left running must not keep the process alive.
  process.exit(code);
}

/** By wire name, as clients know it, by item name, as the author does, or by the qualified name of another pack's item. */
function findTool(typed: string, { composed, surface }: Served): string | undefined {
  if (surface.tool(typed) !== undefined) return typed;
  const { tools, pack } = composed;
  const isNamed = (one: (typeof tools)[number]): boolean =>
    surface.tool(one.name) !== undefined && isCalled(typed, one.item.item, one.pack.program);
  const found = tools.filter(isNamed).sort((a, b) => Number(b.pack === pack) - Number(a.pack === pack));
  return found[0]?.name;
}

/** Broken tools are listed by the server and no part of the program; what is wrong with them has been reported. */
function refuse(typed: string, { server, pack: { program } }: OpenServerPack, { composed, surface }: Served): number {
  const own = server.tools.flatMap(one => (one.from === 'own' ? [one.item] : []));
  const listed = own.find(item => isCalled(typed, item, program));
  if (listed !== undefined && !program.tools.some(({ item }) => item === listed)) {
    process.stderr.write(`toolwright: the tool "${listed}" is broken, as shown above\n`);
    return 1;
  }
  const names = composed.tools.flatMap(({ name }) => (surface.tool(name) === undefined ? [] : [name]));
  const hint = didYouMean(typed, names);
  const list = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  throw new UsageError(
    `the server "${server.item}" has no tool "${typed}"${hint === undefined ? '' : `: ${hint}`} (${list})`,
  );
}

interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly stop: AbortController;
  readonly flags: CallFlags;
  /** Stdin held the arguments, so that nobody can answer there. */
  readonly isAsked: boolean;
}

/** As a client in this folder, which can ask its user where there is a terminal. */
async function callTool(surface: Surface, { name, args, stop, flags, isAsked }: ToolCall): Promise<CallToolResult> {
  const { signal } = stop;
  const isInteractive = !isAsked && process.stdin.isTTY === true && process.stderr.isTTY === true;
  const callbacks = {
    roots: [{ uri: pathToFileURL(workingFolder(flags)).href }],
    ...(isInteractive ? { elicit: createAskUser(signal, () => stop.abort()) } : {}),
  };
  const options = {
    ...callbacks,
    onLog: ({ level, message, data }: { level: string; message: string; data?: unknown }) =>
      talk(flags, `${level}: ${message}${data === undefined ? '' : ` ${JSON.stringify(data)}`}`),
    onProgress: ({
      done,
      total,
      message = '',
    }: {
      done: number;
      total?: number | undefined;
      message?: string | undefined;
    }) => talk(flags, `${done}${total === undefined ? '' : ` of ${total}`} ${message}`.trimEnd()),
  };
  const open = requestsOf(surface, { tool: name, args, id: 1, signal, options });
  try {
    const { result } = await askUntilDone<{ readonly result: CallToolResult }>(
      await surface.callTool(name, args, open()),
      {
        ask: async asking => ({ answers: await answerQuestions(asking, callbacks, { tool: name, signal }) }),
        again: (answers, state) => surface.callTool(name, args, open(answers, state)),
        tooMany(rounds) {
          throw new Error(`${name} asked more than ${rounds} times`);
        },
      },
    );
    return result;
  } catch (error) {
    const text = error instanceof ProtocolProblem ? error.message : messageOf(error);
    return { content: [{ type: 'text', text }], isError: true };
  }
}

/** `details`: what is known of an error besides. */
function printed(result: CallToolResult, details: string, flags: CallFlags): PrintedResult {
  if (flags.format === 'json') return { stdout: `${visibleJson(result)}\n`, stderr: details };
  const { stdout, stderr } = printResult(result, { isTerminal: process.stdout.isTTY === true });
  return { stdout, stderr: stderr + details };
}

/** Settles when all of it has left the process. */
async function write({ stdout, stderr }: PrintedResult): Promise<void> {
  await Promise.all([
    new Promise(done => process.stdout.write(stdout, done)),
    new Promise(done => process.stderr.write(stderr, done)),
  ]);
}

interface CallReports {
  report(text: string): void;
  /** What the last report knows of an error besides its message, in lines; any other report is printed. */
  detailsOf(result: CallToolResult): string;
}

/** The last report is held back, since it may be of the failure that is the result. */
function holdReports(print: (text: string) => void = printReport): CallReports {
  let held: string | undefined;
  const flush = (): void => {
    if (held !== undefined) print(held);
    held = undefined;
  };
  // A handler may end the process.
  process.once('exit', flush);
  return {
    report(text) {
      flush();
      held = text;
    },
    detailsOf(result) {
      const error = result.isError === true ? result._meta?.[errorKey] : undefined;
      const details = held === undefined || !isMap(error) ? undefined : findDetails(held, error);
      if (details === undefined) flush();
      held = undefined;
      return details ?? '';
    },
  };
}

/** Undefined where the report is of something else. */
function findDetails(report: string, error: Readonly<Record<string, unknown>>): string | undefined {
  const message = String(error['message']);
  const [id] = /^.*? failed \([0-9a-f]{8}\)/.exec(message) ?? [];
  const isOfIt = id === undefined ? report.includes(`: ${String(error['code'])}: ${message}\n`) : report.startsWith(id);
  if (!isOfIt) return undefined;
  const [, ...lines] = report.slice(id === undefined ? report.indexOf(message) + message.length : 0).split('\n');
  // The stack of an error begins with its message, which may have several lines; causes that it names are reported.
  const isTold = (line: string): boolean =>
    !/^\s+at |^(?:caused by|with) /.test(line) || message.includes(line.replace(/^(?:caused by|with) /, ''));
  return lines
    .filter(line => !isTold(line))
    .map(line => `  ${visible(line)}\n`)
    .join('');
}
