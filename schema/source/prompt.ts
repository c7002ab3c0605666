// A prompt: a template, a list of messages or a handler, and the arguments they use.
import { mcp } from './backends.js';
import {
  choice,
  closed,
  documented,
  either,
  type Fields,
  flag,
  list,
  map,
  needsOneOf,
  nonEmpty,
  type Schema,
  snippet,
  text,
  use,
  wireName,
} from './shape.js';
import {
  completions,
  enabled,
  examples,
  handler,
  icons,
  meta,
  modes,
  path,
  schemaKey,
  tags,
  textOrFile,
  when,
} from './traits.js';

const promptArgument: Schema = {
  title: 'Argument',
  ...documented(
    'An argument: its description, or an object with details.',
    'issueKey: { description: Key such as PROJ-123, required: true }',
  ),
  type: ['object', 'string', 'null'],
  properties: {
    title: text('Display name of the argument.', 'title: Issue key'),
    description: text('What the argument means.', 'description: Key of the issue, such as PROJ-123'),
    required: flag('Arguments are optional unless this is true.', 'required: true', { default: false }),
    type: choice(
      'What the argument holds. Clients always send a string.',
      'type: list',
      {
        string: 'The string as it was sent.',
        list: 'A list for {{#each}} and for handlers: a JSON array, otherwise the lines of the string. The description tells clients so.',
      },
      { default: 'string' },
    ),
    complete: completions(
      'Values to offer while the user types: a list, or a handler that computes them.',
      'complete: [low, medium, high]\n# or\ncomplete: src/prompts/complete.ts#issueKeys',
    ),
  },
  additionalProperties: false,
};

const mimeType = text('Media type.', 'mimeType: image/png');

const mediaFile: Schema = closed(
  'Media file',
  { file: path('Path of the file, relative to the pack.', 'file: assets/board.png'), mimeType },
  { ...documented('A file in the pack, with its media type.', 'file: assets/board.png'), required: ['file'] },
);

const media = (description: string, example: string): Schema =>
  either(path(description, example), 'object', use('mediaFile'));

const message: Schema = closed(
  'Message',
  {
    role: choice('Who says it.', 'role: user', { user: 'The user.', assistant: 'The model.' }),
    text: text('A template: {{argument}}, {{#if}}, {{#unless}}, {{#each}}.', 'text: Summarise the issue {{issueKey}}.'),
    image: media('An image file in the pack.', 'image: assets/board.png'),
    audio: media('An audio file in the pack.', 'audio: assets/note.wav'),
    resource: closed(
      'Embedded resource',
      {
        uri: text('Address of the resource; may use arguments.', 'uri: issue://{{issueKey}}', { ...nonEmpty }),
        mimeType,
        text: text('The content as a template.', 'text: Issue {{issueKey}}'),
        file: path('A file in the pack with the content.', 'file: docs/workflow.md'),
      },
      {
        ...documented('A resource, embedded.', 'resource: { uri: "doc://workflow", file: docs/workflow.md }'),
        required: ['uri'],
      },
    ),
    link: closed(
      'Resource link',
      {
        uri: text('Address of the resource.', 'uri: issue://PROJ-123', { ...nonEmpty }),
        name: text('Name of the resource.', 'name: issue', { ...nonEmpty }),
        title: text('Display name of the resource.', 'title: The issue'),
        description: text('What the resource holds.', 'description: The issue with its comments.'),
        mimeType,
      },
      {
        ...documented('A link to a resource.', 'link: { uri: "issue://PROJ-123", name: issue }'),
        required: ['uri', 'name'],
      },
    ),
  },
  {
    ...documented(
      'One message: a role, and one of text, image, audio, resource, link.',
      'role: user\ntext: Summarise the issue {{issueKey}}.',
    ),
    required: ['role'],
    ...needsOneOf('text', ['image', 'audio', 'resource', 'link']),
    defaultSnippets: [
      snippet('message', 'A text message', { role: '${1|user,assistant|}', text: '${2:text}' }),
      snippet('image', 'An image file in the pack', { role: 'user', image: '${1:assets/image.png}' }),
    ],
  },
);

const fields: Fields = {
  $schema: schemaKey('prompt'),
  name: text('The name that clients see.', 'name: issue_text', { ...wireName }),
  title: text('Display name of the prompt.', 'title: Write an issue'),
  description: textOrFile(
    'What the prompt is for: text or a Markdown file.',
    'description: Writes the text of an issue.',
  ),
  type: choice('Which of text, messages, handler and mcp produces the prompt.', 'type: text', {
    text: 'One user message, from `text`.',
    messages: 'The messages in `messages`.',
    handler: 'The function named by `handler`.',
    mcp: 'The server named by `mcp`.',
  }),
  onError: choice(
    'What the client gets if the handler fails.',
    'onError: message',
    { error: 'A protocol error.', message: 'A message that says what failed.' },
    { default: 'error' },
  ),
  arguments: map(
    'Arguments',
    {
      description: 'Arguments by name: nothing, a description, or an object.',
      example:
        'arguments:\n  summary: What the issue is about\n  issueKey: { description: Key such as PROJ-123, required: true }',
    },
    use('promptArgument'),
    {
      defaultSnippets: [
        snippet('argument', 'A required argument', {
          '${1:name}': { description: '${2:What it means}', required: '${3|true,false|}' },
        }),
      ],
    },
  ),
  text: textOrFile(
    'The prompt as one template, or the file that holds it.',
    'text: |\n  Summarise the issue {{issueKey}}.\n  {{#if tone}}Use a {{tone}} tone.{{/if}}',
  ),
  messages: list(
    'The prompt as messages.',
    'messages:\n  - role: user\n    text: Summarise the issue {{issueKey}}.',
    use('message'),
    { minItems: 1 },
  ),
  handler: handler('The function that creates the messages: path#export.', 'handler: src/prompts/issue-text.ts'),
  mcp,
  examples,
  tags,
  modes,
  when,
  enabled,
  icons,
  _meta: meta,
};

const prompt: Schema = closed('Prompt', fields, {
  ...documented(
    'A prompt that users pick in their client.',
    'description: Summarises an issue.\narguments:\n  issueKey: { description: Key such as PROJ-123, required: true }\ntext: Summarise the issue {{issueKey}}.',
  ),
});

export const promptDefinitions: Fields = { prompt, promptArgument, message, mediaFile };
