// In: a tool as it is served. Out: what must be the same for a later run to be the same call.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../schema/json-text.js';
import type { ServedTool } from '../call/ports.js';

export interface Digests {
  /** Of its definition, and of the version of its pack. */
  readonly means: string;
  /** Of options and configuration. Secrets are left out: they may be renewed, and what is weak could be guessed from a digest. */
  readonly settings: string;
}

/** Tools are served for as long as their server lives. */
const known = new WeakMap<ServedTool, Digests>();

export function digestsOf(served: ServedTool): Digests {
  const before = known.get(served);
  if (before !== undefined) return before;
  const { tool, host, options } = served;
  const { name, version } = host.program.pack;
  const made = {
    means: digest(canonicalJson([name, version, tool.item, tool.definition, tool.inputSchema])),
    settings: digest(canonicalJson([options, host.settings.redact(canonicalJson(host.settings.values))])),
  };
  known.set(served, made);
  return made;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
