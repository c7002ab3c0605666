// In: what is known of the arguments of an item, and of the settings of its pack. Out: what a placeholder names, or the mistake that there is no
// such thing.
import type { CallKind } from '../../schema/backend/calls.js';
import { diagnose, type Site } from '../../schema/diagnostics.js';
import { asList, isMap, type Locator } from '../../schema/document.js';
import type { SchemaSource } from '../../schema/json-schema/check-context.js';
import { didYouMean } from '../../schema/nearest.js';
import type { Scope } from './link-item.js';

/** What placeholders may name, and what is known about it. */
export interface Inputs {
  readonly names: ReadonlyMap<string, Input>;
  /** Others may come, too. */
  readonly isOpen: boolean;
}

export interface Input {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly isOptional?: boolean;
  site(): Site;
}

export type Raw = Readonly<Record<string, unknown>>;

export interface CallSite {
  readonly at: Locator;
  /** Undefined: nothing can be said about names, because the schema is wrong. */
  readonly inputs: Inputs | undefined;
}

export interface Linking extends CallSite {
  readonly kind: CallKind;
  readonly scope: Scope;
  /** Names that are used so far, and whether one of them is misspelt: that another is unused is not a second mistake then. */
  readonly used: Set<string>;
  hasUnknown: boolean;
}

/** Of a tool, from the schema of its parameters. */
export function inputsOf(input: SchemaSource, raw: Raw): Inputs | undefined {
  const { schema } = input;
  if (!isMap(schema)) return undefined;
  const { properties, additionalProperties, required } = schema;
  const names = Object.entries(isMap(properties) ? properties : {}).map(([name, one]): [string, Input] => {
    const about = isMap(one) ? one : {};
    const isFilled = Object.hasOwn(about, 'default') && (raw['parameters'] !== undefined || raw['defaults'] === 'fill');
    return [
      name,
      {
        schema: about,
        isOptional: !asList(required).includes(name) && !isFilled,
        site: () => input.site(['properties', name], 'key'),
      },
    ];
  });
  const isClosed =
    additionalProperties === false || (raw['parameters'] !== undefined && raw['additionalParameters'] !== true);
  return { names: new Map(names), isOpen: !isClosed };
}

/** Of a resource: the variables of its template, which are strings. */
export function inputsOfVariables(variables: readonly string[], at: Locator): Inputs {
  const site = (): Site => at.site(['uriTemplate']);
  return { names: new Map(variables.map(name => [name, { schema: { type: 'string' }, site }])), isOpen: false };
}

/** Undefined where there is no such key, which is then reported. */
export function findKey(
  name: string,
  site: () => Site,
  { config, diagnostics }: Pick<Scope, 'config' | 'diagnostics'>,
): { readonly secret?: boolean } | undefined {
  const entry = config.get(name);
  if (entry !== undefined) return entry;
  const hint = didYouMean(name, [...config.keys()]);
  diagnostics.push(diagnose('backend/unknown-config', { name }, site(), { hint }));
  return undefined;
}

/** What is known about an argument; undefined where nothing is, which is reported where it is a mistake. */
export function findInput(name: string, site: () => Site, linking: Linking): Input | undefined {
  const { inputs, scope } = linking;
  const known = inputs?.names.get(name);
  if (known !== undefined || inputs === undefined || inputs.isOpen) return known;
  const hint = scope.config.has(name) ? `did you mean {config.${name}}?` : didYouMean(name, [...inputs.names.keys()]);
  scope.diagnostics.push(diagnose('backend/unknown-placeholder', { name }, site(), { hint }));
  linking.hasUnknown = true;
  return undefined;
}
