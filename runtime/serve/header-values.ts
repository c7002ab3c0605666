// Headers of answers.

/** Header names in lower case. */
export type HeaderValues = Readonly<Record<string, string>>;

/** For nearly every answer. */
export const noHeaders: HeaderValues = Object.freeze({});
