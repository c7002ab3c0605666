// Slips in the layout of YAML that leave a key without a value: lines that are not indented under their key, and a comma that cuts text
// inside { }. One slip makes several keys wrong, so it is put right first, and what hangs on it is judged as it was meant.
// In: a definition. Out: what was meant, where its parts were written, and one diagnostic per slip.
import { handledKinds, keyOf, type Subject } from '../definitions.js';
import { type Diagnostic, diagnose, type Site } from '../diagnostics.js';
import { isMap, type Locator, type Path, printPath, relocate } from '../document.js';
import { nearest } from '../nearest.js';
import { typeWords } from './hints.js';
import { fitsKey, keysOf, type Part } from './language.js';

type Fields = Readonly<Record<string, unknown>>;

/** Maps from names of the author's to parts of the language, by the key that they stand under. */
const partsBelow: Readonly<Record<string, Part>> = {
  parameters: 'parameter',
  output: 'parameter',
  properties: 'parameter',
  errors: 'toolError',
  options: 'option',
  config: 'configEntry',
  arguments: 'promptArgument',
};

/** Below these, keys and values are the author's own. */
const dataKeys: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'input', 'output', '_meta']);

export interface Layout {
  readonly value: unknown;
  readonly at: Locator;
  readonly found: readonly Diagnostic[];
}

/**
 * Reads a definition as it was meant. Nothing is done where every key has a value.
 *
 * @example readLayout('tool', { parameters: { a: null, type: 'string' } }, at).value // { parameters: { a: { type: 'string' } } }
 */
export function readLayout(subject: Subject, value: unknown, at: Locator): Layout {
  if (!maySlip(value)) return { value, at, found: [] };
  const reading = new Reading(at);
  const meant = reading.definition(subject, value, []);
  return reading.found.length === 0
    ? { value, at, found: [] }
    : { value: meant, at: reading.locator, found: reading.found };
}

/** Nearly no definition has a key without a value, or one with a space. */
function maySlip(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some(maySlip);
  // Without a list of entries, which for 200,000 keys takes 70 MB.
  const map = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(map)) if (key.includes(' ') || maySlip(map[key])) return true;
  return false;
}

/** A part that stands elsewhere than where it was written. */
interface Move {
  readonly to: Path;
  readonly from: Path;
}

interface Gathering {
  /** Whether a key may have a map below it. */
  opens(key: string): boolean;
  /** Whether a key stands in the column of the one before it by mistake. */
  belongs(key: string, value: unknown, open: string): boolean;
  /** Whether values can only be meant like that. */
  isSure(inside: readonly unknown[]): boolean;
}

class Reading {
  readonly found: Diagnostic[] = [];
  readonly locator: Locator;
  readonly #moves: Move[] = [];

