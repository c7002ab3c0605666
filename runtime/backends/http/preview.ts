// B8. In: a request that is not sent. Out: what would be sent, for `--dry-run`. Credentials and what comes from the configuration into headers
// are never looked up, so that none of it can be shown.
import { isUtf8 } from 'node:buffer';
import type { BackendAuth, HttpBackendDefinition } from '../../../schema/definitions.js';
import type { HttpRequest } from '../../../schema/support/mcp/backends.js';
import { mask } from '../mask.js';
import type { BackendScope } from '../ports.js';
import { fixedCredentials } from './auth.js';
import { parseBaseUrl } from './base-url.js';
import { configValue, fillAddress, fillConfig } from './config-values.js';
import { encodeRequest } from './encode-request.js';
import { encodeHeaders } from './header-values.js';
import { withQuery } from './sender.js';
import { standardHeaders } from './site.js';

/** Stands for an address that is not set; it is taken out again. */
const unset = 'http://unset.invalid';

export function printRequest(
  name: string,
  definition: HttpBackendDefinition | undefined,
  request: HttpRequest,
  scope: Pick<BackendScope, 'settings'>,
): string {
  const address = definition === undefined ? undefined : addressOf(definition, scope);
  const base = address === undefined ? undefined : parseBaseUrl(address.url, name);
  const { method, url, target = '', headers, body } = encodeRequest(request, base);
  const { headers: proof, query } = credentialsOf(definition?.auth);
  const own = Object.entries(definition?.headers ?? {}).map(([key, text]) => [key, fillConfig(text, () => mask)]);
  const given = headers['authorization'] === undefined ? headers : { ...headers, authorization: mask };
  const all = { ...standardHeaders, ...encodeHeaders(Object.fromEntries(own)), ...given, ...proof };
  const whole = withQuery(url ?? `${base?.origin}${target}`, query);
  const shown = address?.unsetKey === undefined ? whole : whole.replace(unset, `{config.${address.unsetKey}}`);
  const lines = [`${method} ${shown}`, ...Object.entries(all).map(([key, value]) => `${key}: ${value}`)];
  if (body !== undefined) lines.push('', printBody(body));
  return scope.settings.redact(lines.join('\n'));
}

/** A dry run also helps before everything is set. */
function addressOf(
  { url }: HttpBackendDefinition,
  scope: Pick<BackendScope, 'settings'>,
): { readonly url: string; readonly unsetKey: string | undefined } {
  let unsetKey: string | undefined;
  const filled = fillAddress(url, key => {
    const value = configValue(key, scope);
    if (value === undefined) unsetKey ??= key;
    return value === undefined ? unset : String(value);
  });
  const isWhole = unsetKey === undefined || filled.startsWith(unset);
  return isWhole ? { url: filled, unsetKey } : { url: filled.replaceAll(unset, 'unset'), unsetKey: undefined };
}

function credentialsOf(auth: BackendAuth | undefined): {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string | undefined;
} {
  const none = { headers: {}, query: undefined };
  if (auth === undefined) return none;
  if ('basic' in auth) return { ...none, headers: { authorization: `Basic ${mask}` } };
  if ('query' in auth) return { ...none, query: `${encodeURIComponent(auth.query)}=${mask}` };
  if ('clientCredentials' in auth || 'caller' in auth) return { ...none, headers: { authorization: `Bearer ${mask}` } };
  return fixedCredentials(auth, () => mask);
}

function printBody(body: Uint8Array | string): string {
  if (typeof body === 'string') return body;
  return isUtf8(body) ? Buffer.from(body).toString('utf8') : `(${body.length} bytes)`;
}
