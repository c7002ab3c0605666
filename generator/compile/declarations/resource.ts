// In: a resource. Out: its types: the variables of its URI template and, where it has one, its handler.
import type { Resource } from '../../../runtime/load/program.js';
import type { Site } from '../../../schema/diagnostics.js';
import type { Section } from './item.js';
import { typePrefix } from './names.js';
import { printTextItem } from './text-item.js';

export interface ResourceTypeNames {
  readonly variables: string;
  /** A resource with text or a file has no handler, and so no context. */
  readonly context?: string;
  readonly handler?: string;
}

/**
 * The names of the types that a resource's declarations export.
 *
 * @example resourceTypeNames(resource).variables // 'IssueResourceVariables'
 */
export function resourceTypeNames({ item, handler }: Pick<Resource, 'item' | 'handler'>): ResourceTypeNames {
  const prefix = typePrefix('resource', item);
  const handled = handler === undefined ? {} : { context: `${prefix}Context`, handler: `${prefix}Handler` };
  return { variables: `${prefix}Variables`, ...handled };
}

/**
 * The declarations of one resource. Its variables are the texts that a client's URI has in their places.
 *
 * @example const { types, member } = printResourceSection(resource);
 */
export function printResourceSection(resource: Resource): Section {
  const { variables, ...names } = resourceTypeNames(resource);
  const places = findVariables(resource.definition.uriTemplate ?? '');
  return printTextItem({
    item: resource,
    names: { values: variables, ...names },
    parameter: 'variables',
    values: resource.variables.map(name => {
      const place = places.get(name) ?? { offset: -1, isOptional: true };
      return {
        name,
        description: '',
        isRequired: !place.isOptional,
        site: () => variableSite(resource, name, place),
      };
    }),
  });
}

/** Where a variable is first named in the template. Clients may leave out what is named in a query or as a parameter. */
interface Variable {
  readonly offset: number;
  readonly isOptional: boolean;
}

function findVariables(template: string): ReadonlyMap<string, Variable> {
  const found = new Map<string, Variable>();
  for (const { index, 1: operator = '', 2: list = '' } of template.matchAll(/\{([+#./;?&]?)([^}]*)\}/g)) {
    let offset = index + 1 + operator.length;
    for (const written of list.split(',')) {
      const name = written.replace(/\*$|:\d+$/, '');
      const known = found.get(name);
      const isOptional = [';', '?', '&'].includes(operator) && known?.isOptional !== false;
      found.set(name, { offset: known?.offset ?? offset, isOptional });
      offset += written.length + 1;
    }
  }
  return found;
}

/** The name inside the braces: a fixed part of the template may have the same text. */
function variableSite({ at, definition }: Resource, name: string, { offset }: Variable): Site {
  const template = definition.uriTemplate ?? '';
  let nth = 0;
  let index = template.indexOf(name);
  for (; index !== -1 && index < offset; index = template.indexOf(name, index + name.length)) nth += 1;
  return index === offset ? at.find(['uriTemplate'], name, nth) : at.site(['uriTemplate']);
}
