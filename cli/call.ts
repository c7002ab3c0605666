// toolwright call [server] <tool> [json]
import { pathToFileURL } from 'node:url';
import { messageOf } from '../runtime/call/print-cause.js';
import { ProtocolProblem } from '../runtime/call/protocol-problem.js';
import type { Program } from '../runtime/load/program.js';
import { askUntilDone } from '../runtime/protocol/questions.js';
import { answerQuestions } from '../runtime/registry/answer-questions.js';
import { requestsOf } from '../runtime/registry/invoke.js';
import { printReport } from '../runtime/serve/print-report.js';
import { installStdoutGuard } from '../runtime/serve/stdout-guard.js';
import type { Surface } from '../runtime/surface/surface.js';
import { didYouMean } from '../schema/nearest.js';
import { visibleJson } from '../schema/print/visible.js';
import type { CallToolResult } from '../schema/support/mcp/content.js';
import { createAskUser } from './ask-user.js';
import { keepAuthorFrames } from './author-frames.js';
import { readArguments, readWords } from './call-arguments.js';
import { holdReports } from './call-reports.js';
import { serverNames } from './load-server.js';
import { type OpenServerPack, openServer, type ServerFlags } from './open-server.js';
import { type Served, talk } from './opened-server.js';
import { workingFolder } from './pack-command.js';
import { type PrintedResult, printResult } from './print-result.js';
import { surviveRejections } from './survive.js';
import { UsageError } from './usage-error.js';

export interface CallFlags extends ServerFlags {
  readonly arg: readonly string[];
}

export async function call(words: readonly string[], flags: CallFlags): Promise<number> {
  const { server, tool, json } = readWords(words, () => serverNames(flags));
  const reports = holdReports();
  const opened = await openServer(server, flags, { command: 'call', showCauses: true, report: reports.report });
  if ('exit' in opened) return opened.exit;
  const { open } = opened;
  surviveRejections(open, text => printReport(keepAuthorFrames(text)));
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
  const result = await callTool(surface, { name, args, stop, flags, isAsked: json === '-' });
  await open.hosts.close();
  guard.restore();
  const code = stop.signal.aborted ? 130 : result.isError === true ? 1 : 0;
  const details = reports.detailsOf(result);
  await write(stop.signal.aborted ? { stdout: '', stderr: 'cancelled\n' } : printed(result, details, flags));
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

function isCalled(typed: string, item: string, { pack }: Program): boolean {
  return item === typed || `${pack.name}/${item}` === typed;
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
