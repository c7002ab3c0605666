// The noun of writing for an author: one file as it is and as it should be.

export interface FileChange {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  /** Undefined where there is no file yet; with its byte order mark. */
  readonly before: string | undefined;
  readonly after: string;
}
