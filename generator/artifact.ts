// The noun between plan and reconcile: one file that should exist, and how its text is made.

export interface Artifact {
  /** Relative to the pack, with forward slashes. */
  readonly path: string;
  /** `generated` files are replaced whenever their text changes; a `stub` is written once and then the author's. */
  readonly role: 'generated' | 'stub';
  /** Changes whenever the text could: equal inputs give equal texts. */
  readonly inputs: string;
  /** The definition files that it is made from. */
  readonly sources: readonly string[];
  render(): string;
}
