// How much work one check may be. Part of toolwright/support: imports only other parts of it.
// References that lead back multiply with every level of a value: without a limit a hundred bytes keep a process busy for
// years, and nothing else is answered meanwhile. So work is counted, and it may only grow with the size of the value.

import type { Keys } from './values.js';

/** Where defaults were filled in: maps and names in turn. */
export type Filled = ({ [key: string]: unknown } | string)[];

/** What is thrown where the steps are used up. A check that throws it knows nothing about its value. */
export const outOfSteps: unique symbol = Symbol('out of steps');

/** Whether a check ended for want of steps, or of the stack: a value that needs more of it is just as much too much. */
export function isTooMuch(error: unknown): boolean {
  return error === outOfSteps || error instanceof RangeError;
}

/** Up to here nobody asks how large the value is: nearly every call is over by then. */
const unmeasured = 10_000;
/** Steps for each part of value and schema, before answers are kept, and at all. */
const stepsBeforeKept = 20;
const stepsAtAll = 500;
/** Answers that are kept at one time. */
const mostKept = 200_000;

/**
 * Counts the steps of one check at a time. Generated validators make one and share it.
 *
 * @example const steps = new Steps();
 */
export class Steps {
  taken = 0;
  /** Beyond this many, `goOn` decides. */
  most = unmeasured;
  filled: Filled = [];
  /** False where somebody put something into the prototype of all maps. */
  isBare = true;
  /** Whether answers are kept: of references, the only way to come to the same value twice. */
  isKeeping = false;
  /** Of lists and maps in lists without equal items. */
  keys: Keys | undefined = undefined;
  private isShort = false;
  private value: unknown = undefined;
  private kept = new Map<object, Map<unknown, boolean>>();
  private keptCount = 0;
  /** How many schemas are in the document. */
  rules: number;

  constructor(rules: number) {
    this.rules = rules;
  }

  /** Short: whatever the size of the value is, the first steps are all. */
  begin(value: unknown, how?: 'short'): void {
    this.taken = 0;
    this.most = unmeasured;
    this.value = value;
    this.isBare = isPrototypeBare();
    this.isKeeping = false;
    this.isShort = how === 'short';
    if (this.filled.length > 0) this.filled = [];
    this.forget();
  }

  /** Lets go of the value. */
  end(): void {
    this.value = undefined;
    this.forget();
  }

  take(count: number): void {
    this.taken += count;
    if (this.taken > this.most) this.goOn();
  }

  /** Throws where there are no more steps. */
  goOn(): void {
    const size = this.isShort ? 0 : sizeOf(this.value) + this.rules;
    const [soon, atAll] = [Math.max(unmeasured, stepsBeforeKept * size), Math.max(unmeasured, stepsAtAll * size)];
    if (this.taken > atAll) throw outOfSteps;
    if (this.taken > soon) this.isKeeping = true;
    this.most = this.taken > soon ? atAll : soon;
  }

  /** From now on answers are kept. */
  keep(): void {
    this.isKeeping = true;
  }

  known(rules: object, value: unknown): boolean | undefined {
    return this.kept.get(rules)?.get(value);
  }

  learn(rules: object, value: unknown, answer: boolean): void {
    if (this.keptCount === mostKept) this.forget();
    this.keptCount += 1;
    const answers = this.kept.get(rules);
    if (answers === undefined) this.kept.set(rules, new Map([[value, answer]]));
    else answers.set(value, answer);
  }

  /** After a default was filled in, the same value may give another answer. */
  forget(): void {
    this.keys = undefined;
    if (this.keptCount === 0) return;
    this.kept = new Map();
    this.keptCount = 0;
  }
}

/** How many parts a value has; a long text counts as several. */
function sizeOf(value: unknown): number {
  let size = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    size += 1;
    if (typeof one === 'string') size += costOfText(one);
    else if (Array.isArray(one)) for (const item of one) waiting.push(item);
    else if (typeof one === 'object' && one !== null)
      for (const key of Object.keys(one)) {
        size += costOfText(key);
        waiting.push((one as { readonly [key: string]: unknown })[key]);
      }
  }
  return size;
}

/** What reading a string costs in steps: nothing, unless it is long. */
export function costOfText(text: string): number {
  return text.length >> 6;
}

const bare = {};

/** Walking over maps in the quickest way also finds what somebody put into the prototype of all maps. */
function isPrototypeBare(): boolean {
  for (const _name in bare) return false;
  return true;
}
