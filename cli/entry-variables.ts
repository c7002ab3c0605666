// In: what was typed after --env. Out: values by name that the server would take, and what is strange about them.
import type { Server } from '../runtime/load/program.js';
import type { ConfigEntry } from '../schema/definitions.js';
import { didYouMean } from '../schema/nearest.js';
import { visible } from '../schema/print/visible.js';
import { valueProblem } from './ask-config.js';
import { composeForeign } from './entry-tools.js';
import type { LoadedFolder } from './load-server.js';
import { UsageError } from './usage-error.js';

type Config = Readonly<Record<string, ConfigEntry>>;

/** @example readVariables(['LIMIT=3'], { LIMIT: { type: 'integer' } }) // { LIMIT: '3' } */
export function readVariables(pairs: readonly string[], config: Config): Readonly<Record<string, string>> {
  const given = Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--env takes NAME=value, not "${pair}"`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
  // A server that gets them would not start.
  const problem = valueProblem(config, given);
  if (problem !== undefined) throw new UsageError(`--env: ${problem}`);
  return given;
}

/** What Node, the system or Toolwright itself reads. */
const common = /^(?:TOOLWRIGHT_.*|NODE_.*|PATH|HOME|TZ|LANG|LC_.*|DEBUG|(?:HTTPS?|ALL|NO)_PROXY)$/i;

interface Circumstances {
  readonly loaded: LoadedFolder;
  readonly server: Server;
  /** Of the server's pack. */
  readonly config: Config;
  readonly cwd: string;
}

/** A line for each that no pack of the server asks for. Any variable may be set, but mostly that is a slip. */
export function strangeVariables(names: readonly string[], around: Circumstances): readonly string[] {
  const own = Object.keys(around.config);
  const { auth } = around.server.definition;
  const known = new Set(auth?.type === 'bearer' ? [...own, auth.env] : own);
  const isStrange = (name: string): boolean => !known.has(name) && !common.test(name);
  if (!names.some(isStrange)) return [];
  const composed = composeForeign(around.loaded, around.server, around.cwd);
  const items = composed === undefined ? [] : [...composed.tools, ...composed.prompts, ...composed.resources];
  for (const { pack } of items) for (const name of Object.keys(pack.program.pack.config)) known.add(name);
  // What a pack asks for that is not there, nobody knows.
  const isSure = composed === undefined || composed.isComplete;
  const list = known.size === 0 ? 'it has none' : `it has ${[...known].join(', ')}`;
  return names.filter(isStrange).flatMap(name => {
    const hint = didYouMean(name, known) ?? (isSure ? list : undefined);
    const what = `toolwright: the server has no configuration "${visible(name)}", but it is set`;
    return hint === undefined ? [] : [`${what}: ${visible(hint)}`];
  });
}
