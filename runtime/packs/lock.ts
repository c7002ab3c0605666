// In: a composed server and the lock of its pack. Out: which items of other packs are not what somebody accepted. A line of the lock has
// hashes of all that models and clients read of an item before it is called, and of what its definition says about how it runs. The order
// of keys does not count, that of lists does, and CRLF counts as LF, since a workspace may be checked out either way; code and what it
// returns are not part of it.

import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { callKindOf, findBackend } from '../../schema/backend/calls.js';
import { reachOf } from '../../schema/backend/reach.js';
import type { HandledKind } from '../../schema/definitions.js';
import {
  addAll,
  type Diagnostic,
  type DiagnosticExtras,
  diagnose,
  type Site,
  startOf,
} from '../../schema/diagnostics.js';
import { canonicalJson } from '../../schema/json-text.js';
import {
  changedParts,
  type LockLine,
  type LockPart,
  lockFile,
  lockKey,
  lockParts,
  parseLock,
} from '../../schema/lock/lock.js';
import { codeOf, type Folder, nodeFolder } from '../load/folder.js';
import { builtinPack } from '../load/own-package.js';
import {
  type ForeignSchema,
  type Program,
  type Prompt,
  type Resource,
  type Server,
  type Tool,
  taskPolicyOf,
} from '../load/program.js';
import { maxBytes } from '../load/read-file.js';
import type { ComposedItem, ComposedServer } from './compose.js';
import { guidelinesIn, promptEntry, resourceEntry, toolEntry } from './list-entries.js';
import type { PackLookup } from './look-up.js';

/** `lines` are empty where there is no lock, or one that cannot be used. */
export interface Lock {
  readonly state: 'absent' | 'broken' | 'read';
  readonly lines: readonly LockLine[];
  readonly diagnostics: readonly Diagnostic[];
}

export function readLock(folder: Folder): Lock {
  const status = folder.status(lockFile);
  if (status === 'missing') return { state: 'absent', lines: [], diagnostics: [] };
  if (status !== 'file') return unreadable(status === 'outside' ? 'it is outside the pack' : 'it is not a file');
  try {
    const bytes = folder.read(lockFile, maxBytes);
    if (typeof bytes === 'number') return unreadable('it is too large');
    if (!isUtf8(bytes)) return unreadable('it is not UTF-8');
    const { value, diagnostics } = parseLock(new TextDecoder().decode(bytes));
    return { state: value === undefined ? 'broken' : 'read', lines: value ?? [], diagnostics };
  } catch (error) {
    return unreadable(codeOf(error) ?? String(error));
  }
}

function unreadable(reason: string): Lock {
  return { state: 'broken', lines: [], diagnostics: [diagnose('lock/unreadable', { reason }, startOf(lockFile))] };
}

/** An item of another pack as it is now. */
export interface ForeignItem {
  /** What is served of it; of a shared schema, the own tools that use it. */
  readonly items: readonly ComposedItem<HandledKind>[];
  /** What a person reads before accepting it. */
  readonly text: string;
  /** B1-B4: what its work reaches, and the request, statement or command as it is written; none where code decides. */
  readonly work: readonly string[];
  readonly now: LockLine;
}

/**
 * What a server takes from other packs; what comes with this package needs no lock.
 * `plain` finds the same packs without overlays: those are the operator's own, and no change of a pack.
 */
export function foreignItems(composed: ComposedServer, plain?: PackLookup): readonly ForeignItem[] {
  const { pack: own, tools, prompts, resources } = composed;
  const all: readonly ComposedItem<HandledKind>[] = [...tools, ...prompts, ...resources];
  const builtin = builtinPack();
  const served = all
    .filter(({ pack }) => pack !== own && pack.program.pack.folder !== builtin)
    .map(item => ({
      items: [item],
      text: item.item.description,
      work: workLines(item),
      now: lineOf(item, plain),
    }));
  return [...served, ...foreignSchemas(composed)];
}

