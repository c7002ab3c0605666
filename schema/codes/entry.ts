// What the catalogue of codes is made of: one entry per kind of mistake, and how entries word lists and names.

export type Severity = 'error' | 'warning' | 'info';

/** One kind of mistake: its severity, what an author reads, why it happens and how to fix it. */
export interface CodeEntry<P> {
  readonly severity: Severity;
  readonly message: (params: P) => string;
  readonly cause: string;
  readonly fix: string;
}

/** Gives an entry the type of its parameters. */
export function code<P = Record<never, never>>(entry: CodeEntry<P>): CodeEntry<P> {
  return entry;
}

/** Text in quotes, cut before it fills the screen. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}

const mostListed = 20;

/** `"a", "b" and "c"`. */
export function enumerate(texts: readonly string[], last = 'and'): string {
  const quoted = texts.slice(0, mostListed).map(quote);
  if (texts.length > mostListed) return `${quoted.join(', ')} and ${texts.length - mostListed} more`;
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`;
}
