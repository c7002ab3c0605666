// What several kinds have: texts, tags, icons, cache hints, examples. Out: fields, and the definitions they point to.
import {
  anything,
  choice,
  closed,
  documented,
  either,
  errorCode,
  type Fields,
  flag,
  handlerPath,
  list,
  members,
  nonEmpty,
  type Schema,
  snippet,
  text,
  use,
  whole,
  word,
} from './shape.js';

/** Binds a file to its schema; it has no other meaning, so that editors do not offer it inside items. */
export function schemaKey(name: string, way = '../..'): Schema {
  return text(
    'The schema for this file, for editors. It has no other effect; the comment `# $schema: ...` does the same.',
    `$schema: ${way}/node_modules/toolwright/schema/${name}.schema.json`,
    { doNotSuggest: true },
  );
}

export const path = (description: string, example: string, more: Schema = {}): Schema =>
  text(description, example, { ...nonEmpty, ...more });

export const handler = (description: string, example: string, more: Schema = {}): Schema =>
  text(description, example, { ...handlerPath, ...more });

export const words = (description: string, example: string): Schema => list(description, example, word);

const fileFields: Fields = {
  file: path('Path of the file, relative to the pack.', 'file: docs/get-issue.md'),
};

// Two of them: editors insert a single one whenever the key is completed.
const textSnippets: readonly Schema[] = [
  snippet('text', 'Text', '${1:text}'),
  snippet('file', 'Text in a separate Markdown file', { file: '${1:docs/name.md}' }),
];

/** The file form of text or of a schema. */
const fileReference: Schema = closed('File', fileFields, {
  ...documented('A file in the pack.', 'file: docs/get-issue.md'),
  required: ['file'],
});

/** Text, or the file that contains it. */
export const textOrFile = (description: string, example: string): Schema =>
  either(
    text(description, example, { title: 'Text or file', defaultSnippets: textSnippets }),
    'object',
    use('fileReference'),
  );

/** Text, a list of paragraphs, or the file that contains it. */
export const paragraphsOrFile = (description: string, example: string): Schema => ({
  ...text(description, example, { title: 'Instructions', defaultSnippets: textSnippets }),
  type: ['string', 'array', 'object'],
  if: { type: 'array' },
  then: { type: 'array', items: { type: 'string' } },
  else: { if: { type: 'object' }, then: use('fileReference') },
});

const texts = (description: string, example: string): Schema =>
  either(text(description, example), 'array', { type: 'array', items: { type: 'string' } });

export const guidelineFields: Fields = {
  whenToUse: texts('When the tool is the right one.', 'whenToUse: The user names an issue by its key.'),
  avoidIf: texts(
    'When another tool is a better choice.',
    'avoidIf: Only a search text is known; use {{tool:search-issues}}.',
  ),
  prerequisites: texts('What must have happened before.', 'prerequisites:\n  - The project exists'),
  sideEffects: texts('What else changes when the tool runs.', 'sideEffects: Watchers of the issue get an email.'),
  additionalInfo: texts('Anything else that a model should know.', 'additionalInfo: Keys are case-insensitive.'),
};

/** Protocol hints. Open, because clients know hints of their own. */
export const annotationFields: Fields = {
  title: text('Display name of the tool; prefer the key `title` of the tool.', 'title: Get issue'),
  readOnlyHint: flag('The tool changes nothing.', 'readOnlyHint: true'),
  destructiveHint: flag('The tool may destroy or overwrite something.', 'destructiveHint: false'),
  idempotentHint: flag('A second call with the same arguments changes nothing more.', 'idempotentHint: true'),
  openWorldHint: flag('The tool talks to outside systems, such as the web.', 'openWorldHint: true'),
};

export const limitFields: Fields = {
  timeoutMs: whole('Milliseconds after which a call is aborted.', 'timeoutMs: 10000', { minimum: 1, default: 60_000 }),
  resultChars: whole('Characters after which a text result is cut; the result says how much.', 'resultChars: 20000', {
    minimum: 1,
    default: 130_000,
  }),
  concurrency: whole('How many calls of the tool run at the same time; others wait for their turn.', 'concurrency: 4', {
    minimum: 1,
  }),
  queue: whole('How many calls wait for their turn; one more gets the error BUSY.', 'queue: 20', {
    minimum: 0,
    default: 100,
  }),
};

const icon: Schema = closed(
  'Icon',
  {
    src: text('Address of the image: https or data.', 'src: https://example.com/icon.png', { ...nonEmpty }),
    mimeType: text('Media type of the image.', 'mimeType: image/png', { examples: ['image/png', 'image/svg+xml'] }),
    sizes: words('Sizes of the image, or any.', 'sizes: [48x48, any]'),
    theme: choice('Which background the image is made for.', 'theme: dark', {
      light: 'For light backgrounds.',
      dark: 'For dark backgrounds.',
    }),
  },
  {
    ...documented(
      'An image that clients show next to the name.',
      'src: https://example.com/icon.png\nmimeType: image/png',
    ),
    required: ['src'],
  },
);

const cache: Schema = closed(
  'Cache',
  {
    ttlMs: whole('Milliseconds for which an answer stays fresh.', 'ttlMs: 60000', { minimum: 0, default: 0 }),
    scope: choice(
      'Who may share a cached answer.',
      'scope: private',
      { public: 'Every user may get the same answer.', private: 'The answer belongs to one user.' },
      { default: 'private' },
    ),
  },
  documented('How long clients may keep an answer.', 'cache: { ttlMs: 60000, scope: public }'),
);