function workLines({ item, pack }: ComposedItem<HandledKind>): readonly string[] {
  const definition: Readonly<Record<string, unknown>> = { ...item.definition };
  const kind = callKindOf(definition);
  const reaches = reachOf(definition, pack.program.pack.backends);
  return kind === undefined || reaches === undefined ? [] : [reaches, `${kind}: ${canonicalJson(definition[kind])}`];
}

/** X1: those of other packs that own tools use. The line of another pack's tool has the schemas that it uses in its own. */
function foreignSchemas({ pack, tools }: ComposedServer): readonly ForeignItem[] {
  return (pack.program.foreignSchemas ?? []).flatMap(schema => {
    const items = tools.filter(one => one.pack === pack && isUsedBy(schema.item, one.item));
    return items.length === 0 ? [] : [{ items, text: schema.description, work: [], now: lineOfSchema(schema) }];
  });
}

function isUsedBy(schema: string, { sharing }: Tool): boolean {
  return [sharing?.input, sharing?.output].some(one => one !== undefined && Object.values(one.uses).includes(schema));
}

function lineOfSchema({ item, pack, schema, description }: ForeignSchema): LockLine {
  const facts: Readonly<Record<LockPart, unknown>> = { description, schema, annotations: null, behaviour: null };
  const parts = lockParts.map(part => [part, hashFacts(facts[part])] as const);
  // A second version of a pack has a number behind its schemas.
  const name = item.replace('#', '_');
  return { name, kind: 'schema', version: pack.version, parts: Object.fromEntries(parts) as Record<LockPart, string> };
}

function lineOf({ item, pack }: ComposedItem<HandledKind>, plain: PackLookup | undefined): LockLine {
  const { pack: origin } = pack.program;
  const unpatched = plain?.pack(origin.name);
  const items = unpatched !== undefined && 'program' in unpatched ? unpatched.program[`${item.kind}s`] : [];
  const same = items.find(one => one.item === item.item);
  return lockLineOf(same ?? item, origin, pack.folder ?? nodeFolder(origin.folder));
}

/** An item that nobody accepted as it is. */
interface Unaccepted extends ForeignItem {
  /** What changed; undefined where it has no line. */
  readonly changed?: { readonly parts: readonly LockPart[]; readonly before: LockLine };
}

function findUnaccepted(items: readonly ForeignItem[], { lines }: Lock): readonly Unaccepted[] {
  const known = new Map(lines.map(line => [lockKey(line), line]));
  return items.flatMap((one): Unaccepted[] => {
    const before = known.get(lockKey(one.now));
    if (before === undefined) return [one];
    const parts = changedParts(before, one.now);
    return parts.length === 0 ? [] : [{ ...one, changed: { parts, before } }];
  });
}

const acceptance = 'toolwright lock --check shows it, toolwright lock accepts it';

/** Told where the server names the item. `extras`: at start a change is a warning. */
function reportUnaccepted(
  { server }: Pick<ComposedServer, 'server'>,
  { items, now, changed }: Unaccepted,
  extras: DiagnosticExtras = {},
): Diagnostic {
  const { name, kind, version: to } = now;
  const site = siteOf(server, items);
  if (changed === undefined) return diagnose('pack/not-locked', { kind, name }, site);
  const { parts, before } = changed;
  return diagnose('pack/changed', { kind, name, parts, from: before.version, to }, site, {
    hint: acceptance,
    ...extras,
  });
}

/** For `check`: nothing where there is no lock, since nobody asked for one. */
export function checkLock(composed: ComposedServer, lock: Lock, plain?: PackLookup): readonly Diagnostic[] {
  if (lock.state !== 'read') return [];
  return findUnaccepted(foreignItems(composed, plain), lock).map(one => reportUnaccepted(composed, one));
}

export interface Thawed {
  /** Under --frozen without what nobody accepted. Names stay as they are. */
  readonly composed: ComposedServer;
  readonly diagnostics: readonly Diagnostic[];
}

