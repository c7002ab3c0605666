// In: a tool. Out: a short name for everything that its validators depend on, so that stale ones are noticed.
import { hash } from 'node:crypto';
import type { Tool } from './program.js';

/** Goes up whenever validators of the same schemas come out differently. */
const validatorFormat = 5;

/**
 * Equal for two tools exactly if the same validators serve both. The order of keys counts, since errors come in it.
 *
 * @example definitionHash(tool) // 'q0Vt1vSm0pYxPyEvfT0r5w'
 */
export function definitionHash(tool: Pick<Tool, 'inputSchema' | 'outputSchema' | 'filling'>): string {
  const text = JSON.stringify([validatorFormat, tool.filling, tool.inputSchema, tool.outputSchema ?? null]);
  return hash('sha256', text, 'buffer').toString('base64url', 0, 16);
}
