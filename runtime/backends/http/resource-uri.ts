// B4. In: the address of a resource of another server, as a template, and values. Out: the address; no value makes a step upwards in it, or leaves
// a segment out.
import { splitUri } from '../../../schema/backend/calls.js';
import { encodePath } from './path-tag.js';
import { encodeWhole } from './place-values.js';

/**
 * Puts values into the address of a resource: {name} is one segment, {+name} may be several.
 *
 * @example resourceUri('docs://{shelf}/{+page}', { shelf: 'a b', page: 'x/y' }) // 'docs://a%20b/x/y'
 */
export function resourceUri(template: string, values: Readonly<Record<string, unknown>>): string {
  const parts = splitUri(template);
  if (parts.every(part => typeof part === 'string')) return template;
  return encodePath(
    parts.map(part => {
      if (typeof part === 'string') return part;
      const value = Object.hasOwn(values, part.name) ? String(values[part.name] ?? '') : '';
      return part.isWide ? encodeReserved(value) : { value };
    }),
  );
}

/** As `{+name}` of RFC 6570, without the end of a path. */
function encodeReserved(value: string): string {
  return value.replace(/[^/,:;@&=+$]+/g, run => encodeWhole(run, 'A value of the address'));
}
