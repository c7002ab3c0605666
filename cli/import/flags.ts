// The flags of `toolwright import`.
import type { AuthorFlags } from '../generate/author-report.js';

export interface ImportFlags extends AuthorFlags {
  /** What came after `--`. */
  readonly words?: readonly string[];
  readonly into?: string;
  readonly name?: string;
  readonly only: readonly string[];
  readonly tag: readonly string[];
  readonly method: readonly string[];
  readonly path: readonly string[];
  readonly exclude: readonly string[];
  readonly deprecated?: boolean;
  /** False for `--no-outputs`. */
  readonly outputs?: boolean;
  readonly externalRefs?: boolean;
  readonly proxy?: boolean;
  readonly short?: boolean;
  readonly merge: readonly string[];
  readonly env: readonly string[];
  readonly bearer?: string;
  readonly check?: boolean;
  readonly prune?: boolean;
  /** True where no field is named. */
  readonly ours?: string | true;
  readonly theirs?: string | true;
  readonly restore: readonly string[];
}
