// What a build gives to the prebuilt runtime of a server: generator/build/ prints modules of this shape.
import type { ImportedModule } from '../../call/handlers/pick-export.js';
import type { Validators } from '../../call/ports.js';
import type { Tool } from '../../load/program.js';
import type { StoredProgram } from './stored-program.js';

/** Where external definitions lie, whatever the pack's own root is called. */
export const definitionsRoot = 'mcp';

/** `--definitions external`: what the loader needs beside the files in `folder`. */
export interface ExternalDefinitions {
  /** Absolute: the folder that has `mcp/`. */
  readonly folder: string;
  /** The text of toolwright.yaml, as JSON. */
  readonly manifest: string;
  /** Other packs whose schemas the definitions use, by name, as JSON: a manifest, and schemas by item. */
  readonly schemaPacks?: string;
  /** The loader, which other builds do not have. */
  tools(): Promise<ExternalTools>;
}

export interface ExternalTools {
  readonly load: typeof import('../../load/load.js').load;
  readonly compileValidators: (tool: Tool) => Promise<Validators>;
}

export type ImportModule = () => Promise<ImportedModule>;

/** The code of one pack inside a built server. */
export interface BundledCode {
  /** By the path that a manifest names: a file for `load`, or the import itself. */
  readonly modules: Readonly<Record<string, string | ImportModule>>;
  /** By the item name of a tool. */
  readonly validators: Readonly<Record<string, string | ImportModule>>;
  load?(file: string): Promise<ImportedModule>;
}

/** Code and files of one pack. */
export interface PackParts extends BundledCode {
  /** Files that definitions name: the folder that holds them, or their bytes in base64. */
  readonly files: string | Readonly<Record<string, string>>;
}

/** The parts of the server's own pack, and of those that it takes items from, in the order of the stored program. */
export interface ServerParts extends PackParts {
  /** Packed, where it lies in a file of its own (packed-program.ts). */
  program(): StoredProgram | Uint8Array;
  readonly others: readonly PackParts[];
  /** Absolute: where the server lies. Relative paths of programs and databases start here; absent in a worker. */
  readonly folder?: string | undefined;
  readonly external?: ExternalDefinitions | undefined;
  /** X10: what a thread that runs handlers is started with, a module or the text of a script; absent where no tool needs one. */
  thread?(): URL | string;
  /** Stacks of handlers can be mapped back to their sources. */
  readonly hasSourceMaps?: boolean | undefined;
}
