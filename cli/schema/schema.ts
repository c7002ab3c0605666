// toolwright schema [kind] [key]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readReference, schemaNames, schemaPath } from '../../generator/compile/pack-schemas.js';
import { packageFile } from '../../runtime/load/own-package.js';
import { didYouMean } from '../../schema/nearest.js';
import { visible } from '../../schema/print/visible.js';
import { findKey } from '../../schema/reference/find-key.js';
import { printKeyForTerminal, printKindForTerminal } from '../../schema/reference/print-terminal.js';
import type { KindReference } from '../../schema/reference/read-kind.js';
import { colors, printDiagnostics, workingFolder } from '../pack/pack-command.js';
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
  if (kind !== undefined && name === undefined) {
    throw new UsageError(
      `there is no schema "${visible(kind)}": ${didYouMean(kind, schemaNames) ?? `known are ${schemaNames.join(', ')}`}`,
    );
  }
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
