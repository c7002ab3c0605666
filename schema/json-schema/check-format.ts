// A format that nobody knows is never checked, and most often misspelt.
import { nearest } from '../nearest.js';
import { formats } from '../support/formats.js';
import type { CheckContext } from './check-context.js';
import { own } from './keywords.js';
import { pathOf, type SchemaNode } from './walk.js';

/** They tell readers and models something, and no validator checks them. */
const described = [
  ...['idn-email', 'idn-hostname', 'iri', 'iri-reference', 'byte', 'binary', 'password', 'int8', 'int16', 'int32'],
  ...['int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float', 'double', 'decimal', 'markdown', 'html', 'color'],
];

/** Anything is allowed there by JSON Schema: a raw schema is only asked about what looks misspelt. */
export function checkFormat(node: SchemaNode, context: CheckContext): void {
  const format = own(node.schema, 'format');
  if (typeof format !== 'string' || Object.hasOwn(formats, format) || described.includes(format)) return;
  const meant = nearest(format, [...Object.keys(formats), ...described]);
  // `json` abbreviates json-pointer and is none.
  const isTypo = meant !== undefined && Math.abs(meant.length - format.length) <= 2;
  if (!isTypo && context.source.style === 'raw') return;
  const hint = isTypo ? `did you mean ${JSON.stringify(meant)}?` : undefined;
  context.report('schema/unknown-format', { format }, { path: [...pathOf(node), 'format'] }, { hint });
}
