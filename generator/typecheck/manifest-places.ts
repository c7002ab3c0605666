// In: a declaration in the generated folder. Out: the place in a manifest that it was made from.

import type { ts as Ts } from 'ts-morph';
import { type Folder, normalizePath, parentOf } from '../../runtime/load/folder.js';
import type { Program, Prompt, Resource, Tool } from '../../runtime/load/program.js';
import { maxBytes } from '../../runtime/load/read-file.js';
import type { Site } from '../../schema/diagnostics.js';
import { memberName, typePrefix } from '../../schema/names.js';
import { digits } from '../compile/declarations/block.js';
import { definitionSite } from '../compile/declarations/item.js';
import type { TypeScript } from '../handlers/bind-sources.js';
import { readText } from './place-error.js';

interface ManifestPlaces {
  /** `path`: of the generated file, relative to the pack. */
  of(path: string, declaration: Ts.Node): Site | undefined;
}

/** Through the declaration maps; where a file has none, by the names in it. */
export function createManifestPlaces(ts: TypeScript, program: Program, folder: Folder): ManifestPlaces {
  const maps = new Map<string, DeclarationMap>();
  const items = [...program.tools, ...program.prompts, ...program.resources];

  function mapOf(path: string): DeclarationMap {
    const known = maps.get(path);
    if (known !== undefined) return known;
    const map = readDeclarationMap(readText(folder, `${path}.map`, maxBytes));
    maps.set(path, map);
    return map;
  }

  function mapped(path: string, name: Ts.Node): Site | undefined {
    const file = name.getSourceFile();
    const at = (offset: number) => {
      const { line, character } = file.getLineAndCharacterOfPosition(offset);
      return mapOf(path).at(line, character);
    };
    const start = at(name.getStart());
    const source = start === undefined ? undefined : normalizePath(`${parentOf(path)}/${start.source}`);
    if (start === undefined || source === undefined) return undefined;
    const end = at(name.getEnd());
    const isRange = end !== undefined && end.source === start.source && isAfter(end, start);
    const stop = isRange ? end : { line: start.line, column: start.column + name.getEnd() - name.getStart() };
    return { file: source, line: start.line, column: start.column, endLine: stop.line, endColumn: stop.column };
  }

  /** By the names of interfaces and their members, as the generator gives them. */
  function named(declaration: Ts.Node): Site | undefined {
    const owner = ts.isInterfaceDeclaration(declaration.parent) ? declaration.parent.name.text : undefined;
    const name = nameOf(declaration)?.text ?? '';
    if (owner === 'Config') return program.pack.at.site(['config', name], 'key');
    if (owner === 'Tools') return definitionOf(program.tools, name);
    if (owner === 'Prompts') return definitionOf(program.prompts, name);
    if (owner === 'Resources') return definitionOf(program.resources, name);
    const type = owner ?? name;
    const item = items
      .filter(one => type.startsWith(typePrefix(one.kind, one.item)))
      .sort((a, b) => b.item.length - a.item.length)[0];
    if (item === undefined) return undefined;
    return owner === undefined
      ? definitionSite(item)
      : memberSite(item, type.slice(typePrefix(item.kind, item.item).length), name);
  }

  return {
    of(path, declaration) {
      const name = nameOf(declaration);
      return (
        partSite(items, declaration) ?? (name === undefined ? undefined : mapped(path, name)) ?? named(declaration)
      );
    },
  };
}

function definitionOf(items: readonly (Tool | Prompt | Resource)[], member: string): Site | undefined {
  const item = items.find(one => memberName(one.item) === member);
  return item === undefined ? undefined : definitionSite(item);
}

/** The fields of a definition that a type as a whole is made from. */
const parts: Readonly<Record<string, readonly string[]>> = {
  Args: ['parameters', 'inputSchema', 'arguments', 'uriTemplate'],
  Input: ['parameters', 'inputSchema'],
  Output: ['output', 'outputSchema'],
  Errors: ['errors'],
  Options: ['options'],
};

