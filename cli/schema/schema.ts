// toolwright schema [kind] [key]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readReference, schemaNames, schemaPath } from '../../generator/compile/pack-schemas.js';
import { load } from '../../runtime/load/load.js';
import { packageFile } from '../../runtime/load/own-package.js';
import { sharedName } from '../../schema/json-schema/refs.js';
import { didYouMean } from '../../schema/nearest.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { findKey } from '../../schema/reference/find-key.js';
import { printKeyForTerminal, printKindForTerminal } from '../../schema/reference/print-terminal.js';
import type { KindReference } from '../../schema/reference/read-kind.js';
import { colors, findPackAround, printDiagnostics, workingFolder } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';

export interface SchemaFlags extends Omit<CommonFlags, 'format'> {
  /** Undefined where it was not given: a reference on a terminal, JSON into files and pipes. */
  readonly format?: CommonFlags['format'];
  readonly path?: boolean;
}

export function schema(kind: string | undefined, key: string | undefined, flags: SchemaFlags): number {
  process.stdout.write(printSchema(kind, key, flags));
  return 0;
}

function printSchema(kind: string | undefined, key: string | undefined, flags: SchemaFlags): string {
  const name = schemaNames.find(one => one === kind);
  if (kind !== undefined && name === undefined) return printShared(kind, key, flags);
  const { format } = flags;
  // A schema has no problems to report, which is what these formats are for.
  if (format === 'github' || format === 'sarif') {
    const common = { ...flags, format };
    return printDiagnostics([], common, workingFolder(common), []);
  }
  if (name === undefined) {
    const paths = schemaNames.map(one => [one, pathOf(one)] as const);
    if (format === 'json') return `${JSON.stringify(Object.fromEntries(paths), null, 2)}\n`;
    return paths.map(([one, path]) => `${one.padEnd(10)} ${path}\n`).join('');
  }
  if (flags.path) return format === 'json' ? `${JSON.stringify(pathOf(name))}\n` : `${pathOf(name)}\n`;
  const isText = format === 'text' || (format === undefined && process.stdout.isTTY === true);
  if (!isText && key === undefined) return readFileSync(pathOf(name), 'utf8');
  return printReference(readReference(name), key, { isText, flags });
}

/** A shared schema of the pack around, with all that it refers to. Kinds come first: `schema:tool` means one that is called like a kind. */
function printShared(asked: string, key: string | undefined, flags: SchemaFlags): string {
  const wanted = sharedName(asked) ?? asked;
  const pack = findPackAround(workingFolder({ ...flags, format: flags.format ?? 'text' }));
  const { program, schemas } = load(pack);
  const found = program?.schemas.find(({ item }) => item === wanted);
  if (found === undefined) {
    const names = schemas.map(({ schema }) => schema.item);
    if (names.includes(wanted)) throw new UsageError(`the schema "${visible(wanted)}" has mistakes: toolwright check`);
    const known = names.length === 0 ? '' : `, and this pack has ${names.join(', ')}`;
    const hint = didYouMean(wanted, [...schemaNames, ...names]) ?? `known are ${schemaNames.join(', ')}${known}`;
    throw new UsageError(`there is no schema "${visible(asked)}": ${hint}`);
  }
  if (key !== undefined)
    throw new UsageError(`"${visible(wanted)}" is a schema of this pack, which is printed as a whole`);
  if (flags.path) {
    const path = join(pack, found.file);
    return flags.format === 'json' ? `${JSON.stringify(path)}\n` : `${path}\n`;
  }
  return `${visibleJson(found.schema)}\n`;
}

interface Printing {
  readonly isText: boolean;
  readonly flags: SchemaFlags;
}

function printReference(reference: KindReference, typed: string | undefined, { isText, flags }: Printing): string {
  // The pages come with the package, so they are where it is installed.
  const docs = fileURLToPath(packageFile('docs'));
  const screen = { width: Math.max(process.stdout.columns || 80, 40), paint: colors(flags), docs };
  if (typed === undefined) return printKindForTerminal(reference, screen);
  const found = findKey(reference, typed);
  if ('hint' in found) throw new UsageError(`a ${reference.kind} has no key "${visible(typed)}": ${found.hint}`);
  if (!isText) return `${JSON.stringify(found.key, null, 2)}\n`;
  return printKeyForTerminal(reference.kind, found.key, screen);
}

function pathOf(name: string): string {
  return fileURLToPath(schemaPath(name));
}
