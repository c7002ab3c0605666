// In: what a client says it can do. Out: whether it can put a question to its user. Imports next to nothing: lists depend on it.
import { isMap } from '../../../schema/document.js';
import type { Client } from '../../../schema/support/mcp/client.js';

/** A client that names no mode means forms, as all did before there were modes. */
export function canElicit({ capabilities }: Pick<Client, 'capabilities'>, mode: 'form' | 'url'): boolean {
  const modes = Object.hasOwn(capabilities, 'elicitation') ? capabilities.elicitation : undefined;
  if (!isMap(modes)) return false;
  return modes[mode] !== undefined || (mode === 'form' && modes['url'] === undefined);
}