/** For `start`: a change is reported; with `isFrozen` it is not served, nor is anything that has no line. */
export function applyLock(composed: ComposedServer, lock: Lock, isFrozen: boolean, plain?: PackLookup): Thawed {
  const diagnostics = [...lock.diagnostics];
  if (!isFrozen && lock.state !== 'read') return { composed, diagnostics };
  const unaccepted = findUnaccepted(foreignItems(composed, plain), lock);
  for (const one of unaccepted) {
    if (isFrozen) addAll(diagnostics, reportLeftOut(composed, one, lock));
    else diagnostics.push(reportUnaccepted(composed, one, { severity: 'warning' }));
  }
  if (!isFrozen || unaccepted.length === 0) return { composed, diagnostics };
  const out = new Set<ComposedItem<HandledKind>>(unaccepted.flatMap(({ items }) => items));
  const { tools, prompts, resources } = composed;
  return {
    composed: {
      ...composed,
      tools: tools.filter(item => !out.has(item)),
      prompts: prompts.filter(item => !out.has(item)),
      resources: resources.filter(item => !out.has(item)),
    },
    diagnostics,
  };
}

/** Where the server names the item, or its list of items of that kind. */
function siteOf({ at }: Server, [first]: ForeignItem['items']): Site {
  return at.site(first?.path ?? [`${first?.item.kind ?? 'tool'}s`]);
}

function reportLeftOut(
  { server, pack }: ComposedServer,
  { items, now, changed }: Unaccepted,
  { state }: Lock,
): readonly Diagnostic[] {
  const { name, kind } = now;
  const none = state === 'read' ? 'it has no line in toolwright.lock' : 'there is no toolwright.lock that can be used';
  const reason = changed === undefined ? none : `its ${changed.parts.join(' and ')} changed`;
  if (kind !== 'schema') return [diagnose('lock/left-out', { kind, name, reason }, siteOf(server, items))];
  return items.map(one => {
    const params = { kind: one.item.kind, name: `${pack.program.pack.name}/${one.item.item}` };
    const why = `it uses the schema "${name}", and ${reason}`;
    return diagnose('lock/left-out', { ...params, reason: why }, siteOf(server, [one]));
  });
}

const require = createRequire(import.meta.url);

/** Loaded where there is something to hash: `check` of most packs has nothing. */
function sha256(data: string | Uint8Array): Buffer {
  const { hash } = require('node:crypto') as typeof import('node:crypto');
  return hash('sha256', data, 'buffer');
}

/** What is hashed, by part. */
type Facts = Readonly<Record<Exclude<LockPart, 'behaviour'>, unknown>>;

/** `folder`: where files that messages of prompts send are read. */
function lockLineOf(item: Tool | Prompt | Resource, pack: Program['pack'], folder: Folder): LockLine {
  const facts = { ...factsOf(item, folder), behaviour: behaviourOf(item, pack, folder) };
  const parts = lockParts.map(part => [part, hashFacts(facts[part])] as const);
  return {
    name: `${pack.name}/${item.item}`,
    kind: item.kind,
    version: pack.version,
    parts: Object.fromEntries(parts) as Record<LockPart, string>,
  };
}

/** 192 bits: anyone who publishes a pack chooses both texts, so that half of the bits must be out of reach too. */
function hashFacts(facts: unknown): string {
  return sha256(canonicalJson(withLineFeeds(facts))).toString('base64url', 0, 24);
}

function withLineFeeds(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n');
  if (Array.isArray(value)) return value.map(withLineFeeds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withLineFeeds(one)]));
}

const asWritten = (text: string): string => text;

function factsOf(item: Tool | Prompt | Resource, folder: Folder): Facts {
  switch (item.kind) {
    case 'tool':
      return toolFacts(item);
    case 'prompt':
      return promptFacts(item, folder);
    case 'resource':
      return resourceFacts(item);
    default:
      return item satisfies never;
  }
}

