// What clients may take of a server over HTTP. Docs: docs/guides/http.md, "Limits". One caller gets half of what all get together, so
// that nobody can lock the others out alone.

export interface HttpLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Requests that handlers work on. */
  readonly calls: number;
  readonly callsPerCaller: number;
  /** Their bodies, as they came: parsed, each may be ten times as large. */
  readonly callBytes: number;
  readonly callBytesPerCaller: number;
  /** Bodies that are not complete yet, in bytes. */
  readonly receiving: number;
  readonly receivingPerAddress: number;
  /** Of 2025. */
  readonly sessions: number;
  readonly sessionsPerCaller: number;
  /** What one answer or stream may let wait that its client does not read, in bytes. */
  readonly unread: number;
  readonly unreadOfAll: number;
  /** Without any progress of an answer. */
  readonly writeTimeoutMs: number;
  /** Until a route of the author's own has an answer. */
  readonly routeMs: number;
  /** What all sessions keep for clients that come back, in characters. */
  readonly events: number;
  /** Wrong tokens of one address within a minute. */
  readonly wrongTokens: number;
}

export const usualLimits: HttpLimits = {
  connections: 1024,
  connectionsPerAddress: 512,
  calls: 512,
  callsPerCaller: 256,
  callBytes: 16 * 1024 * 1024,
  callBytesPerCaller: 8 * 1024 * 1024,
  receiving: 64 * 1024 * 1024,
  receivingPerAddress: 32 * 1024 * 1024,
  sessions: 1000,
  sessionsPerCaller: 500,
  unread: 16 * 1024 * 1024,
  unreadOfAll: 64 * 1024 * 1024,
  writeTimeoutMs: 30_000,
  routeMs: 60_000,
  events: 64 * 1024 * 1024,
  wrongTokens: 60,
};

/** In seconds, for `retry-after`. */
export const retrySoon = '1';
