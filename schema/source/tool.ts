// A tool: what the model reads, what it takes and gives, how it is run.
import { http, mcp, sql } from './backends.js';
import { callDefinitions, errors, initialize, options, requires, task } from './call.js';
import { exec } from './exec.js';
import {
  choice,
  closed,
  documented,
  type Fields,
  flag,
  list,
  members,
  nonEmpty,
  type Schema,
  text,
  use,
  wireName,
} from './shape.js';
import {
  enabled,
  examples,
  handler,
  icons,
  isolation,
  meta,
  modes,
  schemaKey,
  tags,
  textOrFile,
  when,
  words,
} from './traits.js';

const ui: Schema = {
  title: 'User interface',
  ...documented('A user interface that clients with MCP Apps show.', 'ui:\n  resourceUri: ui://board'),
  type: 'object',
  properties: {
    resourceUri: text('The resource with the page.', 'resourceUri: ui://board'),
    visibility: list('Who sees the tool.', 'visibility: [app]', {
      type: 'string',
      ...members({ model: 'The model can call the tool.', app: 'The user interface can call the tool.' }),
    }),
  },
};

const fields: Fields = {
  $schema: schemaKey('tool'),
  name: text('The name that clients see. Many clients refuse names over 64 characters.', 'name: get_issue', {
    ...wireName,
  }),
  title: text('Display name of the tool.', 'title: Get issue'),
  description: textOrFile(
    'What the model reads to decide when to call the tool: text or a Markdown file.',
    'description: Get an issue by its key.\n# or\ndescription: { file: docs/get-issue.md }',
  ),
  parameters: use(
    'parameters',
    'The input, in short form. Parameters are required unless they have `required: false` or a default.',
    'parameters:\n  issueKey: string\n  limit: { type: integer, default: 50 }',
  ),
  inputSchema: use(
    'rootSchema',
    'The input as JSON Schema, sent to clients exactly as written; or the file that holds it. Its defaults are filled in only with `defaults: fill`.',
    'inputSchema:\n  type: object\n  properties:\n    issueKey: { type: string }\n  required: [issueKey]',
  ),
  output: use(
    'parameters',
    'The structured output, in short form; checked before it is sent.',
    'output:\n  key: string\n  summary: { type: string, required: false }',
  ),
  outputSchema: use(
    'rootSchema',
    'The structured output as JSON Schema, or the file that holds it.',
    'outputSchema: { file: schemas/issue.json }',
  ),
  defaults: choice(
    'What happens to defaults in inputSchema and outputSchema. Those of `parameters` and `output` are always filled in.',
    'defaults: fill',
    {
      advertise: 'Clients see them, and missing values stay absent: a default is an annotation in JSON Schema.',
      fill: 'Missing values are filled in, at any depth. Required values must still be given.',
    },
    { default: 'advertise' },
  ),
  result: choice(
    'What is put around the output.',
    'result: envelope',
    {
      plain: 'The output as it is.',
      envelope: 'Adds status, message, next_steps, action_url, auth_required and meta, all optional.',
    },
    { default: 'plain' },
  ),
  resultText: text(
    'Text for the model, alongside the data: {{name}} is a member of the output or an argument; {{tool:item}} is a tool. Text that the handler returns wins.',
    'resultText: "Wrote {{bytes}} bytes to {{path}}"',
    { ...nonEmpty },
  ),
  handler: handler('The function that runs the tool: path#export.', 'handler: src/tools/get-issue.ts'),
  http,
  sql,
  exec,
  mcp,
  effect: choice('What a call does to the world; sets the protocol hints.', 'effect: read', {
    read: 'Changes nothing.',
    write: 'Adds or changes something, destroys nothing.',
    destructive: 'May destroy or overwrite something.',
  }),
  annotations: use(
    'annotations',
    'Individual protocol hints; `effect` sets them all.',
    'annotations:\n  openWorldHint: true',
  ),
  guidelines: use(
    'guidelines',
    'Advice for the model, rendered under the description.',
    'guidelines:\n  whenToUse: The user names an issue by its key.',
  ),
  guidelinesIn: choice(
    'Where the guidelines are rendered.',
    'guidelinesIn: instructions',
    { description: 'Under the tool description.', instructions: 'In the server instructions.' },
    { default: 'description' },
  ),
  errors,
  options,
  requires,
  initialize,
  examples,
  serial: text(
    'A group of tools in the pack that run one call at a time, because they change the same thing.',
    'serial: notes-file',
    { ...nonEmpty },
  ),
  isolate: isolation(
    'Where the handler runs. In a thread it can compute for long without holding up other calls, and a time limit ends it.',
    'isolate: thread',
  ),
  limits: use('limits', 'Limits for calls.', 'limits:\n  timeoutMs: 10000\n  resultChars: 20000'),
  scopes: words('OAuth scopes that a caller needs over HTTP.', 'scopes: [issues:read]'),
  modes,
  when,
  tags,
  enabled,
  confirm: flag('Asks the user before the tool runs.', 'confirm: true', { default: false }),
  additionalParameters: flag('Accepts arguments that are not declared.', 'additionalParameters: true', {
    default: false,
  }),
  clean: list('How text results are cleaned.', 'clean: [ansi, truncate]', {
    type: 'string',
    ...members({
      progress: 'Removes progress bars and spinners.',
      repeats: 'Folds repeated lines.',
      ansi: 'Removes terminal colour codes.',
      truncate: 'Cuts the middle out of long text.',
    }),
  }),
  icons,
  ui,
  task,
  _meta: meta,
};

const tool: Schema = closed('Tool', fields, {
  ...documented(
    'A tool that models can call.',
    'description: Get an issue by its key.\neffect: read\nparameters:\n  issueKey: { type: string, description: Key such as PROJ-123 }',
  ),
});

export const toolDefinitions: Fields = { tool, ...callDefinitions };
