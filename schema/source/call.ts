// What surrounds the calls of a tool: its errors, the operator's options, what it needs, what runs before.
import {
  choice,
  closed,
  documented,
  either,
  errorCode,
  errorMatch,
  type Fields,
  flag,
  keysFollow,
  list,
  map,
  members,
  nonEmpty,
  type Schema,
  snippet,
  text,
  use,
  whole,
  wordOr,
} from './shape.js';
import { handler, setting } from './traits.js';

const toolError: Schema = closed(
  'Error',
  {
    match: list(
      'Thrown errors that become this one, by their `code` or by an HTTP status (404, 5xx). The first match wins, in the order written.',
      'match: [ENOENT, EACCES]',
      { type: ['string', 'integer'], ...errorMatch },
      { minItems: 1 },
    ),
    message: text(
      'What went wrong, for the model; {{name}} is an argument, {{error.message}}, {{error.code}} and {{error.status}} come from the error that was caught.',
      'message: There is no issue {{issueKey}}.',
      { ...nonEmpty },
    ),
    status: whole('An HTTP status code.', 'status: 404', {
      minimum: 100,
      maximum: 599,
    }),
    retryable: flag('The same call may succeed later.', 'retryable: true', { default: false }),
    suggestedFix: text(
      'What the model should do next; {{tool:item}} is replaced by the name that clients see, {{name}} by an argument.',
      'suggestedFix: Look for the key with {{tool:search-issues}}.',
    ),
  },
  {
    ...documented(
      'An error that the tool can return.',
      'NOT_FOUND:\n  message: There is no issue with this key.\n  status: 404',
    ),
    required: ['message'],
  },
);

const option: Schema = setting(
  'Option',
  ['string', 'integer', 'number', 'boolean', 'array', 'object'],
  { description: text('What the option changes.', 'description: Issues per page') },
  documented('A setting for the operator.', 'pageSize: { type: integer, default: 50 }'),
);

export const errors: Schema = map(
  'Errors',
  {
    description: 'Errors by code; handlers throw them with `ctx.errors`.',
    example: 'errors:\n  NOT_FOUND:\n    message: There is no issue with this key.\n    status: 404',
  },
  use('toolError'),
  {
    ...keysFollow(errorCode),
    defaultSnippets: [
      snippet('error', 'An error with a suggested fix', {
        '${1:NOT_FOUND}': { message: '${2:What went wrong}', status: '${3:404}', suggestedFix: '${4:What to do next}' },
      }),
    ],
  },
);

export const options: Schema = map(
  'Options',
  {
    description: 'Settings for the operator, read as `ctx.options`; set by TOOLWRIGHT_OPTIONS, install or overlay.',
    example: 'options:\n  pageSize: { type: integer, default: 50 }',
  },
  use('option'),
  {
    defaultSnippets: [
      snippet('option', 'A setting with a default', {
        '${1:name}': {
          type: '${2|string,integer,number,boolean,array,object|}',
          default: '${3:value}',
          description: '${4:What it changes}',
        },
      }),
    ],
  },
);

const requirement: Schema = {
  type: 'string',
  ...members({
    required: 'Without it every call returns an error that names it.',
    suggested: 'Without it the handler runs, and `ctx.has(name)` is false.',
  }),
};

export const requires: Schema = map(
  'Requires',
  {
    description: 'What the tool needs: keys of `config` in toolwright.yaml, and client capabilities.',
    example: 'requires:\n  JIRA_TOKEN: required\n  sampling: suggested',
  },
  requirement,
  {
    properties: {
      sampling: { ...documented('The client lets the server ask its model.', 'sampling: suggested'), ...requirement },
      elicitation: {
        ...documented('The client lets the server ask the user.', 'elicitation: suggested'),
        ...requirement,
      },
      roots: { ...documented('The client says which folders the user works in.', 'roots: suggested'), ...requirement },
    },
  },
);

const initializer: Schema = closed(
  'Initializer',
  {
    handler: handler('The function that runs.', 'handler: src/tools/get-issue.ts#connect'),
    when: choice(
      'When it runs.',
      'when: start',
      { 'first-call': 'Before the first call to the tool.', start: 'When the server starts.' },
      { default: 'first-call' },
    ),
  },
  {
    ...documented('A function that runs once.', 'handler: src/tools/get-issue.ts#connect\nwhen: start'),
    required: ['handler'],
  },
);

export const initialize: Schema = either(
  handler(
    'Runs once before the first call (or when the server starts). A failure is a tool error, and the next call tries again.',
    'initialize: src/tools/get-issue.ts#connect',
  ),
  'object',
  use('initializer'),
);

const taskModes = {
  forbidden: 'Never as a task.',
  optional: 'As a task where the client takes one, else as a plain call.',
  required: 'Only as a task: a client that has no tasks gets an error.',
};

const taskOptions: Schema = closed(
  'Task',
  {
    mode: choice('When a call runs as a task.', 'mode: required', taskModes, { default: 'optional' }),
    ask: choice('When questions of the handler are put.', 'ask: before', {
      before: 'What the handler asks at once, before any effect, is asked before the client is given the task.',
      inside: 'The task waits for the answer.',
    }),
    restart: choice('What becomes of a task if the server stops while the handler runs.', 'restart: resume', {
      resume: 'The handler runs again from the top, with all answers and all results of ctx.once that were kept.',
      fail: 'The task fails, and says that the work may be done in part.',
    }),
  },
  documented('How a tool runs as a task.', 'mode: optional\nrestart: resume'),
);

export const task: Schema = wordOr(
  {
    ...documented(
      'Whether a call can run as a task: the client gets a handle at once and the result when there is one, however long it takes. `limits.timeoutMs` does not count there.',
      'task: optional\n# or\ntask: { mode: required, ask: before, restart: resume }',
    ),
    default: 'forbidden',
  },
  taskModes,
  use('taskOptions'),
);

export const callDefinitions: Fields = { toolError, option, initializer, taskOptions };
