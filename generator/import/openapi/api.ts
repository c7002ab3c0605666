// The noun between reading a document and making tools of it: an API, the same for every version of OpenAPI. Schemas stay as they were
// written, each with its place; schemas.ts makes JSON Schema of those that are used.
import type { Diagnostic, Site } from '../../../schema/diagnostics.js';

export type ApiVersion = '2.0' | '3.0' | '3.1' | '3.2';

export interface Api {
  readonly version: ApiVersion;
  readonly title: string;
  readonly description?: string | undefined;
  /** In the order of the document; broken ones are left out, with a diagnostic. */
  readonly operations: readonly ApiOperation[];
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /**
   * Where a `$ref` leads, or the value at a pointer. References on the way are followed; at the end only those with nothing beside them, so that
   * words beside a `$ref` are not lost. `from` is the pointer of the value that has the reference: below it `#` means its file, and relative
   * addresses begin there. Without it, the document. What does not exist, and what refers back to itself, is undefined and reported in `diagnostics`, once.
   */
  resolve(reference: string, from?: string): Placed | undefined;
  /** Where a pointer of the document was written. Computed on demand. */
  site(pointer: string, side?: 'key' | 'value'): Site;
  /** Grows with `resolve`: read it last. */
  readonly diagnostics: readonly Diagnostic[];
  /** Without those at or below some pointers: operations that nobody wants. */
  diagnosticsOutside(pointers: ReadonlySet<string>): readonly Diagnostic[];
}

/**
 * A value of the document, and where it is: a JSON Pointer with `#` in front, as `below` of pointer.ts makes it. In another file the address of
 * that file is before the `#`. After a `$ref` the pointer is where it leads.
 */
export interface Placed {
  readonly value: unknown;
  readonly pointer: string;
}

export type ApiMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

export interface ApiOperation {
  readonly method: ApiMethod;
  readonly path: string;
  readonly pointer: string;
  readonly operationId?: string | undefined;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  /** Those of the path and of the operation, each name and place once; without the body. */
  readonly parameters: readonly ApiParameter[];
  readonly body?: ApiBody | undefined;
  /** The first answer of success that has content, or the first one; undefined where there is none. */
  readonly answer?: ApiAnswer | undefined;
  /** Errors that the document describes: status (`404`, `5XX`, `default`) and text. */
  readonly errors: readonly { readonly status: string; readonly description: string }[];
  /** Alternatives; each is a list of schemes that are all needed, with scopes. Empty: nothing is needed. */
  readonly security: readonly (readonly { readonly scheme: string; readonly scopes: readonly string[] }[])[];
  /** Its own, those of its path, or those of the document; relative addresses are as written. Never empty: `/` where the document has none. */
  readonly servers: readonly ApiServer[];
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie';
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description?: string | undefined;
  /** As in 3.1, with the default of its place filled in; `collectionFormat` of 2.0 becomes one of them, `tabs` is a style of its own. */
  readonly style:
    | 'simple'
    | 'label'
    | 'matrix'
    | 'form'
    | 'spaceDelimited'
    | 'pipeDelimited'
    | 'deepObject'
    | 'cookie'
    | 'tabs';
  readonly explode: boolean;
  /** Of a path: slashes in it are meant. */
  readonly allowReserved: boolean;
  /** Not yet converted; for `content: application/json` the schema of the content. */
  readonly schema: Placed;
  /** Written as text of this type instead of by style. */
  readonly contentType?: string | undefined;
  readonly pointer: string;
}

export interface ApiBody {
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  /** In the order of the document. */
  readonly contents: readonly ApiContent[];
  readonly pointer: string;
}

export interface ApiContent {
  /** `application/json`, without parameters, in small letters. */
  readonly type: string;
  /** What has to be said behind it, such as `; version=2`; mostly empty. */
  readonly parameters: string;
  /** `{}` where the document has none. `formData` of 2.0 is an object schema. */
  readonly schema: Placed;
  /** By member of a form. */
  readonly encoding: Readonly<
    Record<
      string,
      { readonly contentType?: string; readonly style?: ApiParameter['style']; readonly explode?: boolean }
    >
  >;
  readonly pointer: string;
}

export interface ApiAnswer {
  readonly status: string;
  readonly description?: string | undefined;
  readonly contents: readonly ApiContent[];
  /** Names of headers that the answer has, in small letters: `link` says that there are pages. */
  readonly headers: readonly string[];
  readonly pointer: string;
}

export interface ApiServer {
  readonly url: string;
  readonly variables: Readonly<
    /** Without a default where the document has none: then somebody has to say it. */
    Record<string, { readonly default?: string; readonly enum?: readonly string[]; readonly description?: string }>
  >;
  readonly pointer: string;
}

export type SecurityScheme =
  | {
      readonly type: 'apiKey';
      readonly in: 'query' | 'header' | 'cookie';
      readonly name: string;
      readonly description?: string;
    }
  | { readonly type: 'http'; readonly scheme: string; readonly description?: string }
  | {
      readonly type: 'oauth2';
      /** Of the flow for programs (client credentials), where there is no other: the others need a person. */
      readonly tokenUrl?: string;
      readonly description?: string;
    }
  | { readonly type: 'openIdConnect' | 'mutualTLS' | 'unknown'; readonly description?: string };

/** What operations.ts asks of schemas.ts. Every schema that it gives is JSON Schema of 2020-12. */
export interface SchemaBook {
  /** For values that are sent: whole, without read-only members. References to components are `schema:<name>` of shared schemas. */
  input(schema: Placed): Readonly<Record<string, unknown>>;
  /** The members of a schema for values that are sent, if it is a plain object (also as `allOf` of plain objects): they can be parameters of the tool. */
  inputMembers(schema: Placed): InputMembers | undefined;
  /** The first `$ref` in a schema for values that are sent, or in what it refers to, that leads nowhere. An operation with one is left out. */
  broken(schema: Placed): BrokenRef | undefined;
  /** For what is returned: pruned, without write-only members; undefined where nothing useful is known. */
  output(schema: Placed): OutputSchema | undefined;
  /** The size in characters of an input schema with all that it refers to. */
  size(schema: Readonly<Record<string, unknown>>): number;
  /** A shared schema by its name, as it is referred to; undefined where nobody has asked for it. */
  definition(name: string): Readonly<Record<string, unknown>> | undefined;
  /** The shared schemas that some schemas refer to, directly or by others, by name; without them, all that were asked for so far. */
  shared(used?: Iterable<Readonly<Record<string, unknown>>>): readonly SharedItem[];
  diagnostics(): readonly Diagnostic[];
}

export interface BrokenRef {
  readonly ref: string;
  /** Of the `$ref`. */
  readonly pointer: string;
}

export interface OutputSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Members of the document that are not described any more, such as `owner.plan` or `items[].owner`; in their place anything fits. */
  readonly cut: readonly string[];
}

/** A component may have two forms: the members that are sent are not those that are returned. */
export interface SharedItem {
  readonly name: string;
  readonly pointer: string;
  readonly form: 'input' | 'output';
  readonly definition: Readonly<Record<string, unknown>>;
  readonly cut: readonly string[];
}

export interface InputMembers {
  readonly members: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly required: readonly string[];
  /** What `additionalProperties` says: a schema, or whether others are allowed; undefined where it says nothing. */
  readonly others: boolean | Readonly<Record<string, unknown>> | undefined;
  readonly description?: string | undefined;
}
