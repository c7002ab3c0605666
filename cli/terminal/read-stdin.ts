// What is piped into a command, as text.
import { readFileSync } from 'node:fs';
import { UsageError } from './usage-error.js';

/** @param expected what to send, for the message about nothing */
export function readStdin(expected: string): string {
  const text = readFileSync(0, 'utf8');
  if (text.trim() === '') throw new UsageError(`stdin was empty: send ${expected}`);
  return text;
}
