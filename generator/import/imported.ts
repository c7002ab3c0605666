// The noun between the two ends of an import: what a source gives, before anything of the pack that it goes into is known. An OpenAPI document
// (openapi/) and a live MCP server (server/) make one; plan-import merges it into a pack.
import type { BackendDefinition, Kind } from '../../schema/definitions.js';
import type { Diagnostic } from '../../schema/diagnostics.js';

export interface Imported {
  /** Short, from the title of the document or the name of the server: the base of names of backends, and of the pack where it is new. */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly items: readonly ImportedItem[];
  /** Entries of toolwright.yaml by name. */
  readonly backends: Readonly<Record<string, BackendDefinition>>;
  readonly config: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Of the server that serves the items. */
  readonly instructions?: string | undefined;
  /** What the filters chose and what is not among the items all the same; each has a diagnostic. */
  readonly leftOut: readonly LeftOut[];
  /** Places are in the document. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ImportedItem {
  readonly kind: Exclude<Kind, 'server'>;
  /** A valid item name, unique among the items of its kind. */
  readonly name: string;
  readonly from: ItemOrigin;
  /** As the YAML of the item says it, with its keys in the order in which they are written. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** What an item is in its source. The next version of the source is compared by it: first by `id`, then by `place`. */
export interface ItemOrigin {
  /** `operationId`, name of a shared schema, name or address on the wire; undefined where the source has none. */
  readonly id?: string | undefined;
  /** `GET /issue/{issueKey}`, `#/components/schemas/Issue`, `tool get_issue`. */
  readonly place: string;
}

export interface LeftOut {
  readonly from: ItemOrigin;
  readonly reason: string;
}
