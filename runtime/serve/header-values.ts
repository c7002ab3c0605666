// Headers of answers.

/** Header names in lower case. */
export type HeaderValues = Readonly<Record<string, string>>;

/** For nearly every answer. */
export const noHeaders: HeaderValues = Object.freeze({});

/** Answers are for who asked, and what they say they are. */
export const safeHeaders: HeaderValues = Object.freeze({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});

export const streamHeaders: HeaderValues = Object.freeze({ ...safeHeaders, 'cache-control': 'no-store, no-transform' });
