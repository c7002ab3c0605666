// In: what a server lists, and the values that it was given. Out: the same without these: a server may show what it is connected to.
import type { Offer } from '../../../runtime/backends/mcp/list-all.js';
import { createRedact } from '../../../runtime/call/context/secret-forms.js';
import { isMap, setOwn } from '../../../schema/document.js';
import { isSecretName, type ServerPlace, whatSecret } from './secrets.js';

/** Names and values, as `createRedact` takes them. */
export type Secrets = readonly (readonly [name: string, value: string])[];

/** Shorter values of variables without a telling name are words that texts have anyway. */
const shortestValue = 8;

export function secretsOf(
  place: ServerPlace & {
    readonly env?: Readonly<Record<string, string>> | undefined;
    readonly bearer?: string | undefined;
  },
  more: Readonly<Record<string, string>>,
): Secrets {
  const { env = {}, bearer } = place;
  const given = Object.entries({ ...env, ...more }).filter(
    ([name, value]) => isSecretName(name) || whatSecret(value) !== undefined || value.length >= shortestValue,
  );
  return bearer === undefined ? given : [...given, ['BEARER', bearer]];
}

export interface Hidden {
  readonly offer: Offer;
  /** Where which value stood. */
  readonly hidden: readonly { readonly name: string; readonly places: readonly string[] }[];
}

export function hideSecrets(offer: Offer, secrets: Secrets): Hidden {
  const places = new Map<string, Set<string>>();
  let place = '';
  const redacts = secrets.map(one => [one[0], createRedact([one])] as const);
  const clean = (text: string): string => {
    let cleaned = text;
    for (const [name, redact] of redacts) {
      const next = redact(cleaned);
      if (next === cleaned) continue;
      cleaned = next;
      places.set(name, (places.get(name) ?? new Set()).add(place));
    }
    return cleaned;
  };
  const at = (label: string, value: unknown): unknown => {
    place = label;
    return mapTexts(value, clean);
  };
  const list = (kind: string, entries: readonly unknown[]): readonly unknown[] =>
    entries.map((one, index) =>
      at(`${kind} ${isMap(one) && typeof one['name'] === 'string' ? one['name'] : index + 1}`, one),
    );
  if (redacts.length === 0) return { offer, hidden: [] };
  const cleaned: Offer = {
    ...offer,
    tools: list('tool', offer.tools),
    prompts: list('prompt', offer.prompts),
    resources: list('resource', offer.resources),
    resourceTemplates: list('template', offer.resourceTemplates),
    instructions: offer.instructions === undefined ? undefined : String(at('the instructions', offer.instructions)),
    serverInfo: at('the server', offer.serverInfo) as Offer['serverInfo'],
  };
  return {
    offer: cleaned,
    hidden: [...places].map(([name, all]) => ({ name, places: [...all].map(one => clean(one)) })),
  };
}

/** The very value where nothing in it changes. Keys are texts, too. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const mapped = value.map(one => mapTexts(one, change));
    return mapped.some((one, index) => one !== value[index]) ? mapped : value;
  }
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change), key, one] as const);
  if (entries.every(([key, one, before, old]) => key === before && one === old)) return value;
  const mapped = {};
  for (const [key, one] of entries) setOwn(mapped, key, one);
  return mapped;
}
