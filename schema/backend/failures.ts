// B6. What can go wrong with what tools talk to: the codes that clients get, that `match` may name, and that examples may expect.
export const failureKinds = [
  /** It answered, and the answer is an error. */
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
  /** No connection, or one that broke. */
  'UPSTREAM_UNREACHABLE',
  /** Its name is not known. */
  'UPSTREAM_DNS',
  /** Its certificate is not trusted, or there is none. */
  'UPSTREAM_TLS',
  /** More than the limit of the backend. */
  'UPSTREAM_TOO_LARGE',
  /** What it answered cannot be read. */
  'UPSTREAM_INVALID',
  /** It answered with a redirect to another origin. */
  'UPSTREAM_REDIRECT',
  /** B7: an address that this server does not talk to. */
  'ADDRESS_REFUSED',
  /** An argument that cannot stand where it is meant to stand. */
  'BAD_VALUE',
  /** No row, where one was asked for. */
  'NO_ROW',
  /** A package that is not installed. */
  'DRIVER_MISSING',
] as const;

export type FailureKind = (typeof failureKinds)[number];
