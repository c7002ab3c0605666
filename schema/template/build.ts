// Puts the tags of a template together. In: tags and texts in order. Out: steps, the names they use, what is wrong.

import { type BrokenTag, countTags, type Tag } from './scan.js';
import { type BlockStart, parsePath, readTag, rootName, type TemplatePath } from './tag.js';

/** The stretch between `{{#if x}}` (or `{{else if x}}`) and the next tag of the same block. */
interface Part {
  readonly start: BlockStart;
  readonly path: TemplatePath | undefined;
  /** Where its own jump goes, as soon as that is known. */
  readonly step: number;
}

interface Block {
  readonly tag: Tag;
  readonly name: string;
  /** Absent in the else part, and in blocks that are not known. */
  part: Part | undefined;
  state: 'open' | 'else' | 'unknown';
  /** Jumps from the ends of its parts to its own end. */
  readonly exits: number[];
}

// Braces that were never meant as tags are one mistake, not ten thousand.
const mostProblems = 100;

export class TemplateBuilder {
  readonly steps: Step[] = [];
  readonly names: TemplateName[] = [];
  readonly problems: TemplateProblem[] = [];
  readonly #text: string;
  readonly #blocks: Block[] = [];
  readonly #openNames = new Map<string, number>();
  #loops = 0;
  #unknownBlocks = 0;
  #nth: ((raw: string, offset: number) => number) | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  addText(text: string): void {
    this.steps.push({ op: 'text', text });
  }

  addLineEdge(edge: 'start' | 'end'): void {
    this.steps.push({ op: edge === 'start' ? 'line' : 'fold' });
  }

  addTag(tag: Tag): void {
    const meaning = readTag(tag.body);
    switch (meaning.kind) {
      case 'value': {
        const path = this.#read(tag, meaning.path);
        if (path !== undefined) this.steps.push({ op: 'value', path });
        return;
      }
      case 'tool':
        this.steps.push({ op: 'tool', item: meaning.item });
        return;
      case 'open':
        this.#open(tag, meaning.start.block, 'open');
        this.#startPart(tag, meaning.start);
        return;
      case 'else':
        this.#else(tag, meaning.start);
        return;
      case 'close':
        this.#close(tag, meaning.name);
        return;
      case 'wrong':
        this.complain(tag, meaning.reason);
        if (meaning.opens !== undefined) this.#open(tag, meaning.opens, 'unknown');
        return;
      default:
        meaning satisfies never;
    }
  }

  complain(tag: Tag | BrokenTag, reason: string): void {
    if (this.problems.length < mostProblems) this.problems.push({ reason, ...this.#placeOf(tag) });
  }

  finish(): void {
    while (this.#blocks.length > 0) {
      this.#complainUnclosed();
      this.#pop();
    }
    this.problems.sort((a, b) => a.offset - b.offset);
  }

  #read(tag: Tag, text: string, isEach = false): TemplatePath | undefined {
    const parsed = parsePath(text, this.#loops);
    if ('reason' in parsed) {
      this.complain(tag, parsed.reason);
      return undefined;
    }
    const name = rootName(parsed.path, this.#loops);
    // Inside {{#with}} and the like names have another meaning; the block itself is the problem.
    if (name !== undefined && this.#unknownBlocks === 0) {
      this.names.push({ name, parts: parsed.path.parts, isEach, ...this.#placeOf(tag) });
    }
    return parsed.path;
  }

  #placeOf({ kind, raw, offset }: Tag | BrokenTag): TagPlace {
    if (kind === 'broken') return { tag: raw, nth: countBefore(this.#text, raw, offset), offset };
    this.#nth ??= countTags(this.#text);
    return { tag: raw, nth: this.#nth(raw, offset), offset };
  }

  #open(tag: Tag, name: string, state: Block['state']): void {
    this.#blocks.push({ tag, name, part: undefined, state, exits: [] });
    this.#openNames.set(name, (this.#openNames.get(name) ?? 0) + 1);
    if (state === 'unknown') this.#unknownBlocks++;
  }

  #startPart(tag: Tag, start: BlockStart): void {
    const block = this.#blocks.at(-1);
    if (block === undefined) return;
    const path = this.#read(tag, start.path, start.block === 'each');
    block.part = { start, path, step: this.steps.length };
    // Holds the place of the part's own jump, whose target is not known yet.
    this.steps.push({ op: 'jump', to: this.steps.length + 1 });
    if (start.block === 'each') this.#loops++;
  }

  #endPart(block: Block, isLast: boolean): void {
    const { part } = block;
    if (part === undefined) return;
    const { start, path, step } = part;
    if (start.block === 'each') {
      this.#loops--;
      this.steps.push({ op: 'next', to: step + 1 });
    }
    if (!isLast) {
      block.exits.push(this.steps.length);
      this.steps.push({ op: 'jump', to: 0 });
    }
    const to = this.steps.length;
    if (path === undefined) this.steps[step] = { op: 'jump', to };
    else if (start.block === 'each') this.steps[step] = { op: 'each', path, to };
    else this.steps[step] = { op: 'branch', path, when: start.block === 'unless', to };
    block.part = undefined;
  }

  #else(tag: Tag, start: BlockStart | undefined): void {
    const block = this.#blocks.at(-1);
    if (block === undefined) this.complain(tag, '{{else}} is outside a block');
    else if (block.state === 'else') this.complain(tag, `${block.tag.raw} has an {{else}} already`);
    else if (block.state === 'open') {
      this.#endPart(block, false);
      if (start === undefined) block.state = 'else';
      else this.#startPart(tag, start);
    }
  }

  #close(tag: Tag, name: string): void {
    const block = this.#blocks.at(-1);
    if (block === undefined) {
      this.complain(tag, `${tag.raw} closes a block that is not open`);
    } else if (block.name !== name && (this.#openNames.get(name) ?? 0) === 0) {
      this.complain(tag, `${tag.raw} is written where {{/${block.name}}} is expected`);
    } else if (block.name !== name) {
      this.#complainUnclosed();
      while (this.#blocks.at(-1)?.name !== name) this.#pop();
    }
    this.#pop();
  }

  #complainUnclosed(): void {
    const block = this.#blocks.at(-1);
    if (block !== undefined) this.complain(block.tag, `${block.tag.raw} is not closed: {{/${block.name}}} is missing`);
  }

  #pop(): void {
    const block = this.#blocks.pop();
    if (block === undefined) return;
    this.#endPart(block, true);
    for (const exit of block.exits) this.steps[exit] = { op: 'jump', to: this.steps.length };
    this.#openNames.set(block.name, (this.#openNames.get(block.name) ?? 1) - 1);
    if (block.state === 'unknown') this.#unknownBlocks--;
  }
}

function countBefore(text: string, raw: string, offset: number): number {
  let count = 0;
  for (let at = text.indexOf(raw); at >= 0 && at < offset; at = text.indexOf(raw, at + raw.length)) count++;
  return count;
}

/** Neither building nor rendering a list of steps with jumps ever recurses, however deep a template is nested. */
type Step =
  | { readonly op: 'text'; readonly text: string }
  | { readonly op: 'value'; readonly path: TemplatePath }
  | { readonly op: 'tool'; readonly item: string }
  /** Goes on at `to` if the value counts as `when`. */
  | { readonly op: 'branch'; readonly path: TemplatePath; readonly when: boolean; readonly to: number }
  | { readonly op: 'jump'; readonly to: number }
  /** A line of blocks begins. */
  | { readonly op: 'line' }
  /** It ends, and goes where nothing but space is on it. */
  | { readonly op: 'fold' }
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
