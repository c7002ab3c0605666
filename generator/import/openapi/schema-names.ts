// Names of shared schemas. In: the components of a document, all of them. Out: two names for each, of what is sent and of what is returned.
// They are given in the order of the document and whether or not anything uses them, so that they stay when operations come and go.
import { asMap } from '../../../schema/document.js';
import { ItemNames, kebabName } from '../item-names.js';
import type { Api } from './api.js';
import { below, keysOf, splitPointer } from './pointer.js';

export type Form = 'input' | 'output';

export interface SchemaNames {
  nameOf(pointer: string, form: Form): string;
}

/** What is called so is surely sent; a second ending would say nothing. */
const sentEnding = /-(?:input|request|params|parameters|payload|body|args|arguments)$/;

/**
 * The plain name is that of what is returned, which people and code see most.
 *
 * @example makeSchemaNames(api).nameOf('#/components/schemas/Issue', 'input') // 'issue-input'
 */
export function makeSchemaNames(api: Pick<Api, 'resolve'>): SchemaNames {
  const names = new ItemNames();
  const given = new Map<string, Readonly<Record<Form, string>>>();
  for (const pointer of listComponents(api)) give(pointer);
  return { nameOf: (pointer, form) => (given.get(pointer) ?? give(pointer))[form] };

  function give(pointer: string): Readonly<Record<Form, string>> {
    const title = titleOf(pointer);
    const name = kebabName(title) ?? 'schema';
    const wanted = kebabName(title) === undefined ? name : title;
    const isSent = sentEnding.test(name);
    const first = names.give(name);
    const second = names.give(kebabName(`${wanted}-${isSent ? 'output' : 'input'}`) ?? 'schema-input');
    const pair = isSent ? { input: first, output: second } : { input: second, output: first };
    given.set(pointer, pair);
    return pair;
  }
}

/** The pointers of all schemas that have names in the document. */
function listComponents(api: Pick<Api, 'resolve'>): readonly string[] {
  const root = asMap(api.resolve('#')?.value);
  const components = asMap(asMap(root['components'])['schemas']);
  return [
    ...Object.keys(components).map(name => below('#/components/schemas', name)),
    ...Object.keys(asMap(root['definitions'])).map(name => below('#/definitions', name)),
  ];
}

/** Keys on the way to a schema that name nothing. */
const structure: ReadonlySet<string> = new Set([
  ...['components', 'schemas', 'definitions', '$defs', 'properties', 'items', 'schema', 'content', 'paths'],
  ...['parameters', 'requestBody', 'responses', 'requestBodies', 'allOf', 'anyOf', 'oneOf', 'application/json'],
]);

/** `Issue` of a component; of a part of one, or of another file, what is on the way. */
function titleOf(pointer: string): string {
  const { address, fragment } = splitPointer(pointer);
  const keys = keysOf(fragment).filter(key => !structure.has(key) && !/^\d+$/.test(key));
  if (keys.length > 0) return keys.slice(-3).join('-');
  return /([^/]+?)(?:\.[a-z]+)?$/i.exec(address)?.[1] ?? 'schema';
}
