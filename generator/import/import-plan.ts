// The nouns of merging an import into a pack: what is asked for, and what would become of each item.

import type { Folder } from '../../runtime/load/folder.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import type { Diagnostic, Site } from '../../schema/diagnostics.js';
import type { Path } from '../../schema/document.js';
import type { FileChange } from '../author/change-book.js';
import type { InitSettings } from '../author/init-settings.js';
import type { Imported, ItemOrigin } from './imported.js';
import type { ImportRecord, RecordedKind, SourceNote } from './record/record.js';

export interface ImportRequest {
  readonly folder: Folder;
  /** Undefined where the folder has no pack yet; then `newPack` says how it starts. */
  readonly loaded: LoadedPack | undefined;
  readonly newPack?: InitSettings | undefined;
  readonly imported: Imported;
  readonly source: SourceToImport;
  readonly options?: ImportOptions | undefined;
}

export interface SourceToImport extends SourceNote {
  /** In toolwright.import.json. Without it: the source that has this address, else one of the name that the document has, else a new one. */
  readonly name?: string | undefined;
}

/** `all`, or names of items (`get-issue`, `schema:issue`) and fields (`get-issue:/description`), with everything below them. */
export type Choice = 'all' | readonly string[];

export interface ImportOptions {
  /** Deletes what the source does not have any more, or does not choose, and the author has not changed. */
  readonly prune?: boolean | undefined;
  /** Conflicts that the pack wins. */
  readonly ours?: Choice | undefined;
  /** Conflicts that the source wins. */
  readonly theirs?: Choice | undefined;
  /** Brings back what the author has deleted: names of items, or their ids in the source. */
  readonly restore?: Choice | undefined;
}

export interface ImportPlan {
  /** Empty where an error is among the diagnostics, and where everything is as the source says already. */
  readonly changes: readonly FileChange[];
  /** By kind and name. What is as it was is among them, as `unchanged`. */
  readonly items: readonly ItemReport[];
  /** With those of the source. */
  readonly diagnostics: readonly Diagnostic[];
  /** As the changes would write it; undefined where there are errors. */
  readonly record: ImportRecord | undefined;
  /** The name of the source in it. */
  readonly source: string;
  /** What `planInit` says of a new pack. */
  readonly notes: readonly string[];
}

export type ItemState =
  | 'created'
  /** Fields are taken from the source. */
  | 'updated'
  | 'unchanged'
  /** In the pack without a record, and as the source says or nearly so: recorded from now on. */
  | 'adopted'
  | 'conflict'
  /** Deleted by the author before, and brought back. */
  | 'restored'
  /** Deleted by the author: it stays so. */
  | 'deleted'
  /** Written by hand for the same operation: it stays as it is. */
  | 'own'
  /** The source does not have it any more: it stays. */
  | 'removed'
  /** The filters do not choose it any more: it stays. */
  | 'not-chosen'
  /** The source has it still, and it can no longer be imported: it stays. */
  | 'left-out'
  | 'pruned';

export interface ItemReport {
  readonly kind: RecordedKind;
  /** In the pack. */
  readonly name: string;
  readonly state: ItemState;
  readonly from: ItemOrigin;
  readonly file?: string | undefined;
  /** What it was in the source at the last import, where that has changed: its operation was renamed, or its path moved. */
  readonly was?: ItemOrigin | undefined;
  /** The name that the source gives, where the pack calls it otherwise. */
  readonly called?: string | undefined;
  readonly updated: readonly FieldReport[];
  /** Of the author, where the source says something else. */
  readonly kept: readonly FieldReport[];
  readonly conflicts: readonly FieldReport[];
  /** In words: why it is left out, what it looks like. */
  readonly reason?: string | undefined;
}

export interface FieldReport {
  readonly path: Path;
  /** As `--ours` takes it: `get-issue:/description`. */
  readonly field: string;
  readonly ours: unknown;
  readonly theirs: unknown;
  /** Where the pack says it, or where it would stand. Computed when it is asked for. */
  readonly site: () => Site;
  /** `GET /issue/{issueKey}`, and where the document says it, if the source knows. */
  readonly place: string;
  readonly placeSite?: (() => Site) | undefined;
}
