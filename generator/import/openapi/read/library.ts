// The files of an API: the document and what it refers to. In: the document, and a port for other files. Out: values by reference, places, and
// what is wrong with references, each reported once.
import type { Code, CodeParams } from '../../../../schema/codes.js';
import {
  type Diagnostic,
  type DiagnosticExtras,
  diagnose,
  type Site,
  sortDiagnostics,
} from '../../../../schema/diagnostics.js';
import { asMap, asText, type Document, isMap } from '../../../../schema/document.js';
import type { Placed } from '../api.js';
import { below, keysOf, splitPointer } from '../pointer.js';
import { fileName, joinUrl, resolveAddress, shownAddress } from './addresses.js';
import { type Identifiers, listIdentifiers } from './identifiers.js';
import { openText } from './open-text.js';
import { suggestReference } from './suggest.js';

/**
 * The text of another file: of one beside the document by its path from there, of others by their whole address. Undefined where it may not
 * be read, or does not exist.
 */
export type ReadOther = (address: string) => string | undefined;

interface OpenFile {
  readonly address: string;
  readonly document: Document;
  readonly mayIdentify: () => boolean;
}

interface LibraryOptions {
  readonly readOther: ReadOther;
  readonly mayIdentify: () => boolean;
}

type Side = 'key' | 'value';

/** A reference, and the value that has it. */
interface Written {
  readonly reference: string;
  readonly from: string;
}

/** A document with more broken references than these is of another kind. */
const mostSuggestions = 100;

interface Collected {
  readonly diagnostic: Diagnostic;
  /** Where it was found; undefined where the text as a whole is meant. */
  readonly pointer: string | undefined;
}

export class Library {
  readonly root: Placed;
  readonly #file: string;
  readonly #readOther: ReadOther;
  readonly #files = new Map<string, OpenFile | undefined>();
  readonly #identifiers = new Map<string, Identifiers | undefined>();
  readonly #found = new Map<string, Placed | undefined>();
  /** Those that are being followed, to see circles. */
  readonly #open = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #collected: Collected[] = [];
  /** Schemas before 3.1 have none. */
  readonly #knowsIdentifiers: boolean;
  #suggestionsLeft = mostSuggestions;
  /** By which the document may call itself. */
  readonly #self: string | undefined;

  constructor(document: Document, { readOther, mayIdentify }: LibraryOptions) {
    this.#file = document.file;
    this.#readOther = readOther;
    this.#files.set('', { address: '', document, mayIdentify });
    this.root = { value: document.value, pointer: '#' };
    const { $self: self, openapi } = asMap(document.value);
    this.#knowsIdentifiers = /^3\.[1-9]/.test(typeof openapi === 'number' ? String(openapi) : asText(openapi));
    this.#self = typeof self === 'string' ? splitPointer(self).address : undefined;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.diagnosticsOutside(new Set());
  }

  diagnosticsOutside(pointers: ReadonlySet<string>): readonly Diagnostic[] {
    const kept = this.#collected.filter(({ pointer }) => pointer === undefined || !isWithin(pointer, pointers));
    return sortDiagnostics(kept.map(({ diagnostic }) => diagnostic));
  }

  /** Adds what was found elsewhere, such as in the parser. */
  collect(found: readonly Diagnostic[]): void {
    for (const diagnostic of found) this.#collected.push({ diagnostic, pointer: undefined });
  }

  report<C extends Code>(
    code: C,
    params: CodeParams<C>,
    place: { readonly pointer: string; readonly side?: Side },
    extras?: DiagnosticExtras,
  ): void {
    const diagnostic = diagnose(code, params, this.site(place.pointer, place.side), extras);
    this.#collected.push({ diagnostic, pointer: place.pointer });
  }

  site(pointer: string, side: Side = 'value'): Site {
    const { address, fragment } = splitPointer(pointer);
    const file = this.#files.get(address) ?? this.#files.get('');
    if (file === undefined) throw new Error('the document itself is always open');
    return file.document.site(file.address === address ? keysOf(fragment) : [], side);
  }

  /** See Api. */
  resolve(reference: string, from = '#'): Placed | undefined {
    const found = this.#find({ reference, from });
    if (found === undefined) return undefined;
    // What has words beside its reference is kept as it is; whether it leads anywhere is looked at all the same.
    return this.#isBare(found.value) ? this.follow(found) : this.follow(found) && found;
  }

  /** The value itself, or what it refers to in the end. Reported where that does not exist. */
  follow(placed: Placed): Placed | undefined {
    const first = referenceOf(placed.value);
    if (first === undefined) return placed;
    let here = this.#find({ reference: first, from: placed.pointer });
    let passed: Set<string> | undefined;
    while (here !== undefined) {
      const reference = referenceOf(here.value);
      if (reference === undefined) return here;
      passed ??= new Set([placed.pointer]);
      if (passed.has(here.pointer)) {
        const place = { pointer: below(placed.pointer, '$ref') };
        return this.#reportOnce('import/reference-cycle', { reference: first }, place);
      }
      passed.add(here.pointer);
      here = this.#find({ reference, from: here.pointer });
    }
    return undefined;
  }

