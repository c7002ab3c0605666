// The published schemas, read from the package one by one when they are asked for: most runs change none of them.
import { existsSync, readFileSync } from 'node:fs';

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

/** Where a schema is installed: beside the sources, or above what was bundled from them. */
export function schemaPath(name: string): URL {
  const [beside, above] = ['../schema/', '../../schema/'].map(
    way => new URL(`${way}${name}.schema.json`, import.meta.url),
  );
  if (beside === undefined || above === undefined) throw new Error('there are two ways');
  return existsSync(beside) ? beside : above;
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
