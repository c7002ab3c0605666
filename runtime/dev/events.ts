// What happens while somebody edits a pack: one record each, for a status view, for plain lines and for programs alike.
import type { ChangedList } from './live-surface.js';
import type { Findings } from './messages.js';

/** How many of each kind a server has. */
export interface Counts {
  readonly tools: number;
  readonly prompts: number;
  readonly resources: number;
}

/** How a call came out: `asked` waits for its user, `refused` is an error of the protocol. */
export type CallResult = 'ok' | 'error' | 'asked' | 'refused';

export type DevEvent =
  /** A server answers now: the first, or a new one in its place. `changed`: the lists that clients were notified of. */
  | {
      readonly event: 'serving';
      readonly server: string;
      readonly version: string;
      readonly counts: Counts;
      readonly causes: readonly string[];
      readonly changed: readonly ChangedList[];
      readonly ms: number;
    }
  /** Something is wrong. `serving`: what clients get meanwhile. */
  | ({
      readonly event: 'broken';
      readonly message?: string | undefined;
      readonly serving: 'last' | 'rest' | 'nothing';
    } & Findings)
  /** What was wrong is not any more. */
  | { readonly event: 'fixed' }
  | {
      readonly event: 'call';
      readonly kind: 'tool' | 'prompt' | 'resource' | 'completion';
      readonly name: string;
      readonly result: CallResult;
      /** Of an error. */
      readonly code?: string | undefined;
      readonly ms: number;
    }
  /** The process that runs handlers ended by itself. */
  | { readonly event: 'crashed'; readonly message: string }
  | { readonly event: 'generated'; readonly files: readonly { readonly op: string; readonly path: string }[] }
  /** A line that handlers or the server printed. */
  | { readonly event: 'output'; readonly text: string }
  | { readonly event: 'listening'; readonly url: string }
  | { readonly event: 'note'; readonly text: string };