  #isBare(value: unknown): boolean {
    return isMap(value) && typeof value.$ref === 'string' && Object.keys(value).length === 1;
  }

  #find(written: Written): Placed | undefined {
    const { reference, from } = written;
    const { address: typed, fragment } = splitPointer(reference.trim());
    const home = splitPointer(from).address;
    const identified = this.#findIdentified(typed, fragment, from);
    if (identified !== undefined) return identified;
    const address = typed === '' ? home : this.#addressOf(home, typed);
    const key = `${address}#${fragment}`;
    if (this.#found.has(key)) return this.#found.get(key);
    if (this.#open.has(key)) return this.#reportOnce('import/reference-cycle', { reference }, placeOf(written));
    this.#open.add(key);
    const found = this.#walk(address, fragment, written);
    this.#open.delete(key);
    this.#found.set(key, found);
    return found;
  }

  #walk(address: string, fragment: string, written: Written): Placed | undefined {
    const file = this.#openFile(address, written);
    if (file === undefined) return undefined;
    let here: Placed = { value: file.document.value, pointer: `${address}#` };
    for (const key of keysOf(fragment)) {
      let next = partOf(here, key);
      if (next === undefined && referenceOf(here.value) !== undefined) {
        const target = this.follow(here);
        if (target === undefined) return undefined;
        next = partOf(target, key);
      }
      if (next === undefined) return this.#reportBroken(written, file);
      here = next;
    }
    return fragment === '' || fragment.startsWith('/') ? here : this.#reportBroken(written, file);
  }

  #reportBroken(written: Written, file: OpenFile): undefined {
    const isOwn = splitPointer(written.from).address === file.address;
    const { address, fragment } = splitPointer(written.reference);
    const hint = this.#suggest(fragment, file, isOwn ? '' : address);
    return this.#reportOnce('import/broken-reference', { reference: written.reference }, placeOf(written), { hint });
  }

  #suggest(reference: string, file: OpenFile | undefined, prefix = ''): string | undefined {
    if (this.#suggestionsLeft === 0) return undefined;
    this.#suggestionsLeft -= 1;
    const near = suggestReference(reference, file?.document.value);
    return near === undefined ? undefined : `did you mean ${JSON.stringify(`${prefix}${near}`)}?`;
  }

  #reportOnce<C extends Code>(
    code: C,
    params: CodeParams<C>,
    place: { readonly pointer: string },
    extras?: DiagnosticExtras,
  ): undefined {
    const key = JSON.stringify([code, splitPointer(place.pointer).address, params]);
    if (this.#reported.has(key)) return undefined;
    this.#reported.add(key);
    this.report(code, params, place, extras);
    return undefined;
  }

  #addressOf(home: string, typed: string): string {
    const address = resolveAddress(home, typed);
    const isSelf =
      address === fileName(this.#file) ||
      address === this.#file ||
      (this.#self !== undefined && (typed === this.#self || joinUrl(this.#self, typed) === this.#self));
    return isSelf ? '' : address;
  }

  #openFile(address: string, written: Written): OpenFile | undefined {
    if (this.#files.has(address)) return this.#files.get(address);
    const text = this.#readOther(address) ?? this.#readBySelf(address);
    const file = text === undefined ? undefined : this.#openText(address, text);
    this.#files.set(address, file);
    if (text === undefined) {
      const { reference, from } = written;
      const home = this.#files.get(splitPointer(from).address);
      const hint = /[.:]/.test(reference) ? undefined : this.#suggest(reference, home);
      this.#reportOnce('import/unread-file', { file: address }, placeOf(written), { hint });
    }
    return file;
  }

  /** Relative addresses begin at the address that the document has given itself, which mostly is where it will be, not where it is. */
  #readBySelf(address: string): string | undefined {
    const whole = this.#self === undefined ? address : joinUrl(this.#self, address);
    return whole === address ? undefined : this.#readOther(whole);
  }

  #openText(address: string, text: string): OpenFile | undefined {
    const { document, mayIdentify, diagnostics } = openText({ file: shownAddress(this.#file, address), text });
    this.collect(diagnostics);
    return document === undefined ? undefined : { address, document, mayIdentify };
  }

  /** `$id` and `$anchor` of schemas of 3.1: what most references are not. */
  #findIdentified(typed: string, fragment: string, from: string): Placed | undefined {
    const home = splitPointer(from).address;
    const file = this.#files.get(home);
    if (file === undefined || !this.#knowsIdentifiers) return undefined;
    if (!this.#identifiers.has(home)) {
      const root = { value: file.document.value, pointer: `${home}#` };
      this.#identifiers.set(home, file.mayIdentify() ? listIdentifiers(root) : undefined);
    }
    return this.#identifiers.get(home)?.find({ typed, fragment, from });
  }
}

function placeOf({ from }: Written): { readonly pointer: string } {
  return { pointer: below(from, '$ref') };
}

/** Only maps with a string there refer to something: `$ref` may also be the name of a member of an example. */
export function referenceOf(value: unknown): string | undefined {
  const reference = isMap(value) && Object.hasOwn(value, '$ref') ? value.$ref : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

export function partOf({ value, pointer }: Placed, key: string): Placed | undefined {
  if (Array.isArray(value)) {
    const part: unknown = /^\d+$/.test(key) ? value[Number(key)] : undefined;
    return part === undefined ? undefined : { value: part, pointer: below(pointer, Number(key)) };
  }
  if (!isMap(value) || !Object.hasOwn(value, key)) return undefined;
  return { value: value[key], pointer: below(pointer, key) };
}

/** Whether a pointer is one of some, or below it. */
function isWithin(pointer: string, outer: ReadonlySet<string>): boolean {
  for (let here = pointer; here !== ''; here = here.slice(0, Math.max(0, here.lastIndexOf('/'))))
    if (outer.has(here)) return true;
  return false;
}
