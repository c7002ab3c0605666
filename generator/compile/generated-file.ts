// The noun between plan and reconcile: one file that should exist, and how its text is made.
import { hash } from 'node:crypto';
import type { Diagnostic } from '../../schema/diagnostics.js';

interface PlannedFile {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  /** The definition files that it is made from. */
  readonly sources: readonly string[];
  /** Its text, or why there can be none. */
  render(): Rendered | Promise<Rendered>;
}

export type Rendered = string | Diagnostic;

/** `generated` files are replaced whenever their text changes; a `stub` is written once and then the author's. */
export type GeneratedFile =
  | (PlannedFile & {
      readonly role: 'generated';
      /** Changes whenever the text could: equal inputs give equal texts. */
      readonly inputs: string;
    })
  | (PlannedFile & { readonly role: 'stub' });

/** What the text is made from, in a word of 132 bits. */
export function hashInputs(...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}
