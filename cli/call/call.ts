// toolwright call [server] <tool> [json]; a prompt or a resource in place of the tool is shown
import { unfinishedKey } from '../../runtime/call/context/relay.js';
import { taskPolicyOf } from '../../runtime/load/program.js';
import { printReport } from '../../runtime/serve/print-report.js';
import { installStdoutGuard } from '../../runtime/serve/stdout-guard.js';
import type { Surface } from '../../runtime/surface/surface.js';
import type { SeenTask } from '../../runtime/tasks/files/read-all.js';
import { callKindOf } from '../../schema/backend/calls.js';
import { findPackAround, workingFolder } from '../pack/pack-command.js';
import { applyEnvFiles } from '../start/env-file.js';
import type { FoundTask } from '../start/find-tasks.js';
import { keepTasks } from '../start/keep-tasks.js';
import { serverNames } from '../start/load-server.js';
import { type OpenSettings, openServer, type ServerFlags } from '../start/open-server.js';
import { talk } from '../start/opened-server.js';
import { taskPlace } from '../start/task-place.js';
import { type LastWords, listenForExit, surviveRejections } from '../start/unexpected-end.js';
import { keepAuthorFrames } from '../terminal/author-frames.js';
import { UsageError } from '../terminal/usage-error.js';
import { type CallWords, readArguments, readWords } from './call-arguments.js';
import { type Answer, askWhichTool, findTarget, refuseTarget, type Target } from './call-target.js';
import { holdReports } from './hold-reports.js';
import { openProgressLine, type ProgressLine } from './progress-line.js';
import type { TaskEnding } from './run-task.js';
import { type Caller, canAsk, failedAnswer, sendCall } from './send-call.js';
import { type TellFlags, tellEnding } from './tell-ending.js';

export interface CallFlags extends ServerFlags, Pick<TellFlags, 'save'> {
  readonly arg: readonly string[];
  /** Shows what an item without code would do, and does not do it. */
  readonly dryRun?: boolean;
  /** T1: starts the call as a task, and waits for it. */
  readonly task?: boolean;
  /** T1: the id of a task that was left. */
  readonly resume?: string;
}