const example: Schema = closed(
  'Example',
  {
    name: text('Short name; the title of the test.', 'name: an open issue', { ...nonEmpty }),
    description: text('What the example shows.', 'description: The usual case.'),
    input: {
      title: 'Map of arguments',
      ...documented('The arguments of the call.', 'input: { issueKey: PROJ-123 }'),
      type: 'object',
    },
    output: anything('What the call returns. `dev --mock` serves it.', 'output: { summary: Login fails }'),
    error: text('The code of the error that the call returns.', 'error: NOT_FOUND', { ...errorCode }),
  },
  {
    ...documented(
      'A sample call: checked against the schemas, run by `toolwright test`, served by `dev --mock`, shown in the docs.',
      'name: an open issue\ninput: { issueKey: PROJ-123 }\noutput: { summary: Login fails }',
    ),
    defaultSnippets: [
      snippet('example', 'A call and its result', {
        name: '${1:what it shows}',
        input: { '${2:name}': '${3:value}' },
        output: { '${4:name}': '${5:value}' },
      }),
      snippet('failing example', 'A call that returns an error', {
        name: '${1:what it shows}',
        input: { '${2:name}': '${3:value}' },
        error: '${4:NOT_FOUND}',
      }),
    ],
  },
);

export const icons: Schema = list(
  'Images that clients show next to the name.',
  'icons:\n  - src: https://example.com/icon.png',
  use('icon'),
);

export const examples: Schema = list(
  'Sample calls: tests, mocks and documentation in one.',
  'examples:\n  - name: an open issue\n    input: { issueKey: PROJ-123 }',
  use('example'),
);

export const cacheHints = use(
  'cache',
  'How long clients may keep an answer.',
  'cache: { ttlMs: 60000, scope: public }',
);

export const tags = words(
  'Your own labels: servers select by them with `{ tag: issues }`, docs group by the first one, `list` and `inspect` filter with --tag.',
  'tags: [issues]',
);

export const modes = words(
  'The modes in which the item is served (`--mode`). Without `--mode` all items are served.',
  'modes: [admin]',
);

export const when: Schema = {
  title: 'Condition',
  ...documented(
    'Offers the item only if the configuration says so: keys of `config` in toolwright.yaml with their values, all of which must hold. A list means any of its values. A boolean that is not set is false; a key with `type: array` needs one of the values among its own.',
    'when: { READ_ONLY: false }\n# or\nwhen: { REGION: [eu, us] }',
  ),
  type: 'object',
  minProperties: 1,
  additionalProperties: {
    type: ['string', 'number', 'boolean', 'array'],
    items: { type: ['string', 'number', 'boolean'] },
    minItems: 1,
  },
};

export const enabled = flag('false: not listed, not callable.', 'enabled: false', { default: true });

export const isolation = (description: string, example: string): Schema =>
  choice(description, example, {
    thread: 'In a thread of its own: a time limit ends it, and other calls never wait for it.',
    none: 'In the main thread of the server.',
  });

export const meta: Schema = {
  title: '_meta',
  ...documented('Your own data, passed to clients as it is. Keys have a prefix.', '_meta:\n  example.com/team: search'),
  type: 'object',
};

/** Completions: fixed values, or a handler that computes them. */
export const completions = (description: string, example: string): Schema => ({
  ...documented(description, example),
  type: ['array', 'string'],
  items: { type: 'string' },
  ...handlerPath,
});

export const traitDefinitions: Fields = {
  fileReference,
  icon,
  cache,
  example,
  guidelines: closed(
    'Guidelines',
    guidelineFields,
    documented(
      'Advice for the model, rendered under the description.',
      'whenToUse: The user names an issue by its key.',
    ),
  ),
  annotations: {
    title: 'Annotations',
    ...documented('Protocol hints. `effect` sets them; individual ones can be set here.', 'openWorldHint: true'),
    type: 'object',
    properties: annotationFields,
  },
  limits: closed('Limits', limitFields, documented('Limits for calls.', 'timeoutMs: 10000')),
};

// A typed setting: an option of a tool or a configuration entry of a pack.

export const optionTypes = {
  string: 'A string.',
  integer: 'A whole number.',
  number: 'A number, whole or not.',
  boolean: 'true or false.',
  array: 'A list.',
  object: 'A map.',
} as const;

/** A typed setting: its default and its allowed values have its type. */
export function setting(
  title: string,
  types: readonly (keyof typeof optionTypes)[],
  fields: Fields,
  more: Schema,
  /** What an array holds, and what `enum` then lists; anything where it is left out. */
  items?: Schema,
): Schema {
  const typeOfValue = (type: string): Schema => (type === 'array' && items !== undefined ? { type, items } : { type });
  const typeOfMember = (type: string): Schema => (type === 'array' && items !== undefined ? items : { type });
  const meanings = Object.fromEntries(types.map(type => [type, optionTypes[type]]));
  return closed(
    title,
    {
      type: { ...documented('The type of the value.', 'type: integer'), type: 'string', ...members(meanings) },
      ...fields,
      default: anything('The value used if none is set.', 'default: 50'),
      enum: list('The allowed values.', 'enum: [10, 50, 100]', {}, { minItems: 1 }),
    },
    {
      ...more,
      required: ['type'],
      allOf: types.map(type => ({
        if: { properties: { type: { const: type } }, required: ['type'] },
        then: {
          properties: {
            default: typeOfValue(type),
            enum: { if: { type: 'array' }, then: { type: 'array', items: typeOfMember(type) } },
          },
        },
      })),
    },
  );
}
