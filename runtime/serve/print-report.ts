// In: what an operator should know. Out: it is on stderr, which is where servers that code makes talk if not told otherwise.
import { visible } from '../../schema/print/visible.js';

/**
 * Prints one report. No character of it can steer the terminal.
 *
 * @example const { report = printReport } = options;
 */
export function printReport(text: string): void {
  const lines = text.split('\n').map(visible);
  process.stderr.write(`toolwright: ${lines.join('\n  ')}\n`);
}
