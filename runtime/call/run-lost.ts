// T1. In place of the outcome of a run of a task: the process that ran it has ended, as far as anybody knows in the middle of it.
import { isBranded } from './protocol-error.js';

const brand: unique symbol = Symbol.for('toolwright.run-lost') as never;

/** The runner of the task does what it does after a crash: the tool's policy decides. */
export class RunLost extends Error {
  readonly [brand] = true;
  override readonly name = 'RunLost';
  /** It may happen again, and not for ever; else somebody meant to go on in another process. */
  readonly isCrash: boolean;

  constructor(message: string, { isCrash = false }: { readonly isCrash?: boolean } = {}) {
    super(message);
    this.isCrash = isCrash;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, brand);
  }
}
