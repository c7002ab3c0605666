// B3. In: a command, one call and the pack. Out: what the program printed, as text, lines, data or bytes; else an error that says how it
// ended. `previewCommand` shows what would be run.
import { constants } from 'node:buffer';
import { stripVTControlCharacters } from 'node:util';
import type { Command } from '../../../schema/support/mcp/backends.js';
import { headOf, tailOf } from '../../call/print-cause.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { BackendScope, CallScope } from '../ports.js';
import { prepareCommand } from './prepare-command.js';
import { type EndedProgram, runProgram } from './run-program.js';

export { previewCommand } from './preview-command.js';

const defaultMaxBytes = 10 * 1024 * 1024;
/** What of its output stands in an error. */
const mostOutput = 2000;
const mostLine = 300;

/**
 * Runs a program without a shell. Fails with an UpstreamFailure, or with the reason of the signal; its whole tree has then ended or is
 * being ended.
 *
 * @example await runCommand({ command: 'git', args: ['status'], cwd: '.' }, ctx, scope)
 */
export async function runCommand(
  command: Command,
  call: Pick<CallScope, 'signal' | 'log'>,
  scope: BackendScope,
): Promise<unknown> {
  const { signal, log } = call;
  signal.throwIfAborted();
  const ready = prepareCommand(command, scope);
  const { ok = [0], maxBytes = defaultMaxBytes, result = 'text' } = command;
  const most = Math.min(maxBytes, constants.MAX_STRING_LENGTH);
  const ended = await runProgram(ready, { env: scope.env, signal, maxBytes: most });
  const { redact } = scope.settings;
  // Secrets go before anything is cut: half of one would stay.
  const stderr = redact(stripVTControlCharacters(ended.stderr)).trimEnd();
  if (stderr !== '') log.info(`${ready.name} wrote to stderr`, { lines: stderr.split(/\r?\n/) });
  if (ended.code === null || !ok.includes(ended.code)) throw endFailure(ready.name, ended, stderr, redact);
  return readResult(ended.stdout, result, ready.name, redact);
}

type Redact = BackendScope['settings']['redact'];

function endFailure(name: string, ended: EndedProgram, stderr: string, redact: Redact): UpstreamFailure {
  const { code, signal } = ended;
  const how = code === null ? `was ended by ${signal}` : `exited with code ${code}`;
  const last = stderr.split(/[\r\n]+/).findLast(line => line.trim() !== '');
  const why = last === undefined ? '' : `: ${cutHead(last.trim(), mostLine)}`;
  // Compilers and linters print what is wrong to stdout.
  const printed = stderr === '' ? { stdout: cutTail(shownOf(ended.stdout, redact)) } : { stderr: cutTail(stderr) };
  return new UpstreamFailure('UPSTREAM_ERROR', `${name} ${how}${why}`, {
    upstream: code ?? signal ?? undefined,
    meta: { ...(code === null ? { signal } : { exitCode: code }), ...printed },
  });
}

function readResult(stdout: Buffer, result: NonNullable<Command['result']>, name: string, redact: Redact): unknown {
  if (result === 'bytes') return { data: stdout, mimeType: 'application/octet-stream' };
  const text = textOf(stdout);
  if (result === 'text') return text.replace(/\r?\n$/, '');
  if (result === 'lines') {
    const lines = text.split(/\r?\n/);
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const what = text.trim() === '' ? 'printed nothing, where JSON is expected' : 'printed something that is not JSON';
    const meta = { stdout: cutHead(shownOf(stdout, redact), mostOutput) };
    throw new UpstreamFailure('UPSTREAM_INVALID', `${name} ${what}`, { meta });
  }
}

/** What is not UTF-8 is replaced. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function shownOf(stdout: Buffer, redact: Redact): string {
  return redact(stripVTControlCharacters(textOf(stdout))).trimEnd();
}

function cutHead(text: string, most: number): string {
  return text.length > most ? `${headOf(text, most)}...` : text;
}

function cutTail(text: string): string {
  return text.length > mostOutput ? `...${tailOf(text, mostOutput)}` : text;
}
