// What an API wants to know of its callers. In: security schemes and requirements. Out: SecurityScheme by name, and alternatives.
import { isMap } from '../../../../schema/document.js';
import { didYouMean } from '../../../../schema/nearest.js';
import type { ApiOperation, Placed, SecurityScheme } from '../api.js';
import { partOf } from './library.js';
import {
  asPlacedMap,
  type Fields,
  followMap,
  isExtension,
  mapAt,
  membersOf,
  type PlacedMap,
  partsOf,
  type Reader,
  textOf,
  textsOf,
} from './reader.js';

type Schemes = Record<string, SecurityScheme>;
type Security = ApiOperation['security'];

export function readSchemes(reader: Reader, root: PlacedMap): Schemes {
  const found: Schemes = {};
  const components = mapAt(reader, root, 'components');
  const shelves = [
    components === undefined ? undefined : mapAt(reader, components, 'securitySchemes'),
    mapAt(reader, root, 'securityDefinitions'),
  ];
  for (const shelf of shelves) {
    for (const [name, placed] of shelf === undefined ? [] : membersOf(shelf)) {
      const scheme = isExtension(name) ? undefined : followMap(reader, placed, name);
      if (scheme !== undefined && !Object.hasOwn(found, name)) found[name] = readScheme(scheme.value);
    }
  }
  return found;
}

function readScheme(value: Fields): SecurityScheme {
  const described = describe(value);
  const type = textOf(value.type)?.toLowerCase();
  switch (type) {
    case 'basic':
      return { type: 'http', scheme: 'basic', ...described };
    case 'http': {
      const scheme = textOf(value.scheme)?.trim().toLowerCase();
      return scheme === undefined ? { type: 'unknown', ...described } : { type, scheme, ...described };
    }
    case 'apikey': {
      const name = textOf(value.name)?.trim();
      const place = textOf(value.in)?.toLowerCase();
      if (name === undefined || (place !== 'query' && place !== 'header' && place !== 'cookie'))
        return { type: 'unknown', ...described };
      return { type: 'apiKey', in: place, name, ...described };
    }
    case 'oauth2':
      return { type, ...readFlows(value), ...described };
    case 'openidconnect':
      return { type: 'openIdConnect', ...described };
    case 'mutualtls':
      return { type: 'mutualTLS', ...described };
    default:
      return { type: 'unknown', ...described };
  }
}

function describe(value: Fields): { description?: string } {
  const description = textOf(value.description);
  return description === undefined ? {} : { description };
}

function readFlows(value: Fields): { readonly tokenUrl?: string } {
  // 2.0 has one flow, and calls it differently.
  const written = isMap(value.flows) ? value.flows : { [textOf(value.flow) ?? '']: value };
  const [only, ...others] = Object.entries(written).filter(([name]) => !isExtension(name));
  const [name = '', flow] = only ?? [];
  // Where a person can log in, a token of that person is what is meant.
  const isForPrograms = others.length === 0 && (name === 'clientCredentials' || name === 'application');
  const tokenUrl = isForPrograms && isMap(flow) ? textOf(flow.tokenUrl) : undefined;
  return tokenUrl === undefined ? {} : { tokenUrl };
}

/** Requirements are checked against the schemes, and an unknown name is reported where it stands first. */
export interface SecurityReader {
  /** Undefined where nothing is said. */
  read(owner: PlacedMap): Security | undefined;
}

export function openSecurity(reader: Reader, schemes: Schemes): SecurityReader {
  const unknown = new Set<string>();
  return {
    read(owner) {
      const written = partOf(owner, 'security');
      if (written === undefined || written.value === null) return undefined;
      const all = alternativesOf(written);
      const found = all.flatMap(one => {
        const alternative = readAlternative(one);
        return alternative === undefined ? [] : [alternative];
      });
      return found.every(one => one.length === 0) ? [] : found;
    },
  };

  /** Undefined where it names what does not exist. */
  function readAlternative(placed: Placed): Security[number] | undefined {
    const requirement = asPlacedMap(reader, placed, 'security');
    if (requirement === undefined) return undefined;
    const found: { scheme: string; scopes: readonly string[] }[] = [];
    for (const [scheme, scopes] of partsOf(requirement)) {
      if (isExtension(scheme)) continue;
      if (!isKnown(scheme, requirement)) return undefined;
      found.push({ scheme, scopes: textsOf(scopes.value) });
    }
    return found;
  }

  function isKnown(scheme: string, requirement: PlacedMap): boolean {
    if (Object.hasOwn(schemes, scheme) || isReference(scheme, requirement)) return true;
    if (!unknown.has(scheme)) {
      unknown.add(scheme);
      const params = { what: scheme, reason: 'the document has no security scheme of this name' };
      const hint = didYouMean(scheme, Object.keys(schemes));
      const [, place] = partsOf(requirement).find(([name]) => name === scheme) ?? [];
      reader.library.report(
        'import/ignored',
        params,
        { pointer: (place ?? requirement).pointer, side: 'key' },
        { hint },
      );
    }
    return false;
  }

  /** 3.2: schemes of other files are named by their address. */
  function isReference(scheme: string, requirement: PlacedMap): boolean {
    if (reader.version !== '3.2' || !/[#/]/.test(scheme)) return false;
    const found = reader.library.resolve(scheme, requirement.pointer);
    if (found === undefined || !isMap(found.value)) return false;
    schemes[scheme] = readScheme(found.value);
    return true;
  }
}

/** A map alone is a list of one, a name alone a scheme without scopes. */
function alternativesOf(written: Placed): readonly Placed[] {
  if (isMap(written.value)) return [written];
  if (!Array.isArray(written.value)) return [];
  return written.value.flatMap((one: unknown, index) => {
    const placed = partOf(written, String(index));
    if (placed === undefined || one === null) return [];
    return [typeof one === 'string' ? { value: { [one]: [] }, pointer: placed.pointer } : placed];
  });
}
