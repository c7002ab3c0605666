// In: what was typed after --env, and the configuration that the server's packs know. Out: the variables of an entry; or why they are not
// written, and the words that set them.
import type { Client } from '../../generator/clients/client.js';
import { type ConfigKey, stateOf } from '../../generator/doctor/config-rules.js';
import { fileOfKey } from '../../runtime/call/context/config.js';
import type { ServerDefinition } from '../../schema/definitions.js';
import { didYouMean } from '../../schema/nearest.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { visible } from '../../schema/print/visible.js';
import { UsageError } from '../terminal/usage-error.js';
import { type Values, valueProblem } from './ask-config.js';

/** @example readVariables(['LIMIT=3'], keys, client) // { LIMIT: '3' } */
export function readVariables(pairs: readonly string[], keys: readonly ConfigKey[], { reference }: Client): Values {
  const given = Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--env needs NAME=value, not "${pair}"`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
  const literal = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isReference(value, name, reference)),
  );
  // A server that gets them would not start.
  for (const { name, entry } of keys) {
    // A file is read where the server runs.
    const problem = valueProblem({ [name]: entry }, { [name]: literal[name] });
    if (problem !== undefined) throw new UsageError(`--env: ${problem}`);
  }
  return given;
}

/** N15: a file of a project is committed and read by others. */
export function refuseSecrets(given: Values, keys: readonly ConfigKey[], client: Client): void {
  const secret = keys.find(({ name, entry }) => {
    const value = given[name];
    return entry.secret === true && value !== undefined && value !== '' && !isReference(value, name, client.reference);
  });
  if (secret === undefined) return;
  const { name } = secret;
  const words = wordsFor(secret, client, true);
  const instead =
    words === undefined
      ? inEnvironment(name, client)
      : `${shellLine(words)} writes a reference, which ${client.title} fills in from its environment`;
  throw new UsageError(
    `${name} is secret, and the settings of a project are for everybody who has it: its value is not written there\n  hint: ${instead}; or leave out --project`,
  );
}

/** Whether the client fills it in, from where nobody else looks. */
export function isReferred({ name }: ConfigKey, values: Values, { reference }: Client): boolean {
  return isReference(values[name] ?? '', name, reference);
}

/** No value, and no default either. */
export function isUnset(key: ConfigKey, values: Values): boolean {
  if (fileOfKey(key.name, key.config, values) !== undefined) return false;
  return values[key.name] === '' || stateOf(key, values) === 'unset';
}

/**
 * How a person sets them: words for `install`, and what only the environment can do.
 *
 * @example wordsToSet(keys, client, true) // { words: ['--env', 'TOKEN=${TOKEN}'], others: [] }
 */
export function wordsToSet(
  keys: readonly ConfigKey[],
  client: Client,
  isShared: boolean,
): { readonly words: readonly string[]; readonly others: readonly string[] } {
  const unique = [...new Map(keys.map(key => [key.name, key])).values()];
  return {
    words: unique.flatMap(key => wordsFor(key, client, isShared) ?? []),
    others: unique.flatMap(key =>
      wordsFor(key, client, isShared) === undefined ? [inEnvironment(key.name, client)] : [],
    ),
  };
}

/** Undefined for a secret that the client cannot refer to. */
function wordsFor({ name, entry }: ConfigKey, { reference }: Client, isShared: boolean): readonly string[] | undefined {
  if (!isShared || entry.secret !== true) return ['--env', `${name}=...`];
  return reference === undefined ? undefined : ['--env', `${name}=${reference(name)}`];
}

function inEnvironment(name: string, { title }: Client): string {
  return `set ${name} in the environment that ${title} is started from`;
}

function isReference(value: string, name: string, reference: Client['reference']): boolean {
  // VS Code asks for an input, and both forms have defaults.
  return value === reference?.(name) || /^(?:\$\{[\w:.-]+\}|\{env:\w+\})$/.test(value);
}

/** What Node, the system or Toolwright itself reads. */
const common = /^(?:TOOLWRIGHT_.*|NODE_.*|PATH|HOME|TZ|LANG|LC_.*|DEBUG|(?:HTTPS?|ALL|NO)_PROXY)$/i;

interface Circumstances {
  readonly keys: readonly ConfigKey[];
  readonly auth: ServerDefinition['auth'];
  /** False where a pack is missing: what that one asks for, nobody knows. */
  readonly isSure: boolean;
}

/** A line for each that no pack of the server asks for. One that is nearly a key is a slip, and refused. */
export function strangeVariables(names: readonly string[], { keys, auth, isSure }: Circumstances): readonly string[] {
  const known = new Set([...keys.map(({ name }) => name), ...(auth?.type === 'bearer' ? [auth.env] : [])]);
  const list = known.size === 0 ? 'it has none' : `it has ${[...known].join(', ')}`;
  const strange = names.filter(
    name => !known.has(name) && !known.has(name.replace(/_FILE$/, '')) && !common.test(name),
  );
  return strange.flatMap(name => {
    const what = `${visible(name)} is not a configuration key of this server`;
    const meant = didYouMean(name, known);
    if (isSure && meant !== undefined) throw new UsageError(`--env: ${what}: ${visible(meant)}`);
    const hint = isSure ? list : meant;
    return hint === undefined ? [] : [`toolwright: ${what}: ${visible(hint)}`];
  });
}
