// In: an item of another pack. Out: its line in toolwright.lock: hashes of all that models and clients read of it before it is
// called, and of what its definition says about how it runs. The order of keys does not count, that of lists does, and CRLF counts
// as LF, since a workspace may be checked out either way; code and what it returns are not part of it.

import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { canonicalJson } from '../../schema/json-text.js';
import { type LockLine, type LockPart, lockParts } from '../../schema/lock/lock.js';
import type { Folder } from '../load/folder.js';
import type { Program, Prompt, Resource, Tool } from '../load/program.js';
import { maxBytes } from '../load/read-file.js';
import { promptEntry, resourceEntry } from '../surface/item-entries.js';
import { guidelinesIn, toolEntry } from '../surface/tool-entry.js';

const require = createRequire(import.meta.url);

/** Loaded where there is something to hash: `check` of most packs has nothing. */
function sha256(data: string | Uint8Array): Buffer {
  const { hash } = require('node:crypto') as typeof import('node:crypto');
  return hash('sha256', data, 'buffer');
}

/** What is hashed, by part. */
type Facts = Readonly<Record<Exclude<LockPart, 'behaviour'>, unknown>>;

/** `folder`: where files that messages of prompts send are read. */
export function lockLineOf(item: Tool | Prompt | Resource, pack: Program['pack'], folder: Folder): LockLine {
  const facts = { ...factsOf(item, folder), behaviour: behaviourOf(item, pack, folder) };
  const parts = lockParts.map(part => [part, hashOf(facts[part])] as const);
  return {
    name: `${pack.name}/${item.item}`,
    kind: item.kind,
    version: pack.version,
    parts: Object.fromEntries(parts) as Record<LockPart, string>,
  };
}

/** 192 bits: anyone who publishes a pack chooses both texts, so that half of the bits must be out of reach too. */
function hashOf(facts: unknown): string {
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
function behaviourOf(item: Tool | Prompt | Resource, { config, context }: Program['pack'], folder: Folder): unknown {
  const { handler } = item;
  const settings = Object.entries(config).map(([name, { description: _, ...entry }]) => [name, entry]);
  const own =
    item.kind === 'tool'
      ? { initialize: item.definition.initialize, options: item.definition.options }
      : item.kind === 'resource'
        ? { text: item.definition.text, file: fileOf(item.definition.file, folder) }
        : {};
  return { handler, context, config: Object.fromEntries(settings), ...own };
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
