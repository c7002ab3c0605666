// What goes into a built server, before its form is decided, and what comes out of either form. Types, and one list.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { packageFile } from '../../runtime/load/own-package.js';
import { taskPolicyOf } from '../../runtime/load/program.js';
import type { Handshake } from '../../runtime/protocol/handshake.js';
import type { StoredHandshake } from '../../runtime/server/stored/stored-handshake.js';
import { callKindOf } from '../../schema/backend/calls.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import type { EntryModule } from './bundle-modules.js';
import type { DefinitionFiles } from './definition-files.js';
import type { Notice } from './notices.js';
import type { OutputForm } from './output-names.js';
import type { ServerPlan } from './plan-server.js';
import type { ServerFiles } from './write-server.js';

export interface MakeOptions extends OutputForm {
  /** Absolute: the folder of the build. */
  readonly out: string;
  readonly external: readonly string[];
  readonly sourcemap: boolean;
  readonly minify: boolean;
  /** Present: definitions lie beside the server. */
  readonly definitions: DefinitionFiles | undefined;
}

export interface MadeFiles extends ServerFiles {
  readonly entry: string;
  readonly externals: readonly string[];
  /** Of packages that the code of the packs brings along. */
  readonly notices: readonly Notice[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface MadeServer extends MadeFiles {
  readonly server: string;
  readonly handshake: Handshake;
}

/** Modules by the path that manifests name, validators by the item of a tool. */
export interface CodeEntries {
  readonly modules: ReadonlyMap<string, EntryModule>;
  readonly validators: ReadonlyMap<string, EntryModule>;
}

/** What a built server has of one pack. */
export interface PackContent {
  /** Empty for the server's own. */
  readonly label: string;
  readonly entries: CodeEntries;
  /** By path in the pack. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** What goes into a built server, whatever its form. */
export interface ServerContent {
  readonly name: string;
  readonly plan: ServerPlan;
  readonly handshake: StoredHandshake;
  /** The server's own pack first. */
  readonly packs: readonly PackContent[];
  /** For the entry (cli/built-server/entry.ts). */
  readonly data: object;
  /** Absolute: the pack. */
  readonly folder: string;
}

/** One module may serve many items. */
export function entriesOf({ packs }: ServerContent): readonly EntryModule[] {
  const all = packs.flatMap(({ entries }) => [...entries.modules.values(), ...entries.validators.values()]);
  return [...new Map(all.map(one => [one.out, one])).values()];
}

/** What `exec` and `request` of this package find the call by (runtime/call/context/call-scope.ts): who has it may use them. */
const usesBackends = 'toolwright/call';

/** Whether a server needs the part that does work without code: an item does, or code of its packs may. */
export function needsBackends({ plan }: ServerContent, code: ReadonlyMap<string, Uint8Array>): boolean {
  const isUsed = plan.packs.some(({ program: { pack, tools, prompts, resources } }) => {
    const items = [...tools, ...prompts, ...resources];
    return pack.backends !== undefined || items.some(({ definition }) => callKindOf({ ...definition }) !== undefined);
  });
  return isUsed || [...code.values()].some(bytes => Buffer.from(bytes).includes(usesBackends));
}

/** T1: whether it needs the part that keeps tasks. */
export function needsTasks({ plan }: ServerContent): boolean {
  return plan.packs.some(({ program: { tools } }) => tools.some(tool => taskPolicyOf(tool) !== undefined));
}

// What builds copy: the runtime of built servers, made with this package. In: a name. Out: its bytes.

function read(path: string): Buffer {
  return readFileSync(packageFile(`dist/built-server/${path}`));
}

/** Of parts that not every server needs: those that are named. Paths are relative to the folder of the server. */
export function runtimeFiles(more: readonly ('external' | 'backends' | 'tasks')[]): ReadonlyMap<string, Uint8Array> {
  const parts = ['calls', 'main', 'sdk', ...more];
  const paths = ['yaml.cjs', ...parts.map(part => `runtime/${part}.cjs`)];
  return new Map(paths.map(path => [path, read(path)]));
}

/** Of what the runtime of built servers is made of, this package included. */
export function runtimeNotices(): readonly Notice[] {
  return JSON.parse(read('notices.json').toString()) as readonly Notice[];
}

/** The text of the first file of every built server; data follow it. */
export function entryTemplate(): string {
  return read('entry.cjs').toString();
}

/** A file of the prebuilt runtime as text, by its path in it. */
export function readRuntime(path: string): string {
  return read(path).toString();
}

/** What a relative import in one of its files means. */
export function runtimePath(importer: string, path: string): string {
  return posix.join(posix.dirname(importer), path);
}
