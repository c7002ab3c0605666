// Rules about configuration: what tools need, and what the environment has for it. By names only.
import { type Environment, fileOfKey, readConfig } from '../../runtime/call/context/config.js';
import type { Program, Prompt, Resource, Tool } from '../../runtime/load/program.js';
import { type ComposedServer, packsOf, takenOf } from '../../runtime/packs/compose.js';
import { configOfItem } from '../../schema/backend/calls.js';
import { limitsOf } from '../../schema/config-limits.js';
import type { ConfigEntry } from '../../schema/definitions.js';
import { type ExaminedPack, type Judgement, ofPack, type Rule, type Situation } from './finding.js';

/** A variable of some pack, and the items that cannot be called without it. */
export interface ConfigKey {
  readonly name: string;
  readonly entry: ConfigEntry;
  readonly neededBy: readonly string[];
  /** The same, and those that work better with it. */
  readonly usedBy: readonly string[];
  /** All keys of its pack. */
  readonly config: Program['pack']['config'];
}

type Item = Tool | Prompt | Resource;

/** Of all packs that the servers take items from; each pack has configuration of its own. */
export function configKeys(servers: readonly ComposedServer[], own: readonly Program[] = []): readonly ConfigKey[] {
  const used = new Map<Program, Set<Item>>(own.map(program => [program, new Set(itemsOf(program))]));
  for (const server of servers) {
    for (const pack of packsOf(server)) {
      const known = used.get(pack.program) ?? [];
      used.set(pack.program, new Set([...known, ...itemsOf(takenOf(pack, server))]));
    }
  }
  return [...used].flatMap(([{ pack }, items]) => {
    const offered = [...items].filter(({ definition }) => definition.enabled !== false);
    const uses = offered.map(one => ({ item: one.item, use: usesOf(one, pack) }));
    const using = (name: string, isMeant: (use: string) => boolean): readonly string[] =>
      uses.filter(({ use }) => isMeant(use.get(name) ?? '')).map(({ item }) => item);
    return Object.entries(pack.config).map(([name, entry]) => ({
      name,
      entry,
      neededBy: using(name, use => use === 'required'),
      usedBy: using(name, use => use !== ''),
      config: pack.config,
    }));
  });
}

function itemsOf({ tools, prompts, resources }: Pick<Program, 'tools' | 'prompts' | 'resources'>): readonly Item[] {
  return [...tools, ...prompts, ...resources];
}

/** What an item says that it requires, and what its work needs where it has no code. */
function usesOf({ definition }: Item, { backends }: Program['pack']): ReadonlyMap<string, string> {
  const declared = 'requires' in definition ? Object.entries(definition.requires ?? {}) : [];
  const needed = configOfItem({ ...definition }, backends).map(name => [name, 'required'] as const);
  return new Map([...declared, ...needed]);
}

export type KeyState = 'set' | 'unset' | 'wrong';

/** `unset`: no default either. */
export function stateOf({ name, entry, config }: ConfigKey, env: Environment): KeyState {
  const file = fileOfKey(name, config, env);
  const given = { [name]: env[name], [`${name}_FILE`]: file };
  const { settings, diagnostics } = readConfig({ [name]: entry }, given);
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'wrong';
  return Object.hasOwn(settings.values, name) ? 'set' : 'unset';
}

/** `TOKEN (needed by get-issue)` */
export function describeKey({ name, neededBy }: ConfigKey): string {
  return `${name} (needed by ${neededBy.length > 3 ? `${neededBy.length} items` : neededBy.join(', ')})`;
}

const places = 'in the shell; in .env, which dev, call and test read (start with --env-file .env)';

function inDotEnvOnly(what: string): string {
  return `${what} is in .env only: dev, call and test read it, start only with --env-file .env`;
}

function judgeKey(key: ConfigKey, { env, dotEnv }: Pick<Situation, 'env' | 'dotEnv'>): readonly Judgement[] {
  const { name, entry, neededBy } = key;
  // What the process has counts more, also where it is empty.
  const isOwn = env[name] !== undefined || fileOfKey(name, key.config, env) !== undefined;
  const state = stateOf(key, env);
  const inDev = isOwn ? state : stateOf(key, dotEnv);
  if (inDev === 'wrong') {
    // In our own words: those of the diagnostic show the value.
    const isFree = entry.enum === undefined && limitsOf(entry) === undefined;
    const expected = isFree ? `of type ${entry.type}` : 'one of those that are allowed';
    const where = isOwn ? 'in the environment' : 'in .env, which dev, call and test read,';
    const file = fileOfKey(name, key.config, isOwn ? env : dotEnv);
    if (file !== undefined)
      return [
        {
          status: 'error',
          message: `${name}_FILE ${where} names a file that cannot be read, or whose value is not ${expected}`,
          hint: `correct or unset ${name}_FILE, or correct the file`,
        },
      ];
    const hint = isOwn
      ? `servers do not start with it: correct or unset ${name}`
      : `dev, call and test do not start: correct ${name} in .env`;
    return [{ status: 'error', message: `${name} ${where} has a value that is not ${expected}`, hint }];
  }
  if (neededBy.length === 0 || state === 'set') return [];
  if (inDev === 'set')
    return [
      {
        status: 'info',
        message: inDotEnvOnly(describeKey(key)),
      },
    ];
  const hint = `set ${name} in the server's environment: ${places}; with install --env for clients`;
  return [{ status: 'warning', message: `${describeKey(key)} is not set`, hint }];
}

/** Over stdio nobody is asked for a token. */
function judgeToken(
  { definition, item }: Program['servers'][number],
  { env, dotEnv }: Pick<Situation, 'env' | 'dotEnv'>,
): readonly Judgement[] {
  const { auth, transport } = definition;
  if (transport !== 'http' || auth?.type !== 'bearer' || (env[auth.env] ?? '') !== '') return [];
  const what = `${auth.env} (needed by the server ${item} over HTTP)`;
  // What the process has counts more, also where it is empty.
  if (env[auth.env] === undefined && (dotEnv[auth.env] ?? '') !== '')
    return [{ status: 'info', message: inDotEnvOnly(what) }];
  const hint = `set ${auth.env} in the server's environment: ${places}`;
  return [{ status: 'warning', message: `${what} is not set`, hint }];
}

function judgeConfig({ generated, servers }: ExaminedPack, situation: Situation): readonly Judgement[] {
  const { program } = generated.loaded;
  if (program === undefined) return [];
  const keys = configKeys(servers, [program]);
  const found = [
    ...keys.flatMap(key => judgeKey(key, situation)),
    ...program.servers.flatMap(server => judgeToken(server, situation)),
  ];
  if (found.length > 0 || keys.length === 0) return [...new Map(found.map(one => [one.message, one])).values()];
  const names = [...new Set(keys.map(({ name }) => name))];
  return [{ status: 'ok', message: `nothing is missing or wrong in ${names.join(', ')}` }];
}

export const configRules: readonly Rule[] = [ofPack('config', judgeConfig)];
