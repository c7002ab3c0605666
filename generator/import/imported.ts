// The noun between the two ends of an import: what a source gives, before anything of the pack that it goes into is known. An OpenAPI document
// (openapi/) and a live MCP server (server/) make one; plan-import merges it into a pack.
import type { BackendDefinition, Kind } from '../../schema/definitions.js';
import type { Diagnostic, Site } from '../../schema/diagnostics.js';
import type { ItemOrigin } from './record/record.js';

export type { ItemOrigin };

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
  /**
   * Of the same server: more keys of its definition (`title`, `icons`, `tools`), in the order in which they are written. The lists are item
   * names and entries with conditions; where there is one, the order of the source is not that of the names.
   */
  readonly server?: Readonly<Record<string, unknown>> | undefined;
  /** A list of the source broke off: what is not among the items may be there all the same, and is not called removed. */
  readonly isPartial?: boolean | undefined;
  /** What the filters chose and what is not among the items all the same; each has a diagnostic. */
  readonly leftOut: readonly LeftOut[];
  /** What the source has and the filters do not choose, as far as it could be an item: what was imported before and is not chosen any more is not called removed. */
  readonly notChosen?: readonly ItemOrigin[] | undefined;
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
  /** For people who read the file: comments at its head. Each is a line of plain text. */
  readonly notes?: readonly string[] | undefined;
  /** Where the source says it. Asked for only where something is wrong. */
  readonly site?: (() => Site) | undefined;
}

export interface LeftOut {
  readonly from: ItemOrigin;
  readonly reason: string;
}
