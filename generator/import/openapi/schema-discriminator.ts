// Alternatives with a discriminator. In: converted alternatives, and what the document says of them. Out: the same so that a right value fits.
import { asMap } from '../../../schema/document.js';
import { type JsonSchemaObject, own } from '../../../schema/json-schema/keywords.js';
import type { Converting, Made } from './schema-converting.js';
import { type Place, within } from './schema-place.js';

/** Marks what others are kinds of, which may have more members; it does not name them. */
export const kindsKey = 'x-has-kinds';

/**
 * A discriminator chooses one of the alternatives, which may all fit: so `oneOf` becomes `anyOf`, unless the document says which value
 * means which, and they say it themselves.
 */
export function tellApart(discriminator: JsonSchemaObject, at: Place, converting: Converting, made: Made): void {
  const { oneOf } = made;
  const name = own(discriminator, 'propertyName');
  if (!Array.isArray(oneOf)) return;
  const values = new Map<string, string[]>();
  const inside = within(within(at, 'discriminator'), 'mapping');
  for (const [value, target] of Object.entries(asMap(own(discriminator, 'mapping')))) {
    if (typeof target !== 'string') continue;
    // A bare name is that of a component.
    const ref =
      /^[\w.-]+$/.test(target) && !/\.(?:json|ya?ml)$/i.test(target) ? `#/components/schemas/${target}` : target;
    const pointer = ref.startsWith('#') ? ref : converting.follow(ref, within(inside, value));
    if (pointer !== undefined) values.set(pointer, [...(values.get(pointer) ?? []), value]);
  }
  const tagged = oneOf.map((one: JsonSchemaObject) => {
    const { $ref: pointer } = one;
    const meant = typeof pointer === 'string' ? values.get(pointer) : undefined;
    if (typeof name !== 'string' || typeof pointer !== 'string' || meant === undefined) return undefined;
    const described = asMap(asMap(asMap(converting.valueAt(pointer))['properties'])[name]);
    if (described['enum'] !== undefined || described['const'] !== undefined) return one;
    if (one['properties'] !== undefined) return undefined;
    const tag = meant.length === 1 ? { const: meant[0] } : { enum: meant };
    return { ...one, properties: { [name]: { type: 'string', ...tag } }, required: [name] };
  });
  if (tagged.every(one => one !== undefined)) made['oneOf'] = tagged;
  else if (made['anyOf'] === undefined) {
    made['anyOf'] = oneOf;
    delete made['oneOf'];
  }
}
