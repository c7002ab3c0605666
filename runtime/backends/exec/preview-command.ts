// B3, B8. In: a command. Out: what would be run, for people: lines in the way of a shell, which nobody runs. Secrets are masked.

import { visible } from '../../../schema/print/visible.js';
import type { Command } from '../../../schema/support/mcp/backends.js';
import { headOf } from '../../call/print-cause.js';
import { mask } from '../mask.js';
import type { BackendScope } from '../ports.js';
import { prepareCommand, type ReadyCommand } from './prepare-command.js';

const mostStdin = 500;

/**
 * Nothing is started or looked up. Throws the same UpstreamFailure for a value that cannot be an argument.
 *
 * @example previewCommand({ command: 'git', args: ['log', 'a b'], cwd: '.' }, scope) // "git log 'a b'\ncwd: ."
 */
export function previewCommand(command: Command, scope: BackendScope): string {
  const { redact } = scope.settings;
  const { args, cwd, ownEnv, stdin } = prepareCommand(command, scope);
  // Before anything is quoted or cut, after which a secret would no longer be recognised; and once more over all of it.
  const words = [command.command, ...args].map(word => quote(redact(word)));
  const variables = Object.entries(ownEnv).map(
    ([name, value]) => `${visible(name)}=${value === mask || redact(value) !== value ? mask : quote(value)}`,
  );
  const lines = [
    words.join(' '),
    ...(cwd === undefined ? [] : [`cwd: ${visible(redact(cwd))}`]),
    ...(variables.length === 0 ? [] : [`env: ${variables.join(' ')}`]),
    ...(stdin === undefined ? [] : [`stdin: ${showInput(stdin, redact)}`]),
  ];
  return redact(lines.join('\n'));
}

function showInput(stdin: NonNullable<ReadyCommand['stdin']>, redact: (text: string) => string): string {
  if (typeof stdin !== 'string') return `${stdin.length} bytes`;
  const text = redact(stdin);
  const cut = text.length - mostStdin;
  return cut > 0 ? `${quote(headOf(text, mostStdin))}... (${cut} more characters)` : quote(text);
}

/** As a shell would take it. */
function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const shown = visible(word);
  if (shown === word) return `'${word.replaceAll("'", `'\\''`)}'`;
  const escaped = word.replace(/[\\']/g, '\\$&');
  return `$'${visible(escaped)}'`;
}
