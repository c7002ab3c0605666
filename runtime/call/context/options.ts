// In: TOOLWRIGHT_OPTIONS and the tools of the packs of a server. Out: the options of each tool, defaults filled in (W88).
import type { OptionEntry } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import { type Document, isMap } from '../../../schema/document.js';
import { freezeDeep } from '../../../schema/freeze.js';
import { didYouMean } from '../../../schema/nearest.js';
import { parse } from '../../../schema/parse/parse.js';
import { fitsOption } from '../../../schema/scalar-types.js';
import type { Tool } from '../../load/program.js';

type Values = Readonly<Record<string, unknown>>;

/** Tools as far as options are concerned. */
type Settable = Pick<Tool, 'item' | 'definition'>;

export interface SettablePack {
  readonly pack: { readonly name: string };
  readonly tools: readonly Settable[];
}

export interface Options {
  /** The values that a tool is run with. Overlays are in already: they change the defaults of the definition. */
  optionsOf(tool: Settable): Values;
  /** Warnings only: what cannot be used leaves the defaults. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `{"get-issue": {"limit": 5}}`. */
export const optionsVariable = 'TOOLWRIGHT_OPTIONS';

/**
 * Reads what the operator set. Tools are named by item (of the first pack that has it) or by `pack/item`; `null` takes the
 * default away.
 *
 * @example const { optionsOf, diagnostics } = readOptions(env['TOOLWRIGHT_OPTIONS'], [program]);
 */
export function readOptions(text: string | undefined, packs: readonly SettablePack[]): Options {
  const diagnostics: Diagnostic[] = [];
  const set = new Map<Settable, ReadonlyMap<string, unknown>>();
  const document = read(text, diagnostics);
  if (document !== undefined && isMap(document.value)) {
    for (const [name, values] of Object.entries(document.value)) {
      const tool = findTool(name, packs);
      if (tool === undefined) {
        const hint = didYouMean(name, namesOf(packs));
        diagnostics.push(diagnose('options/unknown-tool', { item: name }, document.site([name], 'key'), { hint }));
      } else if (!isMap(values)) {
        const reason = `what it says about ${JSON.stringify(name)} must be a map of options`;
        diagnostics.push(diagnose('options/json', { reason }, document.site([name])));
      } else set.set(tool, new Map([...(set.get(tool) ?? []), ...choose(tool, name, values, document, diagnostics)]));
    }
  }
  const known = new WeakMap<Settable, Values>();
  return {
    diagnostics,
    optionsOf(tool) {
      // Most tools have none, and there may be thousands of them.
      if (tool.definition.options === undefined) return noOptions;
      const found = known.get(tool) ?? merge(tool, set.get(tool));
      known.set(tool, found);
      return found;
    },
  };
}

const noOptions: Values = Object.freeze({});

function read(text: string | undefined, diagnostics: Diagnostic[]): Document | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const parsed = parse({ path: optionsVariable, format: 'json', text, hash: '' });
  const [broken] = parsed.diagnostics;
  const [document] = parsed.documents;
  if (broken !== undefined) diagnostics.push(diagnose('options/json', { reason: broken.message }, broken));
  else if (document !== undefined && !isMap(document.value)) {
    diagnostics.push(diagnose('options/json', { reason: 'it must be a map of tools' }, document.site([])));
  }
  return broken === undefined ? document : undefined;
}

function findTool(name: string, packs: readonly SettablePack[]): Settable | undefined {
  for (const { pack, tools } of packs) {
    const found = tools.find(({ item }) => item === name || `${pack.name}/${item}` === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function namesOf(packs: readonly SettablePack[]): readonly string[] {
  return packs.flatMap(({ tools }) => tools.map(({ item }) => item));
}

function choose(
  tool: Settable,
  item: string,
  values: Values,
  document: Document,
  diagnostics: Diagnostic[],
): readonly [string, unknown][] {
  const declared = tool.definition.options ?? {};
  return Object.entries(values).filter(([option, value]) => {
    const entry = Object.hasOwn(declared, option) ? declared[option] : undefined;
    if (entry === undefined) {
      const hint = didYouMean(option, Object.keys(declared));
      const site = document.site([item, option], 'key');
      diagnostics.push(diagnose('options/unknown-option', { option, item }, site, { hint }));
      return false;
    }
    if (value === null || fitsOption(entry, value)) return true;
    const params = { option, item, expected: optionExpectation(entry) };
    diagnostics.push(diagnose('options/wrong-type', params, document.site([item, option])));
    return false;
  });
}

/** In words. */
export function optionExpectation({ type, enum: allowed }: OptionEntry): string {
  return allowed === undefined ? `of type ${type}` : `one of ${allowed.map(value => JSON.stringify(value)).join(', ')}`;
}

function merge(tool: Settable, set: ReadonlyMap<string, unknown> | undefined): Values {
  const values = Object.entries(tool.definition.options ?? {}).flatMap(([option, entry]): [string, unknown][] => {
    const value = set?.has(option) === true ? set.get(option) : entry.default;
    return value === undefined || value === null ? [] : [[option, structuredClone(value)]];
  });
  // All calls share them.
  return freezeDeep(Object.fromEntries(values));
}
