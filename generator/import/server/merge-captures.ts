// In: captures of one server under different words. Out: every entry that any of them lists, in one order; an entry that depends on the words has
// a condition, and one that looks different under some of them several forms. The configuration has a key for each flag.

import { holds } from '../../../runtime/load/conditions.js';
import type { ConfigEntry, When } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose, type Site } from '../../../schema/diagnostics.js';
import type { LeftOut } from '../imported.js';
import { kebabName } from '../item-names.js';
import type { Capture } from './capture.js';
import { Conditions, type FoundForms } from './conditions.js';
import { readEntries, type ServerEntry } from './entries.js';
import { type Axis, axisConfig, axisId, configValue, makeAxes } from './flag-axes.js';
import { type FlagSetting, readFlagWords } from './flag-words.js';

export interface MergedEntry {
  readonly entry: ServerEntry;
  readonly when?: When | undefined;
  /** Of a form beside the one that has the plain name: what its name ends with. */
  readonly suffix?: string | undefined;
}

export interface Merged {
  readonly entries: readonly MergedEntry[];
  readonly axes: readonly Axis[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** An entry, and what it looks like in each capture. */
interface Seen {
  readonly looks: readonly ServerEntry[];
  /** Indexes of `looks` by capture; -1 where it is not listed. */
  readonly forms: readonly number[];
}

/** `name`: of the server, with which the names of keys begin. */
export function mergeCaptures(all: readonly Capture[], name: string, site: Site): Merged {
  const captures = wholeOnes(all);
  const read = captures.map(({ offer }) => readEntries(offer));
  const words = captures.map(one => readFlagWords(one.words, site));
  const settings = words.map(one => one.settings);
  const leftOut = [...new Map(read.flatMap(one => one.leftOut).map(one => [JSON.stringify(one), one])).values()];
  const diagnostics: Diagnostic[] = words.flatMap(one => one.diagnostics);
  for (const capture of all) {
    if (captures.includes(capture)) continue;
    const reason = 'a list broke off, and what is missing tells nothing';
    diagnostics.push(diagnose('import/unused-capture', { words: capture.words.join(' '), reason }, site));
  }
  const seen = lookUp(read.map(({ entries }) => entries));
  for (const [index, capture] of captures.entries())
    if (index > 0 && seen.every(({ forms }) => forms[index] === forms[0])) {
      const reason = 'the server lists the same without them';
      diagnostics.push(diagnose('import/unused-capture', { words: capture.words.join(' '), reason }, site));
    }
  const { axes, found } = findForms(seen, settings, name);
  const entries = seen.flatMap((one, index) => toEntries(one, found[index], axes));
  for (const [index, { looks }] of seen.entries()) {
    const forms = found[index];
    const [{ place } = { place: '' }] = looks;
    if (forms !== undefined && 'forms' in forms && forms.unclear !== undefined)
      diagnostics.push(diagnose('import/unclear-condition', { place, reason: forms.unclear }, site));
  }
  for (const place of wrongPlaces(
    entries,
    axes,
    settings,
    read.map(one => one.entries),
  )) {
    const reason = 'its conditions do not give what the captures list';
    diagnostics.push(diagnose('import/unclear-condition', { place, reason }, site));
  }
  return { entries, axes, leftOut, diagnostics };
}

/** What is missing because a list broke off would seem to depend on the words. */
function wholeOnes(captures: readonly Capture[]): readonly Capture[] {
  const [base] = captures;
  return captures.filter(one => one === base || (base?.isPartial !== true && one.isPartial !== true));
}

/** Flags with values are lists, until a condition has to say that one is not set. */
function findForms(
  seen: readonly Seen[],
  settings: readonly (readonly FlagSetting[])[],
  name: string,
): { readonly axes: readonly Axis[]; readonly found: readonly FoundForms[] } {
  const single = new Set<string>();
  for (;;) {
    const axes = makeAxes(settings, name, single);
    const conditions = new Conditions(axes, settings);
    const found = seen.map(({ forms }) => conditions.find(forms));
    const before = single.size;
    for (const one of found) if ('single' in one) for (const id of one.single) single.add(id);
    if (single.size === before) return { axes, found };
  }
}

/** In the order of the first capture; what only others list stands behind what it stands behind there. */
function lookUp(captures: readonly (readonly ServerEntry[])[]): readonly Seen[] {
  const order: string[] = [];
  for (const entries of captures) {
    const known = new Set(order);
    let after = -1;
    for (const { place } of entries) {
      if (known.has(place)) after = order.indexOf(place);
      else {
        after += 1;
        order.splice(after, 0, place);
      }
    }
  }
  const byPlace = captures.map(entries => new Map(entries.map(entry => [entry.place, entry])));
  return order.map(place => {
    const looks = new Map<string, ServerEntry>();
    const texts = byPlace.map(entries => {
      const entry = entries.get(place);
      const text = entry === undefined ? undefined : JSON.stringify(entry.raw);
      if (entry !== undefined && text !== undefined && !looks.has(text)) looks.set(text, entry);
      return text;
    });
    const known = [...looks.keys()];
    return { looks: [...looks.values()], forms: texts.map(text => (text === undefined ? -1 : known.indexOf(text))) };
  });
}

function toEntries({ looks }: Seen, found: FoundForms | undefined, axes: readonly Axis[]): readonly MergedEntry[] {
  const forms = found !== undefined && 'forms' in found ? found.forms : [];
  const plain = Math.max(
    forms.findIndex(({ isBase }) => isBase),
    0,
  );
  return forms.flatMap(({ form, when }, index): readonly MergedEntry[] => {
    const entry = looks[form];
    if (entry === undefined) return [];
    return [{ entry, when, ...(index === plain ? {} : { suffix: suffixOf(when, axes) }) }];
  });
}

/** @example suffixOf({ PLAY_FORMAT: 'jpeg' }, axes) // 'format-jpeg' */
function suffixOf(when: When | undefined, axes: readonly Axis[]): string {
  const words = axes.flatMap(({ key, name }) => {
    const wanted = when?.[key];
    if (wanted === undefined || wanted === '') return [];
    if (typeof wanted === 'boolean') return [wanted ? name : `no-${name}`];
    return [
      name,
      ...[wanted]
        .flat()
        .filter(one => one !== '')
        .map(String),
    ];
  });
  return kebabName(words.join(' ')) ?? 'other';
}

/** The proof: with the words of each capture, the conditions offer what it lists. */
function wrongPlaces(
  entries: readonly MergedEntry[],
  axes: readonly Axis[],
  settings: readonly (readonly FlagSetting[])[],
  captures: readonly (readonly ServerEntry[])[],
): ReadonlySet<string> {
  const config = axisConfig(axes) as unknown as Readonly<Record<string, ConfigEntry>>;
  const defaults = Object.entries(config).flatMap(([key, entry]) =>
    entry.default === undefined ? [] : [[key, entry.default] as const],
  );
  const wrong = new Set<string>();
  for (const [index, listed] of captures.entries()) {
    const given = (settings[index] ?? []).flatMap(setting =>
      axes
        .filter(axis => axisId(axis) === axisId(setting))
        .map(axis => [axis.key, configValue(axis, setting)] as const),
    );
    const values = Object.fromEntries([...defaults, ...given]);
    const offered = entries.filter(({ when }) => holds(when, config, values)).map(({ entry }) => textOf(entry));
    const wanted = new Map(listed.map(entry => [textOf(entry), entry.place]));
    for (const [text, place] of wanted) if (offered.filter(one => one === text).length !== 1) wrong.add(place);
    for (const { entry } of entries)
      if (offered.includes(textOf(entry)) && !wanted.has(textOf(entry))) wrong.add(entry.place);
  }
  return wrong;
}

function textOf({ place, raw }: ServerEntry): string {
  return JSON.stringify([place, raw]);
}
