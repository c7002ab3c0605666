// In: the security schemes of an API, and what an operation needs. Out: settings, and what a backend sends to prove who asks.

import type { BackendAuth } from '../../../schema/definitions.js';
import { asMap } from '../../../schema/document.js';
import { literalText } from '../literal-text.js';
import type { Api, ApiOperation, SecurityScheme } from './api.js';
import { settingName } from './names.js';
import { below } from './pointer.js';
import { cleanText, firstSentence } from './schema-text.js';

export type Config = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Proof {
  /** Of the schemes; empty where nothing is sent. */
  readonly schemes: readonly string[];
  readonly auth?: BackendAuth | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly config: Config;
}

export interface Security {
  /** What is sent for an operation, and why what it needs cannot be. */
  of(operation: ApiOperation): { readonly proof: Proof; readonly problem?: string | undefined };
}

type Alternative = ApiOperation['security'][number];

const noProof: Proof = { schemes: [], headers: {}, config: {} };

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
  const known = new Map<string, { readonly proof: Proof; readonly problem?: string | undefined }>();
  return {
    of({ security }) {
      const key = JSON.stringify(security);
      let found = known.get(key);
      if (found === undefined) {
        found = choose(security);
        known.set(key, found);
      }
      return found;
    },
  };

  function choose(security: ApiOperation['security']): { readonly proof: Proof; readonly problem?: string } {
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
      problem: `${first.map(({ scheme }) => describeScheme(scheme)).join(' with ')} has to be added by hand`,
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
    for (const { header } of parts) {
      const isKnown =
        header !== undefined && Object.keys(headers).some(one => one.toLowerCase() === header[0].toLowerCase());
      // Two tokens for one header are one: nobody can send both.
      if (header !== undefined && !isKnown) headers[header[0]] = header[1];
    }
    // `auth` writes that header, too.
    if (
      whole.length === 1 &&
      first?.auth !== undefined &&
      !('query' in first.auth) &&
      headers['Authorization'] !== undefined
    )
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
        return scheme.scheme === 'basic' ? basic(scheme) : bearer(scheme);
      case 'oauth2':
        return scheme.tokenUrl !== undefined && isOnlyForPrograms(name)
          ? clientCredentials(scheme, scheme.tokenUrl, scopes)
          : bearer(scheme);
      case 'apiKey':
        return apiKey(name, scheme);
      default:
        return bearer(scheme);
    }
  }

  function bearer(scheme: SecurityScheme | undefined): Part {
    const key = settingName(name, 'token');
    const config = { [key]: secret(scheme, `Token for ${titleOf(api)}`) };
    return { auth: { bearer: key }, header: ['Authorization', `Bearer {config.${key}}`], config };
  }

  function basic(scheme: SecurityScheme): Part {
    const [user, password] = [settingName(name, 'user'), settingName(name, 'password')];
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

  /** Where a person can log in, a token of that person is what is meant. */
  function isOnlyForPrograms(scheme: string): boolean {
    // 2.0 has one flow only.
    if (api.version === '2.0') return true;
    const { flows } = asMap(api.resolve(below('#', 'components', 'securitySchemes', scheme))?.value);
    return Object.keys(asMap(flows)).filter(one => !one.startsWith('x-')).length <= 1;
  }
}

function secret(scheme: SecurityScheme | undefined, otherwise: string): Readonly<Record<string, unknown>> {
  const about = firstSentence(cleanText(scheme?.description), 200);
  return { type: 'string', secret: true, description: about === '' ? otherwise : about };
}

function titleOf({ title }: Api): string {
  return firstSentence(cleanText(title), 80);
}