  constructor(at: Locator) {
    this.locator = relocate(at, path => this.#written(path));
  }

  /** Later moves are below earlier ones. */
  #written(path: Path): Path {
    return this.#moves.reduceRight<Path>(
      (now, { to, from }) =>
        to.every((step, index) => now[index] === step) ? [...from, ...now.slice(to.length)] : now,
      path,
    );
  }

  definition(subject: Subject, value: unknown, path: Path): unknown {
    if (!isMap(value)) return this.#below(value, path);
    // An empty value of an overlay removes something.
    const whole =
      subject === 'overlay'
        ? value
        : this.#indentUnknown(value, path, keysOf(subject), (key, inside = {}) => fitsKey(subject, key, inside));
    return this.#fields(whole, path, (key, one, inside) => {
      const kind = subject === 'server' ? handledKinds.find(candidate => keyOf(candidate) === key) : undefined;
      if (kind !== undefined && Array.isArray(one))
        return one.map((entry, index) => this.definition(kind, entry, [...inside, index]));
      if (!isMap(one)) return undefined;
      const part = Object.hasOwn(partsBelow, key) ? partsBelow[key] : undefined;
      if (part !== undefined) return this.#members(part, one, inside);
      return key === 'inputSchema' || key === 'outputSchema' ? this.#part('parameter', one, inside) : undefined;
    });
  }

  /** A map of names to parts: a name without a value, and the keys of its part in the same column. */
  #members(part: Part, map: Fields, path: Path): Fields {
    const keys = keysOf(part);
    const whole = this.#gather(map, path, {
      opens: () => true,
      // Every error is a map.
      belongs: (key, value) =>
        value !== null && (part === 'toolError' ? !isMap(value) : keys.includes(key) && isInside(key, value)),
      // An argument of a prompt needs no value, and another one may be called `description`.
      isSure: inside => part !== 'promptArgument' || inside.some(one => typeof one === 'boolean' || Array.isArray(one)),
    });
    return mapValues(whole, (key, one) => (isMap(one) ? this.#part(part, one, [...path, key]) : one));
  }

  /** One parameter, error, option or argument. */
  #part(part: Part, map: Fields, path: Path): Fields {
    if (part !== 'parameter') return this.#fields(map, path, () => undefined);
    const whole = this.#indentUnknown(map, path, keysOf(part), key => key === 'properties');
    return this.#fields(whole, path, (key, one, inside) => {
      if (!isMap(one)) return undefined;
      if (key === 'properties') return this.#members(part, one, inside);
      return key === 'items' ? this.#part(part, one, inside) : undefined;
    });
  }

  /** `read`: what is read in its own way; everything else has only commas. */
  #fields(map: Fields, path: Path, read: (key: string, value: unknown, inside: Path) => unknown): Fields {
    return mapValues(this.#joinCommas(map, path, 'language'), (key, one) => {
      const inside = [...path, key];
      return read(key, one, inside) ?? this.#below(one, inside, dataKeys.has(key) ? 'data' : 'language');
    });
  }

  /** A key that takes a map and has no value, and keys that nobody knows in the same column. */
  #indentUnknown(
    map: Fields,
    path: Path,
    known: readonly string[],
    takesMap: (key: string, inside?: Fields) => boolean,
  ): Fields {
    // `whenToUse` is a key of `guidelines`, and not `when` misspelt. Where any name may stand, this says nothing.
    const names = (open: string, key: string, value: unknown): boolean =>
      takesMap(open, { [key]: value }) && !takesMap(open, { any: value });
    return this.#gather(map, path, {
      opens: key => takesMap(key),
      belongs: (key, value, open) =>
        !known.includes(key) && (nearest(key, known) === undefined || names(open, key, value)),
      isSure: () => true,
    });
  }

  /** Moves keys below the key without a value that stands before them. */
  #gather(map: Fields, path: Path, rules: Gathering): Fields {
    const fields: [string, unknown][] = [];
    let open: { readonly name: string; readonly inside: [string, unknown][] } | undefined;
    const close = (): void => {
      if (open === undefined) return;
      const { name, inside } = open;
      if (inside.length > 0 && rules.isSure(inside.map(([, one]) => one))) {
        fields.push([name, Object.fromEntries(inside)]);
        this.#move(
          path,
          name,
          inside.map(([key]) => key),
        );
      } else fields.push([name, null], ...inside);
      open = undefined;
    };
    for (const [key, one] of Object.entries(map)) {
      if (open !== undefined && rules.belongs(key, one, open.name)) {
        open.inside.push([key, one]);
        continue;
      }
      close();
      if (one === null && rules.opens(key) && this.locator.source([...path, key]) === '')
        open = { name: key, inside: [] };
      else fields.push([key, one]);
    }
    close();
    return Object.fromEntries(fields);
  }

  #move(path: Path, name: string, keys: readonly string[]): void {
    const [first = name] = keys;
    const related = [{ ...this.locator.site([...path, name], 'key'), message: `${JSON.stringify(name)} has no value` }];
    const site = this.locator.site([...path, first], 'key');
    const hint = `indent ${keys.length === 1 ? 'this line' : 'these lines'} under ${name}`;
    this.found.push(diagnose('validate/indentation', { name, keys }, site, { hint, related }));
    for (const key of keys) this.#moves.push({ to: [...path, name, key], from: [...path, key] });
  }

  #below(value: unknown, path: Path, whose: 'language' | 'data' = 'language'): unknown {
    if (Array.isArray(value)) return value.map((one, index) => this.#below(one, [...path, index], whose));
    if (!isMap(value)) return value;
    return mapValues(this.#joinCommas(value, path, whose), (key, one) => this.#below(one, [...path, key], whose));
  }

  /** Text inside { } that goes on after a comma: its parts have become keys without a value. */
  #joinCommas(map: Fields, path: Path, whose: 'language' | 'data'): Fields {
    const isLoose = (key: string): boolean =>
      map[key] === null
        ? this.locator.source([...path, key]) === undefined
        : whose === 'language' && /\s/.test(key) && typeof map[key] === 'string';
    const loose = new Set(Object.keys(map).filter(isLoose));
    if (loose.size === 0) return map;
    const result: Record<string, unknown> = { ...map };
    for (const key of loose) {
      const [, name = '', text = ''] = map[key] === null ? (glued.exec(key) ?? []) : [];
      if (name === '' || Object.hasOwn(map, name)) continue;
      const site = this.locator.site([...path, key], 'key');
      this.found.push(diagnose('validate/missing-space', { key: name }, site, { hint: `write ${name}: ${text}` }));
      loose.delete(key);
      delete result[key];
      result[name] = text;
      this.#moves.push({ to: [...path, name], from: [...path, key] });
    }
    let head: { readonly key: string; text: string; end: Site; first?: Site } | undefined;
    const close = (): void => {
      if (head?.first === undefined) return;
      const { key, text, first } = head;
      const kept = this.locator.source([...path, key]) ?? '';
      const isNumber = decimal.test(text);
      const number = text.replace(',', '.');
      const hint = isNumber
        ? `write the number with a point: ${number}`
        : `put the text in quotes: ${key}: ${JSON.stringify(text)}`;
      this.found.push(diagnose('validate/flow-comma', { where: printPath([...path, key]), kept }, first, { hint }));
      result[key] = isNumber ? Number(number) : text;
    };
    for (const { key, site } of this.#inOrder(map, path)) {
      const value = map[key];
      if (loose.has(key) && head !== undefined && isNear(head.end, site, value)) {
        const gap = site.line === head.end.endLine ? Math.max(site.column - head.end.endColumn - 1, 0) : 1;
        const more = typeof value === 'string' ? `: ${value}` : '';
        head.text += `,${' '.repeat(gap)}${key}${more}`;
        head.first ??= site;
        head.end = more === '' ? site : this.locator.site([...path, key]);
        delete result[key];
        continue;
      }
      close();
      const typed =
        typeof value === 'string' || typeof value === 'number' ? this.locator.source([...path, key]) : undefined;
      const isPlain = typed !== undefined && !/^["'|>]/.test(typed) && !typed.includes('\n');
      head = isPlain ? { key, text: typed, end: this.locator.site([...path, key]) } : undefined;
    }
    close();
    return result;
  }

  /** As written: JavaScript puts keys that are numbers first. */
  #inOrder(map: Fields, path: Path): readonly { readonly key: string; readonly site: Site }[] {
    return Object.keys(map)
      .map(key => ({ key, site: this.locator.site([...path, key], 'key') }))
      .sort((a, b) => a.site.line - b.site.line || a.site.column - b.site.column);
  }
}

/** `type:string` inside braces is a key without a value; `http://x` is text. */
const glued = /^([A-Za-z_$][\w$-]*):([^\s/].*)$/;

/** As numbers are written in much of the world. */
const decimal = /^-?\d+,\d+$/;

/** A key without a colon is inside braces; one with a colon is if it is on the same line. */
function isNear(end: Site, next: Site, value: unknown): boolean {
  return next.file === end.file && next.line - end.endLine <= (value === null ? 1 : 0);
}

/** `title: string` below an empty parameter is another parameter; `type: string` is its type. */
function isInside(key: string, value: unknown): boolean {
  return key === 'type' || typeof value !== 'string' || !typeWords.includes(value);
}

function mapValues(map: Fields, change: (key: string, value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(key, value)]));
}