export async function call(words: readonly string[], flags: CallFlags): Promise<number> {
  const cwd = workingFolder(flags);
  if (words.length === 0 && flags.resume === undefined) return await askWhichTool(flags);
  applyEnvFiles({ folder: findPackAround(cwd), given: flags.envFile ?? [], cwd }, flags);
  const typed = await readTyped(words, flags);
  const { server, tool, json, resumed } = typed;
  const over = resumed?.seen.record.end;
  // Its result is there: nothing has to run for it.
  if (over !== undefined) {
    const { answerOf } = await import('./run-task.js');
    return await tellEnding({ answer: answerOf(over) }, { details: '', name: tool, flags });
  }
  const line = openLine(flags);
  const reports = holdReports(text => aside(line, () => printReport(text)));
  const mine = new Set(resumed === undefined ? [] : [resumed.seen.record.id]);
  const tasks: OpenSettings['tasks'] = (folder, item) => keepTasks(folder, item, process.env, id => mine.has(id));
  const settings = { command: 'call', tool, showCauses: true, report: reports.report, tasks } as const;
  const opened = await openServer(server, flags, settings);
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
  const target = resumed === undefined ? findTarget(tool, served) : undefined;
  if (target === undefined && resumed === undefined) return refuseTarget(tool, open, served);
  const name = target?.name ?? tool;
  if (target?.kind === 'resource' && (json !== undefined || flags.arg.length > 0))
    throw new UsageError(`"${tool}" is a resource, which takes no arguments: they are part of its address`);
  const item = target?.kind === 'tool' ? surface.tool(name)?.tool : undefined;
  const policy = item && taskPolicyOf(item);
  if (flags.task === true && policy === undefined) refuseTask(name, target?.kind ?? 'tool');
  if (target !== undefined && flags.dryRun === true) refuseDryRun(target, surface);
  const args = readArguments(json, flags.arg, target?.schema ?? {});
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
  const caller: Caller = { signal: stop.signal, flags, isInteractive: canAsk(json === '-') };
  const isTask = resumed !== undefined || flags.task === true || (policy?.mode === 'required' && flags.dryRun !== true);
  const { tasks: openTasks } = surface;
  const ending: TaskEnding =
    isTask && openTasks !== undefined
      ? await waitForTask()
      : target === undefined
        ? { answer: failedAnswer(new Error(`the server has no tool "${tool}" that runs as a task any more`)) }
        : asEnding(await sendCall(surface, { ...caller, target, args, isDryRun: flags.dryRun === true }), stop.signal);
  await open.close();
  exit.stop();
  guard.restore();
  const isConfirmed = target?.kind === 'tool' && surface.tool(name)?.tool.definition.confirm === true;
  const advice =
    'answer' in ending && ending.answer.shown._meta?.[unfinishedKey] === true && isConfirmed
      ? `toolwright: ${name} did not run; --arg confirmed=true agrees to it\n`
      : '';
  const details = 'answer' in ending ? reports.detailsOf(ending.answer.shown) : '';
  // An address cannot name a file.
  const saved = target?.kind === 'resource' ? 'resource' : name;
  const code = await tellEnding(ending, { details: details + advice, name: saved, flags });
  // Whatever handlers left running must not keep the process alive.
  process.exit(code);

  async function waitForTask(): Promise<TaskEnding> {
    const { resumeTask, startTask } = await import('./run-task.js');
    if (resumed !== undefined && !(await mayResume(resumed.seen, surface)))
      return {
        left: resumed.seen.record.id,
        why: 'it was started with other variables or options: set the same ones as then',
      };
    const opened = await openTasks?.();
    if (opened === undefined) throw new Error('a server with tasks opens them');
    const runsHere = (): boolean => open.watchdog.names().length > 0;
    const isKept = taskPlace({ pack: '', server: '' }, process.env) !== undefined;
    const waiting = { ...caller, tasks: opened, line, runsHere, isKept };
    if (resumed !== undefined) {
      const { record } = resumed.seen;
      talk(flags, `waiting for the task ${record.id}`);
      return await resumeTask(surface, record, record.owner, waiting);
    }
    return await startTask(surface, {
      ...waiting,
      tool: name,
      args,
      onStart({ id }) {
        mine.add(id);
        aside(line, () => talk(flags, `the task ${id} has started`));
      },
    });
  }
}

interface Typed extends CallWords {
  readonly resumed?: FoundTask | undefined;
}

async function readTyped(words: readonly string[], flags: CallFlags): Promise<Typed> {
  const { resume, task, dryRun, arg } = flags;
  if (task === true && dryRun === true) throw new UsageError('--task and --dry-run exclude each other');
  if (resume === undefined) return readWords(words, () => serverNames(flags));
  if (task === true || dryRun === true || arg.length > 0 || words.length > 1)
    throw new UsageError('--resume goes on with a task that has its tool and its arguments: give only its id');
  const [server] = words;
  const { findTask } = await import('../start/find-tasks.js');
  const resumed = await findTask(resume, server, flags);
  return { server: server ?? resumed.server, tool: resumed.seen.record.tool, resumed };
}

/** Elsewhere it may run on; here it would be another call. */
async function mayResume({ record, isRunning }: SeenTask, surface: Surface): Promise<boolean> {
  const { digestsOf } = await import('../../runtime/tasks/digest.js');
  const served = surface.tool(record.tool);
  return isRunning || served === undefined || digestsOf(served).settings === record.settings;
}

function refuseTask(name: string, kind: Target['kind']): never {
  const what =
    kind === 'tool' ? `"${name}" does not run as a task` : `"${name}" is a ${kind}, and only tools run as tasks`;
  const hint = kind === 'tool' ? '; write "task: optional" into its definition' : '';
  throw new UsageError(`${what}${hint}`);
}

function openLine(flags: CallFlags): ProgressLine {
  return openProgressLine({
    isTerminal: process.stderr.isTTY === true,
    isQuiet: flags.quiet === true,
    columns: process.stderr.columns,
    write: text => void process.stderr.write(text),
  });
}

function aside(line: ProgressLine, write: () => void): void {
  const show = line.hold();
  write();
  show();
}

function asEnding(answer: Answer, signal: AbortSignal): TaskEnding {
  return signal.aborted ? { cancelled: true } : { answer };
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
