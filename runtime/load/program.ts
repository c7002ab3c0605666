// The catalog linked: names resolved, texts read, schemas expanded. What the generator compiles and the runtime serves.

import { hash } from 'node:crypto';
import type { Backends } from '../../schema/backend/calls.js';
import type {
  ConfigEntry,
  JsonSchema,
  PromptArgument,
  PromptDefinition,
  ResourceDefinition,
  ServerDefinition,
  ToolDefinition,
  When,
} from '../../schema/definitions.js';
import type { Site } from '../../schema/diagnostics.js';
import type { Locator, Path } from '../../schema/document.js';
import type { SchemaSource } from '../../schema/json-schema/check-context.js';
import type { SharedUses } from '../../schema/json-schema/shared.js';
import type { QualifiedName } from '../../schema/names.js';
import type { Filling } from '../../schema/support/validator.js';

export interface HandlerRef {
  /** Relative to the pack, as the manifest names it. */
  readonly path: string;
  readonly export: string;
}

export interface Linked<D> {
  readonly item: string;
  /** What clients see, before collisions inside a server are settled. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** After overlays; file references are still in it. */
  readonly definition: D;
  readonly file: string;
  /** Positions relative to the definition. */
  readonly at: Locator;
  /** The server that defines it inline. */
  readonly server?: string;
}

export type SchemaSite = SchemaSource['site'];

export interface Fillings {
  readonly input: Filling;
  readonly output: Filling;
}

export interface Tool extends Linked<ToolDefinition> {
  readonly kind: 'tool';
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** X14: parameters that callers may not choose, with what is put in: `config.ORG`, `auth.sub`. */
  readonly bound?: Readonly<Record<string, string>> | undefined;
  /** What calls do with the defaults of its schemas. */
  readonly filling: Fillings;
  /** Where what is at a path in `inputSchema` was written: in the definition, or in the file that it names. */
  readonly inputSite: SchemaSite;
  readonly outputSite?: SchemaSite;
  /** Only of schemas that refer to shared ones. */
  readonly sharing?: { readonly input?: Sharing; readonly output?: Sharing };
  /** Absent where `http`, `sql`, `exec` or `mcp` does the work. */
  readonly handler?: HandlerRef;
}

export interface Prompt extends Linked<PromptDefinition> {
  readonly kind: 'prompt';
  readonly type: 'text' | 'messages' | 'handler' | 'mcp';
  readonly arguments: readonly (PromptArgument & { readonly name: string })[];
  /** The template of a `text` prompt, read from its file where it has one. */
  readonly text?: string;
  readonly handler?: HandlerRef;
}

export interface Resource extends Linked<ResourceDefinition> {
  readonly kind: 'resource';
  /** Variables of the URI template; empty for a fixed URI. */
  readonly variables: readonly string[];
  readonly handler?: HandlerRef;
}

/** A schema that definitions refer to as `schema:<item>`. */
export interface Schema extends Linked<JsonSchema> {
  readonly kind: 'schema';
  /** With all that it refers to in `$defs`. */
  readonly schema: JsonSchema;
  readonly site: SchemaSite;
  readonly uses: SharedUses;
  /** The other schemas that it needs, directly or not. */
  readonly refersTo: readonly string[];
}

/** One of another pack; `item` is its qualified name, and `file` relative to the pack that uses it. */
export interface ForeignSchema extends Schema {
  readonly pack: Pick<Program['pack'], 'name' | 'version' | 'folder' | 'root'>;
}

/** Which shared schemas a schema of a tool has in `$defs`, and which its root is. */
export interface Sharing {
  readonly uses: SharedUses;
  readonly root?: string;
}

/** One line of a server's list: an item of this pack, or the name of another pack's. `when`: one of these must hold (X2). */
export type Listed =
  /** `name` is what clients see, unless the list has foreign items too: then names are settled when all are known. */
  | {
      readonly from: 'own';
      readonly item: string;
      readonly name: string;
      readonly when?: readonly When[] | undefined;
    }
  /**
   * Looked up when the server is composed, never before (W46). Without a pack: an item of the built-in one. The item may
   * be a pattern. `path`: where the server's definition says so.
   */
  | {
      readonly from: 'foreign';
      readonly reference: QualifiedName;
      readonly path: Path;
      readonly when?: readonly When[] | undefined;
    };

export interface Server extends Linked<ServerDefinition> {
  readonly kind: 'server';
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Listed[];
  readonly prompts: readonly Listed[];
  readonly resources: readonly Listed[];
}

export interface Program {
  readonly pack: {
    readonly name: string;
    readonly version: string;
    readonly description?: string;
    /** Absolute path of the pack's folder. */
    readonly folder: string;
    readonly root: string;
    readonly generated: string;
    readonly handlers: string;
    readonly dist: string;
    readonly context?: HandlerRef;
    /** X10: of tools that do not say it themselves. */
    readonly isolate?: ToolDefinition['isolate'];
    readonly config: Readonly<Record<string, ConfigEntry>>;
    /** Absent where there are none. */
    readonly backends?: Backends;
    /** Positions in toolwright.yaml. */
    readonly at: Locator;
  };
  readonly servers: readonly Server[];
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly schemas: readonly Schema[];
  /** X1: what is used of other packs' schemas; absent where that is nothing. */
  readonly foreignSchemas?: readonly ForeignSchema[];
}

/** Goes up whenever validators of the same schemas come out differently. */
const validatorFormat = 5;

/**
 * Equal for two tools exactly if the same validators serve both. The order of keys counts, since errors come in it.
 *
 * @example definitionHash(tool) // 'q0Vt1vSm0pYxPyEvfT0r5w'
 */
export function definitionHash(tool: Pick<Tool, 'inputSchema' | 'outputSchema' | 'filling'>): string {
  const text = JSON.stringify([validatorFormat, tool.filling, tool.inputSchema, tool.outputSchema ?? null]);
  return hash('sha256', text, 'buffer').toString('base64url', 0, 16);
}

/** X10: whether its handler runs in a thread of its own. */
export function isIsolated({ definition }: Tool, { pack }: Program): boolean {
  return (definition.isolate ?? pack.isolate) === 'thread';
}

/** T1: how a tool runs as a task. */
export interface TaskPolicy {
  /** `required`: never as a plain call. */
  readonly mode: 'optional' | 'required';
  /** Questions that come at once come before the task. */
  readonly asksBefore: boolean;
  /** Run again where its process ended; else it has failed. */
  readonly resumes: boolean;
}

/** T1: undefined: never as a task. */
export function taskPolicyOf({ definition }: Pick<Tool, 'definition'>): TaskPolicy | undefined {
  const { task, effect, annotations, confirm } = definition;
  const { mode = 'optional', ask, restart } = typeof task === 'object' ? task : { mode: task ?? 'forbidden' };
  if (mode === 'forbidden') return undefined;
  // What changes nothing, or nothing more the second time.
  const isRepeatable = effect === 'read' || annotations?.['idempotentHint'] === true;
  return {
    mode,
    asksBefore: ask === 'before' || confirm === true,
    resumes: restart === undefined ? isRepeatable : restart === 'resume',
  };
}

/** Of what is away from its file: all that is left of a place is what `site` says. */
export function locatorOf(site: (path: Path) => Site): Locator {
  return { site, find: site, source: () => undefined };
}
