// B6. In: the errors of an item without code. Out: what stands in `match` and can never come: HTTP statuses are of services, exit codes of
// programs, SQLSTATE and codes of drivers of databases.
import type { CallKind } from '../../schema/backend/calls.js';
import { type FailureKind, failureKinds } from '../../schema/backend/failures.js';
import type { BackendDefinition } from '../../schema/definitions.js';
import { diagnose } from '../../schema/diagnostics.js';
import { asList, asMap, type Locator } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import type { Scope } from './link-item.js';

interface MatchRule {
  /** What can come. */
  readonly words: string;
  isPossible(text: string): boolean;
}

/** Of the system, such as ENOENT, and of TLS. */
const systemCode = /^(?:E[A-Z0-9_]+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/;

const services: MatchRule = {
  words: 'a failed request has a status from 300 to 599 (404, 5xx), or a code such as ECONNREFUSED',
  isPossible: text => /^[345](?:xx|\d\d)$/i.test(text) || systemCode.test(text),
};

function programs(ok: unknown): MatchRule {
  const fine = asList(ok ?? [0]).map(String);
  return {
    words:
      'a failed program has an exit code up to 255 that is not in `ok`, a signal such as SIGKILL, or a code such as ENOENT',
    isPossible: text =>
      (/^\d{1,3}$/.test(text) && Number(text) <= 255 && !fine.includes(text)) ||
      /^SIG[A-Z0-9]+$/.test(text) ||
      systemCode.test(text),
  };
}

const sqlite: MatchRule = {
  words: 'SQLite answers with codes such as SQLITE_BUSY or SQLITE_CONSTRAINT_UNIQUE',
  isPossible: text => /^SQLITE_[A-Z_]+$/.test(text) || systemCode.test(text),
};

const postgres: MatchRule = {
  words: 'PostgreSQL answers with a SQLSTATE of five characters, such as "23505"',
  isPossible: text => /^[0-9A-Z]{5}$/.test(text) || systemCode.test(text),
};

const databases: MatchRule = {
  words: 'databases answer with a SQLSTATE such as "23505", or a code such as SQLITE_BUSY',
  isPossible: text => sqlite.isPossible(text) || postgres.isPossible(text),
};

/** Undefined: another server may answer with any code. */
function ruleOf(kind: CallKind, call: unknown, backend: BackendDefinition | undefined): MatchRule | undefined {
  switch (kind) {
    case 'http':
      return services;
    case 'exec':
      return programs(asMap(call)['ok']);
    case 'sql':
      return backend?.type === 'sqlite' ? sqlite : backend?.type === 'postgres' ? postgres : databases;
    case 'mcp':
      return undefined;
    default:
      return kind satisfies never;
  }
}

export interface MatchedItem {
  readonly kind: CallKind;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly backend: BackendDefinition | undefined;
  readonly at: Locator;
}

export function linkMatches(
  { kind, raw, backend, at }: MatchedItem,
  { diagnostics }: Pick<Scope, 'diagnostics'>,
): void {
  const rule = ruleOf(kind, raw[kind], backend);
  if (rule === undefined) return;
  for (const [error, entry] of Object.entries(asMap(raw['errors']))) {
    for (const [index, one] of asList(asMap(entry)['match']).entries()) {
      if (typeof one !== 'string' && typeof one !== 'number') continue;
      const match = String(one);
      const path = ['errors', error, 'match', index];
      if (rule.isPossible(match) || failureKinds.includes(match as FailureKind)) continue;
      // A number that is read as another one has its diagnostic already.
      if (typeof one === 'number' && at.source(path)?.trim() !== match) continue;
      const hint = typeof one === 'string' ? didYouMean(match, failureKinds) : undefined;
      diagnostics.push(diagnose('backend/idle-match', { match, error, reason: rule.words }, at.site(path), { hint }));
    }
  }
}
