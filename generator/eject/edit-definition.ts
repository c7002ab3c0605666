// In: the text of a manifest, where the key of a backend is in it, and what the definition needs once a handler does the work. Out: the text
// without the key, with every other byte; undefined where it is written in a way that cannot be changed safely.
import { getLocation } from 'jsonc-parser';
import type { Site } from '../../schema/diagnostics.js';
import { lineStarts } from '../../schema/parse/lines.js';
import { aroundMark } from '../edit/byte-order-mark.js';
import { addYamlMember, findYamlMap, type MapPlace, removeYamlMember, setYamlText } from '../edit/change-yaml-map.js';
import { removeFromJson, setInJson } from '../edit/edit-json.js';

export interface DefinitionChange {
  /** Keys to remove; the first is the one that `site` is of. */
  readonly removed: readonly [string, ...string[]];
  /** Keys to add, with strings. */
  readonly added: Readonly<Record<string, string>>;
  /** Keys of `config:` that `requires` must name, and what it has now. */
  readonly required: readonly string[];
  readonly requires: Readonly<Record<string, unknown>> | undefined;
}

export function editDefinition(
  text: string,
  site: Site,
  change: DefinitionChange,
  isJson: boolean,
): string | undefined {
  return aroundMark(text, body => {
    const offset = (lineStarts(body)[site.line - 1] ?? 0) + site.column - 1;
    return isJson ? editJson(body, offset, change) : editYaml(body, offset, change);
  });
}

function editJson(text: string, offset: number, { removed, added, required }: DefinitionChange): string {
  const path = getLocation(text, offset + 1).path.slice(0, -1);
  const additions: readonly (readonly [readonly (string | number)[], string])[] = [
    ...Object.entries(added).map(([key, value]) => [[...path, key], value] as const),
    ...required.map(key => [[...path, 'requires', key], 'required'] as const),
  ];
  const grown = additions.reduce((body, [at, value]) => setInJson(body, at, value), text);
  return removed.reduce((body, key) => removeFromJson(body, [...path, key]), grown);
}

type Edit = (text: string) => string | undefined;

function editYaml(text: string, offset: number, change: DefinitionChange): string | undefined {
  const place = findYamlMap(text, offset);
  if (place === undefined) return undefined;
  const { removed, added } = change;
  const [backend] = removed;
  const edits: readonly Edit[] = [
    ...Object.entries(added).map(
      (member): Edit =>
        body =>
          addYamlMember(body, place, backend, member),
    ),
    ...requireInYaml(place, backend, change),
    ...removed.map(
      (key): Edit =>
        body =>
          removeYamlMember(body, place, key),
    ),
  ];
  return edits.reduce<string | undefined>((body, edit) => (body === undefined ? undefined : edit(body)), text);
}

function requireInYaml(place: MapPlace, backend: string, { required, requires }: DefinitionChange): readonly Edit[] {
  if (required.length === 0) return [];
  const [first] = Object.keys(requires ?? {});
  if (requires === undefined || first === undefined) {
    const value = Object.fromEntries(required.map(key => [key, 'required']));
    const add: Edit = body => addYamlMember(body, place, backend, ['requires', value]);
    return requires === undefined ? [add] : [body => removeYamlMember(body, place, 'requires'), add];
  }
  const inside = { ...place, path: [...place.path, 'requires'] };
  return required.map((key): Edit => {
    if (Object.hasOwn(requires, key)) return body => setYamlText(body, inside, key, 'required');
    return body => addYamlMember(body, inside, first, [key, 'required']);
  });
}
