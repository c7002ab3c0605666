// In: a tool as it is served. Out: what must be the same for a later run to be the same call.
import { createHash, scryptSync } from 'node:crypto';
import { canonicalJson } from '../../schema/json-text.js';
import type { PackHost, ServedTool } from '../call/ports.js';

export interface Digests {
  /** Of its definition, and of the version of its pack. */
  readonly means: string;
  /** Of options and configuration, secrets too: with another account the rest of the work would be somebody else's. */
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
    settings: digest(canonicalJson([options, configurationOf(host)])),
  };
  known.set(served, made);
  return made;
}

const configurations = new WeakMap<PackHost, string>();

/** A weak secret must not be guessed from what lies in a file: trying one costs as much as this. */
function configurationOf(host: PackHost): string {
  const before = configurations.get(host);
  if (before !== undefined) return before;
  const { values, hasSecrets = false } = host.settings;
  const text = canonicalJson(values);
  const salt = `toolwright/tasks ${host.program.pack.name}`;
  const made = hasSecrets ? scryptSync(text, salt, 32).toString('base64url') : digest(text);
  configurations.set(host, made);
  return made;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
