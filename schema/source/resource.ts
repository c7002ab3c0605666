// A resource: an address or a template of addresses, and where its content comes from.
import { http, mcp, sql } from './backends.js';
import {
  closed,
  documented,
  type Fields,
  flag,
  list,
  map,
  members,
  needsOneOf,
  nonEmpty,
  type Schema,
  text,
  whole,
} from './shape.js';
import {
  cacheHints,
  completions,
  enabled,
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

export const resourceAnnotationFields: Fields = {
  audience: list('Who the content is for.', 'audience: [user]', {
    type: 'string',
    ...members({ user: 'For the user.', assistant: 'For the model.' }),
  }),
  priority: {
    ...documented('How important the content is: 1 is required, 0 is optional.', 'priority: 0.8'),
    type: 'number',
    minimum: 0,
    maximum: 1,
  },
  lastModified: text('When the content last changed (ISO 8601).', 'lastModified: "2026-01-31T12:00:00Z"'),
};

const resourceAnnotations: Schema = closed(
  'Resource annotations',
  resourceAnnotationFields,
  documented('Protocol hints about the content.', 'audience: [user]\npriority: 0.8'),
);

const fields: Fields = {
  $schema: schemaKey('resource'),
  uri: text('The address of the resource.', 'uri: jira://projects', { ...nonEmpty }),
  uriTemplate: text('A template for addresses (RFC 6570).', 'uriTemplate: jira://issue/{issueKey}', {
    ...nonEmpty,
  }),
  name: text('The name that clients see.', 'name: issue', { ...nonEmpty }),
  title: text('Display name of the resource.', 'title: Jira issue'),
  description: textOrFile(
    'What the resource contains: text or a Markdown file.',
    'description: An issue with its comments.',
  ),
  mimeType: text('Media type of the content.', 'mimeType: application/json', {
    examples: ['text/plain', 'text/markdown', 'application/json'],
  }),
  size: whole('Size of the content in bytes.', 'size: 2048', { minimum: 0 }),
  file: path('A file in the pack with the content.', 'file: docs/workflow.md'),
  text: text('The content.', 'text: Nothing is planned.'),
  handler: handler('The function that reads the content: path#export.', 'handler: src/resources/issue.ts'),
  http,
  sql,
  mcp,
  complete: map(
    'Completions',
    {
      description: 'Values to offer for the variables in uriTemplate: a list, or a handler that computes them.',
      example: 'complete:\n  issueKey: src/resources/issue.ts#completeKey',
    },
    completions('Values, or a handler.', 'issueKey: [PROJ-1, PROJ-2]'),
  ),
  list: handler(
    'A function that lists the resources that exist, for `resources/list`: path#export. Clients see only the template otherwise.',
    'list: src/resources/issue.ts#list',
  ),
  subscribe: flag('Clients may subscribe to changes.', 'subscribe: true', { default: false }),
  annotations: resourceAnnotations,
  cache: cacheHints,
  tags,
  modes,
  when,
  enabled,
  icons,
  _meta: meta,
};

const resource: Schema = closed('Resource', fields, {
  ...documented(
    'Content that clients can read by its address.',
    'uriTemplate: jira://issue/{issueKey}\nmimeType: application/json',
  ),
  ...needsOneOf('uri', ['uriTemplate']),
});

export const resourceDefinitions: Fields = { resource };
