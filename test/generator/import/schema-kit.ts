// Books of schemas for tests: of a few components, and of one schema that refers to them.
import type { Api, SchemaBook } from '../../../generator/import/openapi/api.js';
import { makeSchemaBook } from '../../../generator/import/openapi/schemas.js';
import { apiOf } from './read-harness.js';

type Schema = Readonly<Record<string, unknown>>;

export interface Opened {
  readonly book: SchemaBook;
  /** What is sent. */
  sent(schema: unknown): Schema;
  returned(schema: unknown): Schema | undefined;
  /** The shared schemas so far, by name. */
  shared(): Readonly<Record<string, Schema>>;
}

/** A document of a version with these components; `x` in it is the schema that is asked about. */
export function openBook(components: Readonly<Record<string, unknown>> = {}, version = '3.0.3'): Opened {
  const book = makeSchemaBook(documentOf(components, version));
  const placed = (value: unknown) => {
    const ref = typeof value === 'object' && value !== null && Object.keys(value).length === 1 && '$ref' in value;
    return ref
      ? { value: componentAt(String(value.$ref)), pointer: String(value.$ref) }
      : { value, pointer: `#/x-asked/${nth++}` };
  };
  const componentAt = (pointer: string): unknown => components[pointer.slice(pointer.lastIndexOf('/') + 1)];
  let nth = 0;
  return {
    book,
    sent: schema => book.input(placed(schema)),
    returned: schema => book.output(placed(schema))?.schema,
    shared: () => Object.fromEntries(book.shared().map(({ name, definition }) => [name, definition])),
  };
}

function documentOf(components: Readonly<Record<string, unknown>>, version: string): Api {
  const root =
    version === '2.0'
      ? { swagger: version, definitions: components }
      : { openapi: version, components: { schemas: components } };
  return apiOf(JSON.stringify({ ...root, info: { title: 'Pets', version: '1' }, paths: {} }, undefined, 1), {
    file: 'api.json',
  });
}

/** The pointer of a component. */
export const refTo = (name: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${name}` });
