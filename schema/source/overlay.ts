// An overlay: new texts and policy for one item of somebody else. Every field may be null, which removes it.
import { resourceAnnotationFields } from './resource.js';
import { closed, documented, type Fields, map, type Schema } from './shape.js';
import {
  annotationFields,
  enabled,
  guidelineFields,
  limitFields,
  paragraphsOrFile,
  schemaKey,
  textOrFile,
} from './traits.js';

/** The same field, which may also be null. What is not written stays as it is, so that it has no default. */
function nullable({ default: _, ...field }: Schema): Schema {
  const type = field['type'];
  return { ...field, type: [...(Array.isArray(type) ? type : [type]), 'null'] };
}

const nullableFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, nullable(field)]));

const fields: Fields = {
  $schema: schemaKey('overlay'),
  title: nullable({ ...documented('Another human name; null removes it.', 'title: Find ticket'), type: 'string' }),
  description: nullable(
    textOrFile(
      'Another description: text or a Markdown file; null removes it.',
      'description: Get a ticket of the support team.',
    ),
  ),
  guidelines: nullable(
    closed('Guidelines', nullableFields(guidelineFields), {
      ...documented('Other advice for the model; what is not named stays.', 'guidelines:\n  avoidIf: null'),
    }),
  ),
  annotations: nullable({
    title: 'Annotations',
    ...documented(
      'Other hints of the protocol, of a tool or a resource; what is not named stays.',
      'annotations:\n  openWorldHint: false',
    ),
    type: 'object',
    properties: nullableFields({ ...annotationFields, ...resourceAnnotationFields }),
  }),
  instructions: nullable(
    paragraphsOrFile(
      'Other instructions for a server: text, a list of paragraphs or a Markdown file.',
      'instructions: Ask before changing anything.',
    ),
  ),
  options: nullable(
    map('Options', { description: 'Values of options of the tool.', example: 'options:\n  pageSize: 20' }, {}),
  ),
  enabled: nullable(enabled),
  limits: nullable(
    closed('Limits', nullableFields(limitFields), {
      ...documented('Other limits of one call; what is not named stays.', 'limits:\n  timeoutMs: 5000'),
    }),
  ),
};

const overlay: Schema = closed('Overlay', fields, {
  ...documented(
    'Changes to the texts and policy of one item; null removes a field.',
    'description: Get a ticket of the support team.\nlimits:\n  timeoutMs: 5000',
  ),
});

export const overlayDefinitions: Fields = { overlay };
