// In: a list as a server gave it. Out: its entries by what clients know them by; what no client could use is left out.
import type { Offer } from '../../../runtime/backends/mcp/list-all.js';
import type { HandledKind } from '../../../schema/definitions.js';
import { isMap } from '../../../schema/document.js';
import type { LeftOut } from '../imported.js';

export interface ServerEntry {
  readonly kind: HandledKind;
  /** The name on the wire; of a resource its address or template. */
  readonly id: string;
  /** For people: `tool get_issue`. */
  readonly place: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface ServerEntries {
  readonly entries: readonly ServerEntry[];
  readonly leftOut: readonly LeftOut[];
}

interface ListForm {
  readonly of: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  readonly kind: HandledKind;
  /** The member that clients know an entry by. */
  readonly key: 'name' | 'uri' | 'uriTemplate';
  readonly word: string;
}

const forms: readonly ListForm[] = [
  { of: 'tools', kind: 'tool', key: 'name', word: 'tool' },
  { of: 'prompts', kind: 'prompt', key: 'name', word: 'prompt' },
  { of: 'resources', kind: 'resource', key: 'uri', word: 'resource' },
  { of: 'resourceTemplates', kind: 'resource', key: 'uriTemplate', word: 'template' },
];

/** In the order of the lists. */
export function readEntries(offer: Offer): ServerEntries {
  const entries: ServerEntry[] = [];
  const leftOut: LeftOut[] = [];
  for (const { of, kind, key, word } of forms) {
    const seen = new Set<string>();
    for (const [index, raw] of offer[of].entries()) {
      const nth = `${word} ${index + 1} of the list`;
      if (!isMap(raw)) {
        leftOut.push({ from: { place: nth }, reason: 'it is not an object' });
        continue;
      }
      const id = raw[key];
      if (typeof id !== 'string' || id.trim() === '') {
        leftOut.push({ from: { place: nth }, reason: `it has no ${key}` });
        continue;
      }
      const place = `${word} ${id}`;
      if (seen.has(id)) {
        leftOut.push({ from: { id, place }, reason: `another ${word} has the same ${key} and stands before it` });
        continue;
      }
      seen.add(id);
      entries.push({ kind, id, place, raw });
    }
  }
  return { entries, leftOut };
}
