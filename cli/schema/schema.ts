// toolwright schema [kind]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { schemaNames, schemaPath } from '../../generator/compile/pack-schemas.js';
import { didYouMean } from '../../schema/nearest.js';
import { printDiagnostics, workingFolder } from '../pack/pack-command.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';

export interface SchemaFlags extends CommonFlags {
  readonly path?: boolean;
}

export function schema(kind: string | undefined, flags: SchemaFlags): number {
  process.stdout.write(printSchema(kind, flags));
  return 0;
}

function printSchema(kind: string | undefined, flags: SchemaFlags): string {
  if (kind !== undefined && !schemaNames.some(name => name === kind)) {
    throw new UsageError(
      `there is no schema "${kind}": ${didYouMean(kind, schemaNames) ?? `known are ${schemaNames.join(', ')}`}`,
    );
  }
  // A schema has no problems to report, which is what these formats are for.
  if (flags.format === 'github' || flags.format === 'sarif')
    return printDiagnostics([], flags, workingFolder(flags), []);
  if (kind === undefined) {
    const paths = schemaNames.map(name => [name, pathOf(name)] as const);
    if (flags.format === 'json') return `${JSON.stringify(Object.fromEntries(paths), null, 2)}\n`;
    return paths.map(([name, path]) => `${name.padEnd(10)} ${path}\n`).join('');
  }
  if (flags.path) return flags.format === 'json' ? `${JSON.stringify(pathOf(kind))}\n` : `${pathOf(kind)}\n`;
  return readFileSync(pathOf(kind), 'utf8');
}

function pathOf(name: string): string {
  return fileURLToPath(schemaPath(name));
}
