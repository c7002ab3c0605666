// toolwright tasks [list|show|cancel] [id]
import { printReport } from '../../runtime/serve/print-report.js';
import { openFileStore } from '../../runtime/tasks/files/file-store.js';
import type { SeenTask } from '../../runtime/tasks/files/read-all.js';
import { visibleJson } from '../../schema/print/visible.js';
import { colors, findPackAround, type PackFlags, workingFolder } from '../pack/pack-command.js';
import { applyEnvFiles } from '../start/env-file.js';
import { type FoundTask, findTask, listTasks } from '../start/find-tasks.js';
import { UsageError } from '../terminal/usage-error.js';
import { dataOf, printTask, printTasks, statusOfSeen } from './print-tasks.js';

export interface TasksFlags extends PackFlags {
  /** Default: all servers of the pack. */
  readonly server?: string;
  /** Files of variables: TOOLWRIGHT_STATE_KEY may be in one. */
  readonly envFile?: readonly string[];
}

const actions = ['list', 'show', 'cancel'] as const;
type Action = (typeof actions)[number];

export async function tasks(typed: string | undefined, id: string | undefined, flags: TasksFlags): Promise<number> {
  const action = readAction(typed, id);
  const cwd = workingFolder(flags);
  applyEnvFiles({ folder: findPackAround(cwd), given: flags.envFile ?? [], cwd }, flags);
  if (action === 'list' || id === undefined) return await list(flags);
  const found = await findTask(id, flags.server, flags);
  return action === 'show' ? show(found, flags) : await cancel(found, flags);
}

function readAction(typed: string | undefined, id: string | undefined): Action {
  const action = actions.find(one => one === typed);
  if (typed !== undefined && action === undefined)
    throw new UsageError(
      `"${typed}" is neither list nor show nor cancel: did you mean toolwright tasks show ${typed}?`,
    );
  if (action === undefined || action === 'list') {
    if (id !== undefined)
      throw new UsageError('tasks list takes no id: for one task there is toolwright tasks show <id>');
    return 'list';
  }
  if (id === undefined)
    throw new UsageError(`tasks ${action} needs the id of a task: toolwright tasks lists them with their ids`);
  return action;
}

async function list(flags: TasksFlags): Promise<number> {
  const servers = await listTasks(flags.server, flags);
  const rows = servers.flatMap(({ server, tasks: seen }) => seen.map(one => ({ server, seen: one })));
  rows.sort((one, other) => (one.seen.record.id < other.seen.record.id ? 1 : -1));
  const now = Date.now();
  if (flags.format === 'json') process.stdout.write(`${visibleJson({ tasks: rows.map(one => dataOf(one)) })}\n`);
  else process.stdout.write(printTasks(rows, { now, paint: colors(flags), hasServers: servers.length > 1 }));
  if (flags.quiet) return 0;
  const sealed = servers.reduce((sum, one) => sum + one.sealed, 0);
  if (sealed > 0) printReport(`${sealed} more cannot be read: they were sealed with another TOOLWRIGHT_STATE_KEY`);
  if (servers.length > 0 && servers.every(({ place }) => place === undefined))
    printReport('this user has no home folder, and so no tasks that outlive their process');
  else if (rows.length === 0 && sealed === 0)
    printReport(
      emptyReason(
        flags,
        servers.map(({ server }) => server),
      ),
    );
  return 0;
}

function emptyReason({ server }: TasksFlags, names: readonly string[]): string {
  if (names.length === 0) return 'there are no tasks: the pack has no servers';
  const whose =
    server === undefined && names.length > 1 ? `the servers ${names.join(', ')}` : `the server ${names.join()}`;
  return `there are no tasks of ${whose}; toolwright start and toolwright call --task make some, dev and test keep theirs to themselves`;
}

function show({ server, seen }: FoundTask, flags: TasksFlags): number {
  process.stdout.write(
    flags.format === 'json'
      ? `${visibleJson(dataOf({ server, seen }, true))}\n`
      : printTask(
          { server, seen },
          { now: Date.now(), paint: colors(flags), isTerminal: process.stdout.isTTY === true },
        ),
  );
  return 0;
}

async function cancel({ server, place, seen }: FoundTask, flags: TasksFlags): Promise<number> {
  const { id, owner, end } = seen.record;
  if (end !== undefined) throw new UsageError(`the task ${id} is over already: it is ${statusOfSeen(seen)}`);
  const store = openFileStore(place);
  const record = await store.cancel({ id, owner });
  await store.close();
  const after: SeenTask = { record: record ?? seen.record, isRunning: false };
  if (flags.format === 'json') process.stdout.write(`${visibleJson(dataOf({ server, seen: after }, true))}\n`);
  else if (!flags.quiet) printReport(`the task ${id} is ${statusOfSeen(after)}`);
  // Its end may have come first.
  return after.record.end?.kind === 'cancelled' ? 0 : 1;
}
