// A stored program as text, for built servers that are folders. In: a stored program. Out: one line of JSON about it, then one line for each
// tool with what only a call or a list of it needs; and back, either whole or with these lines read when somebody asks.
import type { JsonSchema, ToolDefinition } from '../../../schema/definitions.js';
import { startOf } from '../../../schema/diagnostics.js';
import type { Locator } from '../../../schema/document.js';
import { type Fillings, type HandlerRef, locatorOf, type SchemaSite, type Tool } from '../../load/program.js';
import type { StoredProgram } from './stored-program.js';

type StoredTool = StoredProgram['tools'][number];
type Late = Pick<StoredTool, 'description' | 'inputSchema' | 'outputSchema' | 'filling'>;
type Early = Omit<StoredTool, keyof Late>;

/** What only overlays and options look at. */
type Names = Pick<StoredProgram, 'names' | 'declared'>;
type StoredOther = StoredProgram['others'][number];

interface Head extends Omit<StoredProgram, 'tools' | 'others' | keyof Names> {
  readonly tools: readonly Early[];
  readonly others: readonly (Omit<StoredOther, 'tools'> & { readonly tools: readonly Early[] })[];
}

const lineFeed = 10;

/** @example unpackProgram(Buffer.from(packProgram(stored))) // equal to stored */
export function packProgram({ names, declared, tools, others, ...rest }: StoredProgram): string {
  const lines: Late[] = [];
  const take = (all: readonly StoredTool[]): readonly Early[] =>
    all.map(({ description, inputSchema, outputSchema, filling, ...early }) => {
      lines.push({ description, inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }), filling });
      return early;
    });
  const head: Head = { ...rest, tools: take(tools), others: others.map(one => ({ ...one, tools: take(one.tools) })) };
  // JSON has no line breaks of its own.
  return [head, { names, declared } satisfies Names, ...lines].map(line => JSON.stringify(line)).join('\n');
}

/** All of it. What is not text was never packed. */
export function unpackProgram(packed: Uint8Array | StoredProgram): StoredProgram {
  if (!(packed instanceof Uint8Array)) return packed;
  const lines = new Lines(packed);
  return {
    ...unpack(lines, (early, line) => ({ ...early, ...(lines.parse(line) as Late) })),
    ...(lines.parse(1) as Names),
  };
}

/** The same for who calls tools, most of which are never called. Neither it nor its tools are to be copied by spreading. */
export function unpackLate(packed: Uint8Array | StoredProgram): StoredProgram {
  if (!(packed instanceof Uint8Array)) return packed;
  const lines = new Lines(packed);
  const late = <K extends keyof Names>(key: K) => ({ enumerable: true, get: () => (lines.parse(1) as Names)[key] });
  const program = unpack(lines, (early, line) => new LateTool(early, lines, line));
  return Object.defineProperties(program as StoredProgram, { names: late('names'), declared: late('declared') });
}

function unpack(lines: Lines, open: (early: Early, line: number) => StoredTool): Omit<StoredProgram, keyof Names> {
  const { tools, others, ...rest } = lines.parse(0) as Head;
  let line = 1;
  const give = (all: readonly Early[]): readonly StoredTool[] =>
    all.map(early => {
      line += 1;
      return open(early, line);
    });
  return { ...rest, tools: give(tools), others: others.map(one => ({ ...one, tools: give(one.tools) })) };
}

class Lines {
  readonly #bytes: Buffer;
  /** Where each line begins, as far as anybody has asked. */
  readonly #starts = [0];

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  parse(line: number): unknown {
    return JSON.parse(this.#bytes.toString('utf8', this.#startOf(line), this.#startOf(line + 1) - 1));
  }

  #startOf(line: number): number {
    while (this.#starts.length <= line) {
      const end = this.#bytes.indexOf(lineFeed, this.#starts.at(-1));
      this.#starts.push(1 + (end < 0 ? this.#bytes.length : end));
    }
    return this.#starts[line] ?? 0;
  }
}

/** A tool whose texts and schemas are parsed when they are first asked for. */
export class LateTool implements Tool {
  readonly kind = 'tool';
  readonly item: string;
  readonly name: string;
  declare readonly title?: string;
  readonly definition: ToolDefinition;
  readonly file: string;
  declare readonly server?: string;
  declare readonly bound?: Tool['bound'];
  declare readonly handler?: HandlerRef;
  readonly #lines: Lines;
  readonly #line: number;
  #late: Late | undefined;

  constructor(early: Early, lines: Lines, line: number) {
    this.item = early.item;
    this.name = early.name;
    this.definition = early.definition;
    this.file = early.file;
    if (early.handler !== undefined) this.handler = early.handler;
    if (early.title !== undefined) this.title = early.title;
    if (early.server !== undefined) this.server = early.server;
    if (early.bound !== undefined) this.bound = early.bound;
    this.#lines = lines;
    this.#line = line;
  }

  /** The same tool with another definition. */
  redefine(definition: ToolDefinition): LateTool {
    return new LateTool({ ...(this as Early), definition }, this.#lines, this.#line);
  }

  get description(): string {
    return this.#parsed().description;
  }

  get inputSchema(): JsonSchema {
    return this.#parsed().inputSchema;
  }

  // Undefined and absent are the same to anyone who serves a tool.
  get outputSchema(): JsonSchema {
    return this.#parsed().outputSchema as JsonSchema;
  }

  get filling(): Fillings {
    return this.#parsed().filling;
  }

  get at(): Locator {
    return locatorOf(() => startOf(this.file));
  }

  get inputSite(): SchemaSite {
    return () => startOf(this.file);
  }

  get outputSite(): SchemaSite {
    return this.inputSite;
  }

  #parsed(): Late {
    this.#late ??= this.#lines.parse(this.#line) as Late;
    return this.#late;
  }
}
