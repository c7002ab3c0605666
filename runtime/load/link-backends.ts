// In: `backends` of toolwright.yaml. Out: those that items and handlers can use, and every mistake in them: settings that do not exist, secrets
// where they would be seen, addresses that cannot be right.
import { authKeysOf, type Backends, conditionsOf, placeRules, textsOfBackend } from '../../schema/backend/calls.js';
import { parseText, placeholdersOf } from '../../schema/backend/text.js';
import type { BackendDefinition } from '../../schema/definitions.js';
import { diagnose, type Site } from '../../schema/diagnostics.js';
import type { Locator } from '../../schema/document.js';
import { findKey } from './link-inputs.js';
import type { Scope } from './link-item.js';

export function linkBackends(backends: Backends, at: Locator, scope: Pick<Scope, 'config' | 'diagnostics'>): void {
  for (const [name, backend] of Object.entries(backends)) linkOne(name, backend, at, scope);
}

function linkOne(
  name: string,
  backend: BackendDefinition,
  at: Locator,
  scope: Pick<Scope, 'config' | 'diagnostics'>,
): void {
  const base = ['backends', name];
  for (const { place, path, text } of textsOfBackend(backend, base)) {
    const rule = placeRules[place];
    const { parts, problems } = parseText(text);
    for (const { tag, nth, reason } of problems)
      scope.diagnostics.push(diagnose('backend/syntax', { tag, reason }, at.find(path, tag, nth)));
    for (const { of, name: key, tag, nth } of placeholdersOf(parts)) {
      const site = (): Site => at.find(path, tag, nth);
      const isSecret = of === 'config' && findKey(key, site, scope)?.secret === true;
      const what =
        of === 'argument' ? 'an argument' : isSecret && !rule.takes.includes('secret') ? 'a secret' : undefined;
      const words = of === 'argument' ? 'a backend' : rule.words;
      if (what !== undefined)
        scope.diagnostics.push(diagnose('backend/wrong-place', { tag, what, place: words }, site()));
    }
  }
  for (const { key, path } of conditionsOf(backend, base)) findKey(key, () => at.site(path), scope);
  for (const { key, path, isSecret } of authKeysOf(backend, base)) {
    const entry = findKey(key, () => at.site(path), scope);
    if (isSecret && entry !== undefined && entry.secret !== true)
      scope.diagnostics.push(diagnose('backend/open-secret', { name: key }, at.site(path)));
  }
  const expected = wrongAddress(backend);
  if (expected !== undefined)
    scope.diagnostics.push(diagnose('backend/address', { name, expected }, at.site([...base, 'url'])));
}

/** What the address should be; undefined where it is that, or where the operator decides. */
function wrongAddress({ type, url }: BackendDefinition): string | undefined {
  if (typeof url !== 'string' || url.startsWith('{')) return undefined;
  const scheme = /^([a-z]+):/i.exec(url)?.[1]?.toLowerCase() ?? '';
  const isSqlite = scheme === 'sqlite' || scheme === 'file';
  const isPostgres = scheme === 'postgres' || scheme === 'postgresql';
  switch (type) {
    case 'http':
    case 'mcp':
      return scheme === 'http' || scheme === 'https' ? undefined : 'an address with http: or https:';
    case 'sqlite':
      return isSqlite ? undefined : 'the address of a SQLite file, such as sqlite:data/main.db';
    case 'postgres':
      return isPostgres ? undefined : 'the address of a PostgreSQL database, such as postgres://localhost/main';
    case 'sql':
      return isSqlite || isPostgres ? undefined : 'an address with sqlite: or postgres:';
    default:
      return type satisfies never;
  }
}
