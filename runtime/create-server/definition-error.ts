// In: diagnostics of what code defines or names. Out: one error that tells them all, for callers that expect exceptions.
import type { Diagnostic } from '../../schema/diagnostics.js';
import { printLine } from '../../schema/print/line.js';

/**
 * Thrown by `createServer`, `add` and `createRegistry` where what they are given cannot be used. The message has every
 * mistake, one a line; `diagnostics` has them as data.
 *
 * @example
 * try {
 *   await createServer({ name: 'shop', tools: ['acme/shop/order'] });
 * } catch (error) {
 *   if (error instanceof DefinitionError) console.error(error.diagnostics);
 * }
 */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(what: string, diagnostics: readonly Diagnostic[]) {
    super([what, ...diagnostics.map(printLine)].join('\n  '));
    this.diagnostics = diagnostics;
  }
}
