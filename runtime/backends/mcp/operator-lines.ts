// In: lines that a process prints beside the protocol. Out: the same for the operator, without secrets, and no more than anybody reads.
import { visible } from '../../../schema/print/visible.js';
import { headOf } from '../../call/print-cause.js';
import type { BackendScope } from '../ports.js';

/** So many at once, and so many a second after that. */
const burst = 100;
const perSecond = 10;
const longest = 1000;

export class OperatorLines {
  readonly #name: string;
  readonly #scope: Pick<BackendScope, 'settings' | 'report'>;
  #left = burst;
  #at = performance.now();
  #lost = 0;
  #hasUnread = false;

  constructor(name: string, scope: Pick<BackendScope, 'settings' | 'report'>) {
    this.#name = name;
    this.#scope = scope;
  }

  /** A line as the process printed it. */
  add(line: string): void {
    if (line.trim() === '') return;
    const now = performance.now();
    this.#left = Math.min(burst, this.#left + ((now - this.#at) * perSecond) / 1000);
    this.#at = now;
    if (this.#left < 1) {
      this.#lost += 1;
      return;
    }
    this.#left -= 1;
    if (this.#lost > 0) this.#scope.report(`${this.#name}: (${this.#lost} lines are not shown)`);
    this.#lost = 0;
    this.#scope.report(`${this.#name}: ${this.shown(line)}`);
  }

  /** A line on stdout that is not a message: said once, since a program that prints one prints many. */
  unread(line: string): void {
    if (this.#hasUnread) return;
    this.#hasUnread = true;
    this.say(`${this.#name} printed a line that is not a message of the protocol: ${this.shown(line)}`);
  }

  say(text: string): void {
    this.#scope.report(this.redact(text));
  }

  redact(text: string): string {
    return this.#scope.settings.redact(text);
  }

  /** As it may stand in a message: no secrets, nothing that a terminal would obey. */
  shown(line: string): string {
    return visible(headOf(this.redact(line.trim()), longest));
  }
}
