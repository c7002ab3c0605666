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
  title: nullable({
    ...documented('A different display name; null removes it.', 'title: Find ticket'),
    type: 'string',
  }),
  description: nullable(
    textOrFile(
      'A different description: text or a Markdown file; null removes it.',
      'description: Get a ticket from the support team.',
    ),
  ),
  guidelines: nullable(
    closed('Guidelines', nullableFields(guidelineFields), {
      ...documented(
        'Different advice for the model; keys that are not named stay as they are.',
        'guidelines:\n  avoidIf: null',
      ),
    }),
  ),
  annotations: nullable({
    title: 'Annotations',
    ...documented(
      'Different protocol hints for a tool or a resource; keys that are not named stay as they are.',
      'annotations:\n  openWorldHint: false',
    ),
    type: 'object',
    properties: nullableFields({ ...annotationFields, ...resourceAnnotationFields }),
  }),
  instructions: nullable(
    paragraphsOrFile(
      'Different instructions for a server: text, a list of paragraphs or a Markdown file.',
      'instructions: Ask before changing anything.',
    ),
  ),
  options: nullable(
    map('Options', { description: 'Values for the options of the tool.', example: 'options:\n  pageSize: 20' }, {}),
  ),
  enabled: nullable(enabled),
  limits: nullable(
    closed('Limits', nullableFields(limitFields), {
      ...documented(
        'Different limits for calls; keys that are not named stay as they are.',
        'limits:\n  timeoutMs: 5000',
      ),
    }),
  ),
};

const overlay: Schema = closed('Overlay', fields, {
  ...documented(
    'Changes to the wording and policy of one item; null removes a field.',
    'description: Get a ticket from the support team.\nlimits:\n  timeoutMs: 5000',
  ),
});

export const overlayDefinitions: Fields = { overlay };
