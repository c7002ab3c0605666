// The published schemas, read from the package one by one when they are asked for: most runs change none of them.
import { readFileSync } from 'node:fs';
import { packageFile } from '../../runtime/load/own-package.js';

/** Every published schema by file name without ending. */
export const schemaNames = [
  'pack',
  'server',
  'tool',
  'prompt',
  'resource',
  'servers',
  'tools',
  'prompts',
  'resources',
  'overlay',
  'overlays',
] as const;

/** Where a schema is installed. */
export function schemaPath(name: string): URL {
  return packageFile(`schema/${name}.schema.json`);
}

/** Schemas as values; each is read on first use. */
export function readSchemas(): Readonly<Record<string, unknown>> {
  const lazy = schemaNames.map(name => {
    let schema: unknown;
    const get = (): unknown => {
      schema ??= JSON.parse(readFileSync(schemaPath(name), 'utf8'));
      return schema;
    };
    return [name, { enumerable: true, get }] as const;
  });
  return Object.defineProperties({}, Object.fromEntries(lazy));
}
