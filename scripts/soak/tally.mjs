// Counts what came of each request, and tells in the end whether all of it was right.

export class Tally {
  asked = 0;
  answered = 0;
  cancelled = 0;
  wrong = [];
  heaps = [];

  complain(text) {
    if (this.wrong.length < 20) this.wrong.push(text);
    else this.wrong.length === 20 && this.wrong.push('... and more');
  }

  /** Heap in use after a collection: the last quarter of the run against the first. */
  growth() {
    const quarter = Math.max(1, Math.floor(this.heaps.length / 4));
    const middle = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
    return middle(this.heaps.slice(-quarter)) / middle(this.heaps.slice(0, quarter));
  }

  report(name, seconds) {
    const rate = Math.round(this.asked / seconds);
    const growth = this.growth();
    const heaps = this.heaps.map(bytes => (bytes / 1e6).toFixed(1)).join(' ');
    console.log(`${name}: ${this.asked} requests, ${this.answered} answered, ${this.cancelled} cancelled (${rate}/s)`);
    console.log(`  heap after collections (MB): ${heaps}; last quarter / first: ${growth.toFixed(2)} (limit 1.2)`);
    if (this.answered + this.cancelled !== this.asked) this.complain('some requests were never answered');
    if (!(growth <= 1.2)) this.complain(`the heap grew by ${growth.toFixed(2)}`);
    for (const text of this.wrong) console.log(`  WRONG: ${text}`);
    return this.wrong.length === 0;
  }
}
