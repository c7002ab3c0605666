// In: how a call ended. Out: what a person and a script see of it, and the exit code.
import { unfinishedKey } from '../../runtime/call/context/relay.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { workingFolder } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import type { Answer } from './call-target.js';
import { type PrintedResult, printResult } from './print-result.js';
import type { TaskEnding } from './run-task.js';
import { saveContent } from './save-content.js';

export interface TellFlags extends CommonFlags {
  /** Where images, sounds and binary resources of the result go. */
  readonly save?: string;
}

export interface Telling {
  /** What is known of an error besides. */
  readonly details: string;
  /** For files that are saved. */
  readonly name: string;
  readonly flags: TellFlags;
}

/** Prints how it ended; gives the exit code. */
export async function tellEnding(ending: TaskEnding, { details, name, flags }: Telling): Promise<number> {
  if ('left' in ending) {
    const { left, why } = ending;
    const lines = [
      ...(why === undefined ? [] : [`toolwright: ${visible(why)}`]),
      `the task ${left} was left as it is: a server that is started goes on with it`,
      `  toolwright call --resume ${left} waits for it here`,
      `  toolwright tasks show ${left} shows how far it is`,
    ];
    await write({ stdout: '', stderr: `${lines.join('\n')}\n` });
    return why === undefined ? 130 : 1;
  }
  if ('cancelled' in ending) {
    const why = ending.why === undefined ? '' : `: ${ending.why}`;
    await write({ stdout: '', stderr: `cancelled${visible(why)}\n` });
    return 130;
  }
  const { shown: result } = ending.answer;
  const code = result.isError === true || result._meta?.[unfinishedKey] === true ? 1 : 0;
  await write(printed(ending.answer, details, flags));
  const cwd = workingFolder(flags);
  if (flags.save !== undefined && code === 0)
    process.stderr.write(saveContent(result, { cwd, typed: flags.save }, name));
  return code;
}

/** `details`: what is known of an error besides. */
function printed({ shown, raw }: Answer, details: string, flags: TellFlags): PrintedResult {
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
