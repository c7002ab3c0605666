// In: a loaded pack. Out: its definitions as JSON, one combined file for each kind, with every text and schema that lies in a file of
// its own put in; and the manifest that goes with them (`--definitions external`).

import type { LoadedPack } from '../../runtime/load/load.js';
import type { ForeignSchema, Program, Prompt, Resource, Schema, Server, Tool } from '../../runtime/load/program.js';
import { definitionsRoot } from '../../runtime/server/stored/parts.js';
import { handledKinds, type Kind, keyOf, kinds } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';

type Fields = Readonly<Record<string, unknown>>;

export interface DefinitionFiles {
  /** By path, relative to the folder of the build. */
  readonly files: ReadonlyMap<string, string>;
  readonly manifest: string;
  /** Other packs whose schemas are used, as JSON. */
  readonly packs?: string;
}

export function printDefinitions({ catalog }: Pick<LoadedPack, 'catalog'>, program: Program): DefinitionFiles {
  // Of every kind: a file of an older build must not stay, with items that are no more.
  const files = kinds.map((kind): [string, string] => {
    const items = program[keyOf(kind)].filter(({ server }) => server === undefined);
    const definitions = Object.fromEntries(items.map(one => [one.item, resolved(one, program)]));
    return [`${definitionsRoot}/${keyOf(kind)}.json`, `${JSON.stringify(definitions, null, 2)}\n`];
  });
  return {
    files: new Map(files),
    manifest: JSON.stringify(manifestOf({ catalog }, program)),
    ...(program.foreignSchemas === undefined ? {} : { packs: printPacks(program.foreignSchemas) }),
  };
}

/** X1: other packs are not there where the server runs. Of each, the schemas that are used here. */
function printPacks(schemas: readonly ForeignSchema[]): string {
  const packs = new Map<string, { readonly manifest: Fields; readonly schemas: Record<string, Fields> }>();
  for (const { item, pack, definition, description } of schemas) {
    const { name, version } = pack;
    const known = packs.get(name) ?? { manifest: { name, version, root: definitionsRoot }, schemas: {} };
    packs.set(name, known);
    known.schemas[item.slice(name.length + 1)] = { ...(description === '' ? {} : { description }), ...definition };
  }
  return JSON.stringify(Object.fromEntries(packs));
}

/** A kind that is declared stays a closed list; one that is discovered finds new files. */
function manifestOf({ catalog }: Pick<LoadedPack, 'catalog'>, { pack }: Program): Fields {
  const { name, version, description, generated, handlers, dist, config, context, isolate, backends } = pack;
  const declared = kinds.flatMap((kind: Kind): [string, unknown][] => {
    const entries = catalog[kind];
    if (entries.length === 0 || entries.some(({ declaration }) => declaration === undefined)) return [];
    return [
      [
        keyOf(kind),
        entries.map(({ name: item, declaration }) => ({
          name: item,
          ...(declaration?.description === undefined ? {} : { description: declaration.description }),
        })),
      ],
    ];
  });
  return {
    name,
    version,
    ...(description === undefined ? {} : { description }),
    root: definitionsRoot,
    generated,
    handlers,
    dist,
    ...(context === undefined ? {} : { context: `${context.path}#${context.export}` }),
    ...(isolate === undefined ? {} : { isolate }),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(backends === undefined ? {} : { backends }),
    ...Object.fromEntries(declared),
  };
}

function resolved(one: Server | Tool | Prompt | Resource | Schema, program: Program): Fields {
  const { definition, description } = one;
  const fields: Record<string, unknown> = { ...definition };
  if (isMap(fields['description'])) fields['description'] = description;
  switch (one.kind) {
    case 'tool':
      if (isFile(fields['inputSchema'])) fields['inputSchema'] = one.inputSchema;
      if (isFile(fields['outputSchema'])) fields['outputSchema'] = one.outputSchema;
      break;
    case 'prompt':
      if (isMap(fields['text'])) fields['text'] = one.text;
      break;
    case 'server':
      if (one.instructions !== '') fields['instructions'] = one.instructions;
      for (const kind of handledKinds) {
        const list = fields[keyOf(kind)];
        if (Array.isArray(list)) fields[keyOf(kind)] = list.map(line => inline(line, kind, program));
      }
      break;
    case 'resource':
    case 'schema':
      break;
    default:
      return one satisfies never;
  }
  return fields;
}

function inline(line: unknown, kind: 'tool' | 'prompt' | 'resource', program: Program): unknown {
  if (!isMap(line)) return line;
  const found = program[keyOf(kind)].find(({ item, server }) => server !== undefined && item === line['name']);
  return found === undefined ? line : resolved(found, program);
}

/** A schema has keywords of its own; a reference to a file has nothing else. */
function isFile(value: unknown): boolean {
  return isMap(value) && typeof value['file'] === 'string' && Object.keys(value).length === 1;
}
