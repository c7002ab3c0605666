// In: tasks of servers, as a store has them. Out: a table or a page for people, and the same as data for programs.
import type { SeenTask } from '../../runtime/tasks/files/read-all.js';
import { statusOf, type TaskStatus } from '../../runtime/tasks/status.js';
import { toTask } from '../../runtime/tasks/to-task.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { printResult } from '../call/print-result.js';
import type { Paint } from '../pack/pack-command.js';

export interface TaskRow {
  /** As the pack calls it. */
  readonly server: string;
  readonly seen: SeenTask;
}

/** `waiting`: no process works at it, and the next that serves its server will. */
export type SeenStatus = TaskStatus | 'waiting';

export function statusOfSeen({ record, isRunning }: SeenTask): SeenStatus {
  const status = statusOf(toTask(record));
  return status === 'working' && !isRunning ? 'waiting' : status;
}

/** Times as clients get them. `isWhole`: with arguments, questions and result. */
export function dataOf({ server, seen }: TaskRow, isWhole = false): object {
  const { record } = seen;
  const { id, tool, note, createdAt, updatedAt, ttlMs, run, args, end } = record;
  return {
    ...{ id, server, tool, status: statusOfSeen(seen) },
    ...(note !== undefined && { note }),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    expiresAt: new Date(createdAt + ttlMs).toISOString(),
    runs: run,
    ...(isWhole && {
      arguments: args ?? {},
      questions: toTask(record).asking,
      ...(end?.kind === 'result' && { result: end.result }),
      ...(end?.kind === 'error' && { error: end.error }),
    }),
  };
}

export interface PrintTasks {
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly paint: Paint;
  readonly hasServers: boolean;
}

interface Column {
  readonly title: string;
  text(row: TaskRow): string;
}

const longestNote = 60;

export function printTasks(rows: readonly TaskRow[], { now, paint, hasServers }: PrintTasks): string {
  if (rows.length === 0) return '';
  const columns: readonly Column[] = [
    { title: 'id', text: ({ seen }) => seen.record.id },
    ...(hasServers ? [{ title: 'server', text: ({ server }: TaskRow) => server }] : []),
    { title: 'tool', text: ({ seen }) => seen.record.tool },
    { title: 'status', text: ({ seen }) => statusOfSeen(seen) },
    { title: 'age', text: ({ seen }) => printAge(now - seen.record.createdAt) },
    { title: 'note', text: ({ seen }) => clip(toTask(seen.record).note ?? '') },
  ];
  const cells = rows.map(row => columns.map(column => visible(column.text(row))));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map(row => row[index]?.length ?? 0)),
  );
  const print = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const lines = [paint.dim(print(columns.map(({ title }) => title))), ...cells.map(print)];
  return `${lines.join('\n')}\n`;
}

function clip(text: string): string {
  return text.length > longestNote ? `${text.slice(0, longestNote - 3)}...` : text;
}

/** @example printAge(61_000) // '1 min' */
function printAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

interface PrintTask extends Pick<PrintTasks, 'now' | 'paint'> {
  readonly isTerminal: boolean;
}

export function printTask({ server, seen }: TaskRow, { now, paint, isTerminal }: PrintTask): string {
  const { record } = seen;
  const { id, tool, createdAt, updatedAt, ttlMs, run, args, end } = record;
  const { note, asking } = toTask(record);
  const status = statusOfSeen(seen);
  const left = createdAt + ttlMs - now;
  const time = (at: number): string => `${new Date(at).toISOString()} (${printAge(now - at)} ago)`;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['task', id],
    ['server', server],
    ['tool', tool],
    ['status', `${status}${explain[status]}`],
    ...(note === undefined ? [] : [['note', note] as const]),
    ['started', time(createdAt)],
    [end === undefined ? 'changed' : 'ended', time(updatedAt)],
    ['expires', left > 0 ? `in ${printAge(left)}` : 'now'],
    ...(run > 1 ? [['runs', String(run)] as const] : []),
    ['arguments', JSON.stringify(args ?? {})],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, value]) => `${paint.dim(name.padEnd(width))}  ${visible(value)}`);
  const questions = Object.entries(asking).map(([key, { kind, ...question }]) => {
    const message = 'params' in question ? question.params['message'] : undefined;
    return `  ${visible(key)}: ${visible(typeof message === 'string' ? message : kind)}`;
  });
  const open =
    questions.length === 0 ? [] : ['', 'questions', ...questions, `  toolwright call --resume ${id} answers them`];
  return `${[...lines, ...open].join('\n')}\n${printEnd(record.end, isTerminal)}`;
}

const explain: Readonly<Record<SeenStatus, string>> = {
  working: '',
  waiting: ': no process works at it; the next that serves the server does, or toolwright call --resume',
  input_required: ': it waits for answers',
  completed: '',
  failed: '',
  cancelled: '',
};

function printEnd(end: SeenTask['record']['end'], isTerminal: boolean): string {
  if (end?.kind === 'error') {
    const { message, code, data } = end.error;
    const more = data === undefined ? '' : `\n${visibleJson(data)}`;
    return `\nerror ${code}: ${visible(message)}${more}\n`;
  }
  if (end?.kind !== 'result') return '';
  const { stdout, stderr } = printResult(end.result, { isTerminal });
  return `\n${stdout}${stderr}`;
}