function toolFacts(tool: Tool): Facts {
  const { definition } = tool;
  const entry = toolEntry({ tool, name: tool.name }, asWritten);
  const { name, title, description, inputSchema, outputSchema, ...others } = entry;
  const advice = guidelinesIn('instructions', definition);
  // Whether a user is asked before it runs is a promise like the hints.
  return {
    description: { name, title, description, advice, errors: definition.errors },
    schema: { inputSchema, outputSchema },
    annotations: { ...others, confirm: definition.confirm === true },
  };
}

function promptFacts(prompt: Prompt, folder: Folder): Facts {
  const {
    name,
    title,
    description,
    arguments: list,
    ...others
  } = promptEntry({ prompt, name: prompt.name }, asWritten);
  const { messages } = prompt.definition;
  return {
    description: {
      name,
      title,
      description,
      arguments: list,
      text: prompt.text,
      messages,
      files: filesOf(messages, folder),
    },
    schema: prompt.arguments.map(({ name: argument, required = false, type }) => ({
      name: argument,
      required,
      ...(type === 'list' ? { type } : {}),
    })),
    annotations: others,
  };
}

function resourceFacts(resource: Resource): Facts {
  const entry = resourceEntry({ resource }, asWritten);
  const { name, title, description, uri, uriTemplate, mimeType, size: _, ...others } = entry;
  return { description: { name, title, description }, schema: { uri, uriTemplate, mimeType }, annotations: others };
}

/** What runs, with which settings, and the contents that a definition gives itself: they reach the model without a call of code. */
function behaviourOf(
  item: Tool | Prompt | Resource,
  { config, context, backends }: Program['pack'],
  folder: Folder,
): unknown {
  const { handler } = item;
  const settings = Object.entries(config).map(([name, { description: _, ...entry }]) => [name, entry]);
  const own =
    item.kind === 'tool'
      ? { initialize: item.definition.initialize, options: item.definition.options, task: taskPolicyOf(item) }
      : item.kind === 'resource'
        ? { text: item.definition.text, file: fileOf(item.definition.file, folder) }
        : {};
  return { handler, context, config: Object.fromEntries(settings), ...own, ...workOf(item, backends) };
}

/** Of an item without code: the request, statement or command, and the backend that it goes to; of one with code: all that it can use. */
function workOf({ definition }: Tool | Prompt | Resource, backends: Program['pack']['backends']): object {
  const fields: Readonly<Record<string, unknown>> = { ...definition };
  const kind = callKindOf(fields);
  if (kind === undefined) return backends === undefined ? {} : { backends };
  const found = findBackend(kind, fields[kind], backends ?? {});
  return {
    [kind]: fields[kind],
    ...(found?.problem === undefined && found !== undefined ? { backend: found.definition } : {}),
  };
}

function fileOf(path: string | undefined, folder: Folder): readonly string[] | undefined {
  return path === undefined ? undefined : [path, fingerprint(path, folder)];
}

/** What the files hold that messages name: it goes to the model with them. */
function filesOf(messages: unknown, folder: Folder): Readonly<Record<string, string>> {
  const files = new Map<string, string>();
  const visit = (value: unknown, key?: string): void => {
    if (typeof value === 'string') {
      if (key === 'file' || key === 'image' || key === 'audio') files.set(value, fingerprint(value, folder));
    } else if (typeof value === 'object' && value !== null) {
      for (const [inside, one] of Object.entries(value)) visit(one, inside);
    }
  };
  visit(messages);
  return Object.fromEntries(files);
}

const carriageReturn = 13;

function fingerprint(path: string, folder: Folder): string {
  try {
    const bytes = folder.status(path) === 'file' ? folder.read(path, maxBytes) : 0;
    if (typeof bytes === 'number') return `${bytes}`;
    const isText = isUtf8(bytes) && bytes.includes(carriageReturn);
    const sent = isText ? new TextDecoder().decode(bytes).replaceAll('\r\n', '\n') : bytes;
    return sha256(sent).toString('base64url');
  } catch {
    return '';
  }
}
