// A template as a flat list of steps with jumps: neither building nor rendering one ever recurses, however deep it is nested.
import type { TemplatePath } from './path.js';

export type Step =
  | { readonly op: 'text'; readonly text: string }
  | { readonly op: 'value'; readonly path: TemplatePath }
  | { readonly op: 'tool'; readonly item: string }
  /** Goes on at `to` if the value counts as `when`. */
  | { readonly op: 'branch'; readonly path: TemplatePath; readonly when: boolean; readonly to: number }
  | { readonly op: 'jump'; readonly to: number }
  /** Starts a loop, or goes on at `to` if there is nothing to loop over. */
  | { readonly op: 'each'; readonly path: TemplatePath; readonly to: number }
  /** Goes back to `to` while the innermost loop has members left. */
  | { readonly op: 'next'; readonly to: number };

/** A tag, and how to find it again: `nth` is how often the same raw text stands before it. */
export interface TagPlace {
  readonly tag: string;
  readonly nth: number;
  readonly offset: number;
}

export interface TemplateName extends TagPlace {
  readonly name: string;
  /** The way into the value, the name first. */
  readonly parts: readonly string[];
  /** `{{#each}}` goes over it. */
  readonly isEach: boolean;
}

export interface TemplateProblem extends TagPlace {
  readonly reason: string;
}

export interface Template {
  readonly steps: readonly Step[];
  readonly names: readonly TemplateName[];
}
