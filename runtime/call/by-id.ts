// In: values by id, of which most are counted up and soon gone again. Out: the same on demand. A Map would be simpler, but the tables that it
// leaves behind each time it is tidied up hold on to each other, and to what was in them, until the next full collection.

/** A power of two; what finds its place taken is kept in a map. */
const places = 256;

export class ById<Id, Value> {
  /** By the last digits of an id; made with the first, since most sessions have none. */
  #ids: (Id | undefined)[] | undefined;
  #values: (Value | undefined)[] = [];
  readonly #others = new Map<Id, Value>();
  #placed = 0;

  get size(): number {
    return this.#placed + this.#others.size;
  }

  get(id: Id): Value | undefined {
    return this.#isPlaced(id) ? this.#values[placeOf(id)] : this.#others.get(id);
  }

  set(id: Id, value: Value): void {
    this.#ids ??= this.#makePlaces();
    const place = placeOf(id);
    const isFree = place !== -1 && this.#ids[place] === undefined && !this.#others.has(id);
    if (isFree) {
      this.#ids[place] = id;
      this.#placed += 1;
    }
    if (isFree || this.#isPlaced(id)) this.#values[place] = value;
    else this.#others.set(id, value);
  }

  delete(id: Id): void {
    if (this.#ids === undefined || !this.#isPlaced(id)) {
      this.#others.delete(id);
      return;
    }
    const place = placeOf(id);
    this.#ids[place] = undefined;
    this.#values[place] = undefined;
    this.#placed -= 1;
  }

  /** In no order. */
  keys(): readonly Id[] {
    return [...(this.#ids ?? []).filter(id => id !== undefined), ...this.#others.keys()];
  }

  clear(): void {
    this.#ids = undefined;
    this.#placed = 0;
    this.#others.clear();
  }

  #isPlaced(id: Id): boolean {
    return typeof id === 'number' && this.#ids !== undefined && this.#ids[placeOf(id)] === id;
  }

  #makePlaces(): (Id | undefined)[] {
    this.#values = new Array<undefined>(places).fill(undefined);
    return new Array<undefined>(places).fill(undefined);
  }
}

function placeOf(id: unknown): number {
  return typeof id === 'number' ? id & (places - 1) : -1;
}
