// toolwright call [server] <tool> [json]; a prompt or a resource in place of the tool is shown
import { pathToFileURL } from 'node:url';
import { unfinishedKey } from '../../runtime/call/context/relay.js';
import { errorKey } from '../../runtime/call/failure.js';
import { messageOf } from '../../runtime/call/print-cause.js';
import { ProtocolError } from '../../runtime/call/protocol-error.js';
import { askUntilDone } from '../../runtime/protocol/questions.js';
import { printReport } from '../../runtime/serve/print-report.js';
import { installStdoutGuard } from '../../runtime/serve/stdout-guard.js';
import { answerQuestions } from '../../runtime/server/registry/answer-questions.js';
import { requestsOf } from '../../runtime/server/registry/invoke.js';
import type { Surface } from '../../runtime/surface/surface.js';
import { callKindOf } from '../../schema/backend/calls.js';
import { isMap } from '../../schema/document.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { findPackAround, workingFolder } from '../pack/pack-command.js';
import { applyEnvFiles } from '../start/env-file.js';
import { serverNames } from '../start/load-server.js';
import { openServer, type ServerFlags } from '../start/open-server.js';
import { talk } from '../start/opened-server.js';
import { type LastWords, listenForExit, surviveRejections } from '../start/unexpected-end.js';
import { createAskUser } from '../terminal/ask-user.js';
import { keepAuthorFrames } from '../terminal/author-frames.js';
import { UsageError } from '../terminal/usage-error.js';
import { readArguments, readWords } from './call-arguments.js';
import { type Answer, askWhichTool, findTarget, refuseTarget, type Target } from './call-target.js';
import { type PrintedResult, printResult } from './print-result.js';
import { saveContent } from './save-content.js';

export interface CallFlags extends ServerFlags {
  readonly arg: readonly string[];
  /** Where images, sounds and binary resources of the result go. */
  readonly save?: string;
  /** Shows what an item without code would do, and does not do it. */
  readonly dryRun?: boolean;
}

export async function call(words: readonly string[], flags: CallFlags): Promise<number> {
  const cwd = workingFolder(flags);
  if (words.length === 0) return await askWhichTool(flags);
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
  const target = findTarget(tool, served);
  if (target === undefined) return refuseTarget(tool, open, served);
  const { name } = target;
  if (target.kind === 'resource' && (json !== undefined || flags.arg.length > 0))
    throw new UsageError(`"${tool}" is a resource, which takes no arguments: they are part of its address`);
  if (flags.dryRun === true) refuseDryRun(target, surface);
  const args = readArguments(json, flags.arg, target.schema);
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
  const answer = await ask(surface, { target, args, stop, flags, isAsked: json === '-' });
  const { shown: result } = answer;
  await open.hosts.close();
  exit.stop();
  guard.restore();
  const isUnfinished = result._meta?.[unfinishedKey] === true;
  const code = stop.signal.aborted ? 130 : result.isError === true || isUnfinished ? 1 : 0;
  const details = reports.detailsOf(result);
  const isConfirmed = target.kind === 'tool' && surface.tool(name)?.tool.definition.confirm === true;
  const advice =
    isUnfinished && isConfirmed ? `toolwright: ${name} did not run; --arg confirmed=true agrees to it\n` : '';
  await write(stop.signal.aborted ? { stdout: '', stderr: 'cancelled\n' } : printed(answer, details + advice, flags));
  // An address cannot name a file.
  const saved = target.kind === 'resource' ? 'resource' : name;
  if (flags.save !== undefined && code === 0)
    process.stderr.write(saveContent(result, { cwd, typed: flags.save }, saved));
  // Whatever handlers left running must not keep the process alive.
  process.exit(code);
}

/** What a handler would do is known to nobody before it runs. */
function refuseDryRun({ kind, name }: Target, surface: Surface): void {
  const item =
    kind === 'tool'
      ? surface.tool(name)?.tool
      : kind === 'prompt'
        ? surface.prompt(name)?.prompt
        : surface.resource(name)?.resource;
  if (item === undefined || callKindOf({ ...item.definition }) !== undefined) return;
  const what = item.handler === undefined ? 'is only text' : 'has a handler, and a handler has to run';
  throw new UsageError(`--dry-run shows what an item without code would run: "${name}" ${what}`);
}

interface ToolCall {
  readonly target: Target;
  readonly args: Readonly<Record<string, unknown>>;
  readonly stop: AbortController;
  readonly flags: CallFlags;
  /** Stdin held the arguments, so that nobody can answer there. */
  readonly isAsked: boolean;
}

/** As a client in this folder, which can ask its user where there is a terminal. */
async function ask(surface: Surface, { target, args, stop, flags, isAsked }: ToolCall): Promise<Answer> {
  const { signal } = stop;
  const { name } = target;
  const isInteractive = !isAsked && process.stdin.isTTY === true && process.stderr.isTTY === true;
  const callbacks = {
    roots: [{ uri: pathToFileURL(workingFolder(flags)).href }],
    ...(isInteractive ? { elicit: createAskUser(signal) } : {}),
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
  const requests = requestsOf(surface, { tool: name, args, id: 1, signal, options });
  const open: typeof requests = (answers, state) =>
    Object.assign(requests(answers, state), flags.dryRun === true ? { isDryRun: true } : {});
  try {
    const { result } = await askUntilDone<{ readonly result: Answer }>(await target.send(args, open()), {
      ask: async asking => ({ answers: await answerQuestions(asking, callbacks, { tool: name, signal }) }),
      again: (answers, state) => target.send(args, open(answers, state)),
      tooMany(rounds) {
        throw new Error(`${name} asked more than ${rounds} times`);
      },
    });
    return result;
  } catch (error) {
    const text = error instanceof ProtocolError ? error.message : messageOf(error);
    const failed: CallToolResult = { content: [{ type: 'text', text }], isError: true };
    return { shown: failed, raw: failed };
  }
}

/** `details`: what is known of an error besides. */
function printed({ shown, raw }: Answer, details: string, flags: CallFlags): PrintedResult {
  if (flags.format === 'json') return { stdout: `${visibleJson(raw)}\n`, stderr: details };
  const { stdout, stderr } = printResult(shown, { isTerminal: process.stdout.isTTY === true });
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
