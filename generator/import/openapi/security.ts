// In: the security schemes of an API, and what an operation needs. Out: settings, and what a backend sends to prove who asks.

import type { BackendAuth } from '../../../schema/definitions.js';
import { literalText } from '../literal-text.js';
import type { Api, ApiOperation, SecurityScheme } from './api.js';
import { settingName } from './names.js';
import { cleanText, firstSentence } from './schema-text.js';

export type Config = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Proof {
  /** Of the schemes; empty where nothing is sent. */
  readonly schemes: readonly string[];
  readonly auth?: BackendAuth | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly config: Config;
}

interface Found {
  readonly proof: Proof;
  readonly problem?: string | undefined;
}

export interface Security {
  /** What is sent for an operation, and why what it needs cannot be. */
  of(operation: ApiOperation): Found;
  /** Without the parameters that say what the proof says: many documents have a key as both. */
  withoutProof(operation: ApiOperation): ApiOperation;
}

type Alternative = ApiOperation['security'][number];

const noProof: Proof = { schemes: [], headers: {}, config: {} };

const byHand = 'has to be added by hand';

/** Where a value stands in requests; undefined for what is not a key. */
function placeOf(
  value: { readonly in: string; readonly name: string } | SecurityScheme | undefined,
): string | undefined {
  if (value === undefined || !('in' in value)) return undefined;
  const { in: place, name } = value;
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/** How good a way is; the last one cannot be gone. */
function rankOf(scheme: SecurityScheme | undefined): number {
  if (scheme === undefined) return Number.POSITIVE_INFINITY;
  switch (scheme.type) {
    case 'oauth2':
    case 'openIdConnect':
      return 0;
    case 'http':
      if (scheme.scheme === 'bearer') return 0;
      return scheme.scheme === 'basic' ? 3 : Number.POSITIVE_INFINITY;
    case 'apiKey':
      return { header: 1, query: 2, cookie: 4 }[scheme.in];
    case 'mutualTLS':
    case 'unknown':
      return Number.POSITIVE_INFINITY;
    default:
      return scheme satisfies never;
  }
}

export function openSecurity(api: Api, name: string): Security {
  const known = new Map<string, Found>();
  return {
    of({ security, parameters }) {
      const found = chosenFor(security);
      if (found.problem !== undefined || found.proof.schemes.length > 0) return found;
      const header = parameters.find(one => one.in === 'header' && one.name.toLowerCase() === 'authorization');
      return header === undefined ? found : { ...found, problem: `the header ${header.name} ${byHand}` };
    },
    withoutProof(operation) {
      const { parameters, security } = operation;
      const sent = new Set(chosenFor(security).proof.schemes.map(scheme => placeOf(schemeOf(scheme))));
      const kept = parameters.filter(one => !sent.has(placeOf(one)));
      return kept.length === parameters.length ? operation : { ...operation, parameters: kept };
    },
  };

  function chosenFor(security: ApiOperation['security']): Found {
    const key = JSON.stringify(security);
    const found = known.get(key) ?? choose(security);
    known.set(key, found);
    return found;
  }

  function choose(security: ApiOperation['security']): Found {
    // That nothing is needed counts only where nothing else would do: with a token there is more to see.
    const needed = security.filter(one => one.length > 0);
    if (needed.length === 0) return { proof: noProof };
    const ranked = needed
      .map(one => ({ one, rank: Math.max(...one.map(({ scheme }) => rankOf(schemeOf(scheme)))) }))
      .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
      .sort((a, b) => a.rank - b.rank);
    for (const { one } of ranked) {
      const proof = proofOf(one);
      if (proof !== undefined) return { proof };
    }
    if (needed.length < security.length) return { proof: noProof };
    const [first = []] = needed;
    return {
      proof: noProof,
      problem: `${first.map(({ scheme }) => describeScheme(scheme)).join(' with ')} ${byHand}`,
    };
  }

  function schemeOf(scheme: string): SecurityScheme | undefined {
    return Object.hasOwn(api.schemes, scheme) ? api.schemes[scheme] : undefined;
  }

  function describeScheme(scheme: string): string {
    const one = schemeOf(scheme);
    return one?.type === 'http' ? `${scheme} (http ${one.scheme})` : `${scheme} (${one?.type ?? 'unknown'})`;
  }

  /** Several at once: one in `auth`, the others in headers. Undefined where two of them need `auth`. */
  function proofOf(alternative: Alternative): Proof | undefined {
    const parts = alternative.map(({ scheme, scopes }) => partOf(scheme, scopes));
    const whole = parts.filter(({ header }) => header === undefined);
    if (whole.length > 1) return undefined;
    const [first] = whole.length === 1 ? whole : parts;
    const headers: Record<string, string> = {};
    for (const { header, isCookie } of parts) {
      if (header === undefined) continue;
      const [wire, value] = header;
      const known = Object.keys(headers).find(one => one.toLowerCase() === wire.toLowerCase());
      if (known === undefined) headers[wire] = value;
      // Two tokens for one header are one: nobody can send both.
      else if (isCookie === true) headers[known] += `; ${value}`;
    }
    const hasAuthorization = Object.keys(headers).some(one => one.toLowerCase() === 'authorization');
    // `auth` writes that header, too.
    if (hasAuthorization && whole.length === 1 && first?.auth !== undefined && !('query' in first.auth))
      return undefined;
    const config = Object.assign({}, ...parts.map(part => part.config)) as Config;
    const schemes = alternative.map(({ scheme }) => scheme);
    const ownHeader = first?.header?.[0];
    if (ownHeader !== undefined && first?.isCookie !== true) delete headers[ownHeader];
    return { schemes, auth: first?.auth, headers, config };
  }

  interface Part {
    readonly auth?: BackendAuth;
    /** The same as a header; undefined where only `auth` can say it. */
    readonly header?: readonly [name: string, value: string] | undefined;
    readonly isCookie?: boolean;
    readonly config: Config;
  }

  function partOf(name: string, scopes: readonly string[]): Part {
    const scheme = schemeOf(name);
    switch (scheme?.type) {
      case 'http':
        return scheme.scheme === 'basic' ? basic(scheme, name) : bearer(scheme, name);
      case 'oauth2':
        return scheme.tokenUrl === undefined ? bearer(scheme) : clientCredentials(scheme, scheme.tokenUrl, scopes);
      case 'apiKey':
        return apiKey(name, scheme);
      default:
        return bearer(scheme);
    }
  }

  /** Two schemes of one kind are two secrets; a token of OAuth may be the same as one without. */
  function ownWords(scheme: SecurityScheme | undefined, schemeName: string): readonly string[] {
    const isAlike = (one: SecurityScheme): boolean =>
      scheme?.type === 'http' && one.type === 'http' && one.scheme === scheme.scheme;
    return Object.values(api.schemes).filter(isAlike).length > 1 ? [name, schemeName] : [name];
  }

  function bearer(scheme: SecurityScheme | undefined, schemeName = ''): Part {
    const key = settingName(...ownWords(scheme, schemeName.replace(/[_-]?token$/i, '')), 'token');
    const config = { [key]: secret(scheme, `Token for ${titleOf(api)}`) };
    return { auth: { bearer: key }, header: ['Authorization', `Bearer {config.${key}}`], config };
  }

  function basic(scheme: SecurityScheme, schemeName: string): Part {
    const own = ownWords(scheme, schemeName);
    const [user, password] = [settingName(...own, 'user'), settingName(...own, 'password')];
    const config = {
      [user]: { type: 'string', description: `User name for ${titleOf(api)}` },
      [password]: secret(scheme, `Password for ${titleOf(api)}`),
    };
    return { auth: { basic: [user, password] }, config };
  }

  function clientCredentials(scheme: SecurityScheme, url: string, scopes: readonly string[]): Part {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return bearer(scheme);
    const [id, key] = [settingName(name, 'client', 'id'), settingName(name, 'client', 'secret')];
    const config = {
      [id]: { type: 'string', description: `Client id for ${titleOf(api)}` },
      [key]: secret(scheme, `Client secret for ${titleOf(api)}`),
    };
    const scope = scopes.join(' ');
    return {
      auth: {
        clientCredentials: {
          tokenUrl: literalText(url),
          id,
          secret: key,
          ...(scope === '' ? {} : { scope: literalText(scope) }),
        },
      },
      config,
    };
  }

  function apiKey(scheme: string, described: SecurityScheme & { readonly type: 'apiKey' }): Part {
    const keys = Object.values(api.schemes).filter(one => one.type === 'apiKey');
    // One key may stand in the query or in a header.
    const isOnly = new Set(keys.map(one => (one.type === 'apiKey' ? one.name.toLowerCase() : ''))).size <= 1;
    const key = isOnly ? settingName(name, 'api', 'key') : settingName(name, scheme);
    const config = { [key]: secret(described, `Key for ${titleOf(api)}`) };
    if (described.in === 'query') return { auth: { query: described.name, value: key }, config };
    if (described.in === 'cookie')
      return { header: ['Cookie', `${literalText(described.name)}={config.${key}}`], isCookie: true, config };
    return { auth: { header: described.name, value: key }, header: [described.name, `{config.${key}}`], config };
  }
}

function secret(scheme: SecurityScheme | undefined, otherwise: string): Readonly<Record<string, unknown>> {
  const about = firstSentence(cleanText(scheme?.description), 200);
  return { type: 'string', secret: true, description: about === '' ? otherwise : about };
}

function titleOf({ title }: Api): string {
  return firstSentence(cleanText(title), 80);
}
