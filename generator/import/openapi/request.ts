// What an operation becomes while it is read: the arguments of the tool, and the request that they go into. In: one argument or fixed value after
// the other. Out: `inputSchema` and `http`.

import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import { setOwn } from '../../../schema/document.js';
import type { QueryStyle } from '../../../schema/support/mcp/backends.js';
import type { Api, ApiOperation, SchemaBook } from './api.js';
import { ArgumentNames } from './names.js';

export type Schema = Readonly<Record<string, unknown>>;

/** Why an operation cannot become a tool, and where the document says it. */
export class LeftOutReason {
  constructor(
    readonly reason: string,
    readonly pointer: string,
  ) {}
}

export interface Argument {
  readonly wire: string;
  /** In front of a name that is taken. */
  readonly where: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

interface Unwritable {
  readonly name: string;
  readonly what: string;
  readonly reason: string;
  readonly isRequired: boolean;
  readonly pointer: string;
}

type Section = 'query' | 'headers' | 'cookies' | 'form' | 'multipart';

export class RequestDraft {
  readonly names = new ArgumentNames();
  readonly properties: Record<string, Schema> = {};
  readonly required: string[] = [];
  readonly notes: string[] = [];
  /** Of `additionalProperties`. */
  others: boolean | Schema = false;
  path = '';
  /** `body`, `file`, `optionalBody`. */
  readonly more: Record<string, unknown> = {};
  readonly #sections: Partial<Record<Section, Record<string, unknown>>> = {};
  readonly #styles: Record<string, QueryStyle> = {};

  constructor(
    readonly api: Api,
    readonly book: SchemaBook,
    readonly operation: ApiOperation,
    readonly diagnostics: Diagnostic[],
  ) {}

  /** Adds an argument. Out: its placeholder. */
  argument({ wire, where, schema, isRequired }: Argument): string {
    const name = this.names.give(wire, where);
    this.properties[name] = schema;
    if (isRequired) this.required.push(name);
    return `{${name}}`;
  }

  put(section: Section, wire: string, value: unknown): undefined {
    this.#sections[section] ??= {};
    setOwn(this.#sections[section], wire, value);
    return undefined;
  }

  has(section: Section, wire: string): boolean {
    return Object.hasOwn(this.#sections[section] ?? {}, wire);
  }

  /** What there is no way to write: what is required takes the operation with it, and calls do without the rest. `what` and `reason` are a sentence. */
  leaveOut({ name, what, reason, isRequired, pointer }: Unwritable): LeftOutReason | undefined {
    if (isRequired) return new LeftOutReason(`${what} ${reason}`, pointer);
    this.diagnostics.push(diagnose('import/left-out-parameter', { name, reason }, this.api.site(pointer)));
    this.notes.push(`Left out: ${what} ${reason}.`);
    return undefined;
  }

  /** An empty form is one, too. */
  begin(section: Section): void {
    this.#sections[section] ??= {};
  }

  /** Of a member of the query or the form. */
  style(wire: string, style: QueryStyle): void {
    setOwn(this.#styles, wire, style);
  }

  styleOf(wire: string): QueryStyle | undefined {
    return Object.hasOwn(this.#styles, wire) ? this.#styles[wire] : undefined;
  }

  inputSchema(): Schema {
    return {
      type: 'object',
      properties: { ...this.properties },
      ...(this.required.length === 0 ? {} : { required: this.required }),
      additionalProperties: this.others,
    };
  }

  call(backend: string): Schema {
    const { query, headers, cookies, form, multipart } = this.#sections;
    const { method } = this.operation;
    const parts: readonly (readonly [string, unknown])[] = [
      ['backend', backend],
      ['method', method === 'GET' ? undefined : method],
      ['path', this.path],
      ['query', query],
      ['style', Object.keys(this.#styles).length === 0 ? undefined : this.#styles],
      ['headers', headers],
      ['cookies', cookies],
      ['form', form],
      ['multipart', multipart],
      ...Object.entries(this.more),
    ];
    return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
  }
}
