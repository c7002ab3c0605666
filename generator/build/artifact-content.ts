// What goes into an artifact, before its form is decided, and what comes out of either form. Types, and one list.

import type { Handshake } from '../../runtime/protocol/handshake.js';
import type { StoredHandshake } from '../../runtime/server/stored/stored-handshake.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import type { EntryModule } from './bundle-modules.js';
import type { DefinitionFiles } from './definition-files.js';
import type { Notice } from './notices.js';
import type { OutputForm } from './output-names.js';
import type { ServerPlan } from './plan-server.js';
import type { ArtifactFiles } from './write-artifact.js';

export interface ArtifactOptions extends OutputForm {
  /** Absolute: the folder of the build. */
  readonly out: string;
  readonly external: readonly string[];
  readonly sourcemap: boolean;
  readonly minify: boolean;
  /** Present: definitions lie beside the artifact. */
  readonly definitions: DefinitionFiles | undefined;
}

export interface MadeFiles extends ArtifactFiles {
  readonly entry: string;
  readonly externals: readonly string[];
  /** Of packages that the code of the packs brings along. */
  readonly notices: readonly Notice[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface MadeArtifact extends MadeFiles {
  readonly server: string;
  readonly handshake: Handshake;
}

/** Modules by the path that manifests name, validators by the item of a tool. */
export interface CodeEntries {
  readonly modules: ReadonlyMap<string, EntryModule>;
  readonly validators: ReadonlyMap<string, EntryModule>;
}

/** What an artifact has of one pack. */
export interface PackContent {
  /** Empty for the server's own. */
  readonly label: string;
  readonly entries: CodeEntries;
  /** By path in the pack. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** What goes into an artifact, whatever its form. */
export interface ArtifactContent {
  readonly name: string;
  readonly plan: ServerPlan;
  readonly handshake: StoredHandshake;
  /** The server's own pack first. */
  readonly packs: readonly PackContent[];
  /** For the entry (cli/artifact/entry.ts). */
  readonly data: object;
  /** Absolute: the pack. */
  readonly folder: string;
}

/** One module may serve many items. */
export function entriesOf({ packs }: ArtifactContent): readonly EntryModule[] {
  const all = packs.flatMap(({ entries }) => [...entries.modules.values(), ...entries.validators.values()]);
  return [...new Map(all.map(one => [one.out, one])).values()];
}