/** A name that is not among the arguments concerns their field more than the definition, which the maps name. */
function partSite(items: readonly (Tool | Prompt | Resource)[], declaration: Ts.Node): Site | undefined {
  const type = nameOf(declaration)?.text ?? '';
  for (const [suffix, fields] of Object.entries(parts)) {
    const item = items.find(one => type === `${typePrefix(one.kind, one.item)}${suffix}`);
    const field = fields.find(one => item !== undefined && Object.hasOwn(item.definition, one));
    if (item !== undefined && field !== undefined) return item.at.site([field], 'key');
  }
  return undefined;
}

function memberSite(item: Tool | Prompt | Resource, suffix: string, name: string): Site {
  if (item.kind === 'prompt') return item.at.site(['arguments', name], 'key');
  if (item.kind === 'resource') return item.at.site(['uriTemplate']);
  switch (suffix) {
    case 'Args':
    case 'Input':
      return item.inputSite(['properties', name], 'key');
    case 'Output':
      return item.outputSite?.(['properties', name], 'key') ?? definitionSite(item);
    case 'Errors':
      return item.at.site(['errors', name], 'key');
    case 'Options':
      return item.at.site(['options', name], 'key');
    default:
      return definitionSite(item);
  }
}

function nameOf(declaration: Ts.Node): (Ts.Node & { readonly text?: string }) | undefined {
  return (declaration as Ts.NamedDeclaration).name as (Ts.Node & { readonly text?: string }) | undefined;
}

function isAfter(end: { line: number; column: number }, start: { line: number; column: number }): boolean {
  return end.line > start.line || (end.line === start.line && end.column > start.column);
}

// In: a declaration map. Out: where a position of the generated file comes from: a line of a manifest.

interface MappedPosition {
  /** As the map names it: relative to the folder of the map. */
  readonly source: string;
  /** Both 1-based. */
  readonly line: number;
  readonly column: number;
}

interface DeclarationMap {
  /** What starts exactly there; 0-based line and column of the generated text. */
  at(line: number, column: number): MappedPosition | undefined;
}

type Segment = readonly [column: number, source?: number, line?: number, sourceColumn?: number];

/**
 * Reads a map of version 3. A string that is not one maps nothing.
 *
 * @example readDeclarationMap('{"version":3,"sources":["../a.yaml"],"mappings":"AAAA"}').at(0, 0)
 */
export function readDeclarationMap(text: string): DeclarationMap {
  const { sources, lines } = parse(text);
  return {
    at(line, column) {
      const segment = lines[line]?.find(([start]) => start === column);
      const [, source, sourceLine, sourceColumn] = segment ?? [];
      const file = source === undefined ? undefined : sources[source];
      if (file === undefined || sourceLine === undefined || sourceColumn === undefined) return undefined;
      return { source: file, line: sourceLine + 1, column: sourceColumn + 1 };
    },
  };
}

function parse(text: string): { readonly sources: readonly string[]; readonly lines: readonly (readonly Segment[])[] } {
  try {
    const { sources, mappings } = JSON.parse(text) as { sources?: unknown; mappings?: unknown };
    if (!Array.isArray(sources) || typeof mappings !== 'string') return { sources: [], lines: [] };
    return { sources: sources.map(String), lines: decode(mappings) };
  } catch {
    return { sources: [], lines: [] };
  }
}

function decode(mappings: string): readonly (readonly Segment[])[] {
  let [source, line, sourceColumn] = [0, 0, 0];
  return mappings.split(';').map(group => {
    let column = 0;
    return group.split(',').flatMap((text): Segment[] => {
      const [first, ...rest] = numbers(text);
      if (first === undefined) return [];
      column += first;
      if (rest.length < 3) return [[column]];
      source += rest[0] ?? 0;
      line += rest[1] ?? 0;
      sourceColumn += rest[2] ?? 0;
      return [[column, source, line, sourceColumn]];
    });
  });
}

/** Base 64 VLQ: five bits a digit, the sixth says that more follow; the lowest bit of a number is its sign. */
function numbers(text: string): readonly number[] {
  const found: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of text) {
    const digit = digits.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    found.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return found;
}
