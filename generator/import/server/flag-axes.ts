// In: what the words of all captures set. Out: a key of the configuration for each flag and variable, of which type, and how the server behind
// the pack gets its value.
import type { BackendDefinition } from '../../../schema/definitions.js';
import { groupBy } from '../../../schema/group-by.js';
import { ownFlags } from '../../../schema/own-flags.js';
import { kebabName } from '../item-names.js';
import type { FlagSetting } from './flag-words.js';

/**
 * `--headless` and `NAME=true` are switches. A flag with a value is a list, whose values add up, as long as it only adds items; else it is one of the
 * values that the captures have, or empty.
 */
export interface Axis {
  readonly of: FlagSetting['of'];
  /** Of the flag, without dashes, or of the variable. */
  readonly name: string;
  /** Of the configuration. */
  readonly key: string;
  readonly type: 'boolean' | 'string' | 'array';
  /** Those of the captures, in their order; none of a switch. */
  readonly values: readonly string[];
}

/** What tells flags and variables apart. */
export function axisId({ of, name }: Pick<FlagSetting, 'of' | 'name'>): string {
  return `${of} ${name}`;
}

/** `server`: begins the names of keys, which are variables that others could have, too. `single`: those that cannot be lists. */
export function makeAxes(
  captures: readonly (readonly FlagSetting[])[],
  server: string,
  single: ReadonlySet<string>,
): readonly Axis[] {
  const all = groupBy(captures.flat(), axisId);
  return [...all].map(([id, settings]): Axis => {
    const [{ of, name } = { of: 'flag', name: '' } as const] = settings;
    const key = of === 'variable' ? name : keyOf(server, name);
    const given = settings.flatMap(({ value }) => value ?? []);
    const isSwitch = of === 'flag' ? given.length === 0 : given.every(value => /^(?:true|1|yes|on)$/i.test(value));
    if (isSwitch) return { of, name, key, type: 'boolean', values: [] };
    if (single.has(id)) return { of, name, key, type: 'string', values: [...new Set(settings.map(textOf))] };
    return { of, name, key, type: 'array', values: [...new Set(settings.flatMap(membersOf))] };
  });
}

/** A flag that has a value in another capture, and none here, is on. */
export function textOf({ value = 'true' }: FlagSetting): string {
  return value;
}

export function membersOf(setting: FlagSetting): readonly string[] {
  return textOf(setting)
    .split(',')
    .map(value => value.trim())
    .filter(value => value !== '');
}

/** The value of the key that a capture stands for. */
export function configValue({ type }: Axis, setting: FlagSetting): unknown {
  switch (type) {
    case 'boolean':
      return true;
    case 'string':
      return textOf(setting);
    case 'array':
      return membersOf(setting);
    default:
      return type satisfies never;
  }
}

function keyOf(server: string, flag: string): string {
  const words = `${server}-${kebabName(flag) ?? 'flag'}`;
  const key = words.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return /^[A-Z]/.test(key) ? key : `SERVER_${key}`;
}

/** Entries of `config:`. Flags keep their names where servers have no option of that name themselves. */
export function axisConfig(axes: readonly Axis[]): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const taken = new Set(ownFlags);
  return Object.fromEntries(
    axes.map(({ of, name, key, type, values }) => {
      const words = type === 'boolean' ? [name, `no-${name}`] : [name];
      const isFree = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && !words.some(word => taken.has(word));
      const hasFlag = of === 'flag' && isFree;
      if (hasFlag) for (const word of words) taken.add(word);
      // A variable that nobody sets is not set for the server, either.
      const unset = of === 'variable' ? {} : { default: type === 'boolean' ? false : [] };
      const limits =
        type === 'string'
          ? { enum: ['', ...values], default: '' }
          : // Without any value there is nothing to choose from.
            { ...(type === 'array' && values.length > 0 ? { enum: values } : {}), ...unset };
      const description = of === 'flag' ? `--${name} of the server` : `${name} of the server`;
      return [key, { type, ...limits, ...(hasFlag ? { flag: name } : {}), description }];
    }),
  );
}

type McpBackend = Extract<BackendDefinition, { readonly type: 'mcp' }>;

/** What is added to the backend, so that the server behind it is started as the pack is. */
export function axisWords(axes: readonly Axis[]): {
  readonly command: NonNullable<McpBackend['command']>;
  readonly env: Readonly<Record<string, string>>;
} {
  const flags = axes.filter(({ of }) => of === 'flag');
  const variables = axes.filter(({ of }) => of === 'variable');
  return {
    command: flags.map(({ name, key, type }) => ({
      if: key,
      args: [type === 'boolean' ? `--${name}` : `--${name}={config.${key}}`],
    })),
    env: Object.fromEntries(variables.map(({ name, key }) => [name, `{config.${key}}`])),
  };
}
