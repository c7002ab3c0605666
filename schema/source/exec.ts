// `exec`: a program that does the work of a tool, in place of a handler.
import {
  choice,
  closed,
  documented,
  either,
  type Fields,
  list,
  map,
  nonEmpty,
  type Schema,
  text,
  use,
} from './shape.js';

const execCondition: Schema = closed(
  'Optional arguments',
  {
    if: text('The argument that must be given.', 'if: depth', { ...nonEmpty }),
    args: list('What it adds.', 'args: [--depth, "{depth}"]', { type: 'string' }, { minItems: 1 }),
  },
  {
    ...documented('Arguments that need another one.', '{ if: depth, args: [--depth, "{depth}"] }'),
    required: ['if', 'args'],
  },
);

const execCall: Schema = closed(
  'Program',
  {
    command: text('The program: its name, or a path in the pack. Never a shell.', 'command: git', { ...nonEmpty }),
    args: list(
      'Its arguments, one by one: {name} is an argument of the tool. What could be taken for an option needs `--` or `=` before it.',
      'args: [log, "--max-count={count}", "--", "{path}"]',
      either(
        { ...documented('An argument.', '"--max-count={count}"'), type: 'string' },
        'object',
        use('execCondition'),
      ),
    ),
    cwd: text('The folder that it runs in; may use {config.X}.', 'cwd: "{config.REPO}"', { ...nonEmpty }),
    env: map(
      'Variables',
      { description: 'Variables; values may use {config.X} and {name}.', example: 'env: { TOKEN: "{config.TOKEN}" }' },
      { type: 'string' },
    ),
    stdin: text('What it reads.', 'stdin: "{text}"'),
    result: choice(
      'What is made of its output.',
      'result: json',
      {
        text: 'A string.',
        json: 'Data.',
        lines: 'A list of lines.',
        bytes: 'Bytes.',
      },
      { default: 'text' },
    ),
    ok: list(
      'Exit codes that are not errors.',
      'ok: [0, 1]',
      { type: 'integer', minimum: 0, maximum: 255 },
      { minItems: 1 },
    ),
  },
  {
    ...documented('A program that does the work of the tool.', 'exec: { command: git, args: [status, --short] }'),
    required: ['command'],
  },
);

export const exec: Schema = use(
  'execCall',
  'The program that does the work, in place of a handler.',
  'exec: { command: git, args: [status, --short] }',
);

export const execDefinitions: Fields = { execCall, execCondition };
