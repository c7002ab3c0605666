// What media types mean for what is written and read.

/** JSON by any of its names, also `applicationjson` and `*+json`; not a stream of it. */
export function isJson(type: string): boolean {
  return /json/i.test(type) && !/ndjson|jsonl|json-(?:seq|lines|stream)|stream\+json/i.test(type);
}

/** Whether a type can be sent as it is; documents have patterns and misspelt ones, too. */
export function isExactType(type: string): boolean {
  return /^[\w.-]+\/[\w.+-]+$/.test(type);
}
