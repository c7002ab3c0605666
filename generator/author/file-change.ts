// The noun of writing for an author: one file as it is and as it should be.

export interface FileChange {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  /** Undefined where there is no file yet; with its byte order mark. */
  readonly before: string | undefined;
  readonly after: string;
}

const mark = '\uFEFF';

/** Edits a string without its byte order mark, which stays where it was. */
export function aroundMark(text: string, edit: (body: string) => string | undefined): string | undefined {
  if (!text.startsWith(mark)) return edit(text);
  const edited = edit(text.slice(1));
  return edited === undefined ? undefined : mark + edited;
}
