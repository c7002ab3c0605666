// B3: values given to real programs, which print the bytes that they got. Seeded, so that a failure can be repeated.
import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../runtime/index.js';
import { amount, seedOr } from '../../harness/amount.js';
import { writeFolder } from '../../runtime/packs/code-packs.js';
import { least } from './injection/least.js';
import { isBroken, makeValues, shown, type Values } from './injection/values.js';

const seed = seedOr(17);
const calls = amount(150);
let given = 0;
const nodeCalls = amount(25);

const path = (process.env['PATH'] ?? '')
  .split(':')
  .filter(one => one.startsWith('/'))
  .join(':');
const work = join(writeFolder({}), 'work');
mkdirSync(work);
writeFileSync(join(work, 'kept'), 'kept');
type Args = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const schemaOf = (properties: Readonly<Record<string, object>>, ...optional: readonly string[]): object => ({
  inputSchema: {
    type: 'object',
    properties,
    required: Object.keys(properties).filter(key => !optional.includes(key)),
    additionalProperties: false,
  },
});

interface Way {
  readonly tool: object;
  readonly count: number;
  make(values: Values): Args;
  /** The strings that must arrive, in order. */
  expected(args: Args): readonly string[];
  /** More than what no string of a system can have. */
  mayRefuse?(args: Args): boolean;
}

/** In hexadecimal digits, each string with a NUL at its end, by programs that share nothing with ours. */
const printWords = 'printf "%s\\0" "$@" | od -An -v -tx1';
const printOfNode =
  'console.log(Buffer.from(process.argv.slice(1).map(one => one + String.fromCharCode(0)).join("")).toString("hex"))';
const words = [
  'log',
  '--opt={a}',
  '-n{b}',
  'pre-{a}-post',
  '{choice}',
  { if: 'c', args: ['--c', '--is={c}'] },
  '--',
  '{a}',
  '{list}',
  'end',
];
const wordsWay = {
  make: (values: Values): Args => ({
    a: values.text(),
    b: values.text(),
    choice: values.random.pick(['x', 'y z'] as const),
    list: values.list(values.text),
    ...(values.random.chance(0.5) ? { c: values.text() } : {}),
  }),
  expected: ({ a, b, c, choice, list }: Args): readonly string[] => [
    'log',
    `--opt=${a}`,
    `-n${b}`,
    `pre-${a}-post`,
    String(choice),
    ...(c === undefined ? [] : ['--c', `--is=${c}`]),
    '--',
    String(a),
    ...(list as readonly string[]),
    'end',
  ],
  // `-n` alone would take the next argument.
  mayRefuse: ({ b }: Args): boolean => b === '',
};
const wordsSchema = schemaOf(
  { a: text, b: text, c: text, choice: { type: 'string', enum: ['x', 'y z'] }, list: { type: 'array', items: text } },
  'c',
);

/** Before `--` only what cannot be an option, and a value that is left out takes nothing else away. */
const looseWords = ['{{ {count} }}', '--author', '{who}', '--', '{a}'];

const ways: Readonly<Record<string, Way>> = {
  words: {
    ...wordsWay,
    count: calls,
    tool: {
      ...wordsSchema,
      exec: { command: 'sh', args: ['-c', printWords, 'sh-name', ...words], cwd: '{config.FOLDER}' },
    },
  },
  node: {
    ...wordsWay,
    count: nodeCalls,
    tool: {
      ...wordsSchema,
      exec: { command: 'node', args: ['-e', printOfNode, '--', ...words], cwd: '{config.FOLDER}' },
    },
  },
  loose: {
    count: calls,
    tool: {
      ...schemaOf({ who: { type: 'string', enum: ['jane'] }, count: { type: 'number', minimum: 0 }, a: text }, 'who'),
      exec: { command: 'sh', args: ['-c', printWords, 'sh-name', ...looseWords], cwd: '{config.FOLDER}' },
    },
    make: values => ({
      count: Math.abs(values.number()),
      a: values.text(),
      ...(values.random.chance(0.5) ? { who: values.random.chance(0.8) ? 'jane' : values.text() } : {}),
    }),
    expected({ who, count, a }) {
      // `--author` would take `--` for its value.
      assert(who !== undefined || !String(a).startsWith('-'), 'a value that would be an option');
      return [`{ ${count} }`, '--author', ...(who === undefined ? [] : ['jane']), '--', String(a)];
    },
    mayRefuse: ({ who, a }) =>
      (who !== undefined && who !== 'jane') || (who === undefined && String(a).startsWith('-')),
  },
  input: {
    count: calls,
    tool: {
      ...schemaOf({ a: text }),
      exec: { command: 'od', args: ['-An', '-v', '-tx1'], stdin: '{a}', cwd: '{config.FOLDER}' },
    },
    make: values => ({ a: values.text() }),
    expected: ({ a }) => [String(a)],
  },
  variables: {
    count: calls,
    tool: {
      ...schemaOf({ a: text, b: text }),
      exec: {
        command: 'sh',
        args: ['-c', 'env -0 | od -An -v -tx1'],
        env: { A: '{a}', B: 'pre {b} post', LAST: 'x' },
        cwd: '{config.FOLDER}',
      },
    },
    make: values => ({ a: `${values.random.chance(0.2) ? 'EVIL=1' : ''}${values.text()}`, b: values.text() }),
    // All variables, those of the shell among them.
    expected: ({ a, b }) => [`A=${a}`, `B=pre ${b} post`, 'LAST=x', `PATH=${path}`, `PWD=${work}`],
  },
};

const registry = await createRegistry(
  writeFolder({
    'toolwright.yaml': JSON.stringify({ name: 'acme/demo', config: { FOLDER: 'string' } }),
    ...Object.fromEntries(
      Object.entries(ways).map(([name, { tool }]) => [
        `mcp/tools/${name}.json`,
        JSON.stringify({ description: 'The tool', limits: { resultChars: 10_000_000 }, ...tool }),
      ]),
    ),
  }),
  { env: { PATH: process.env['PATH'], FOLDER: work, SECRET: 'not passed on' }, report: () => undefined },
);
afterAll(() => registry.close());

/** No string of the system has a NUL, and its encoding no half characters; the longest has 128 KB. */
function isRefused(value: unknown, isInput: boolean): boolean {
  if (Array.isArray(value)) return value.some(one => isRefused(one, isInput));
  if (typeof value !== 'string') return false;
  return isBroken(value) || (!isInput && (value.includes('\0') || Buffer.byteLength(value) > 131_000));
}

describe.each(Object.entries(ways))('B3 values of programs: %s', (name, { make, expected, mayRefuse, count }) => {
  it('B3 every value arrives as it was given and changes nothing else, or the call is refused', async () => {
    const values = makeValues(seed + name.length);
    let tried = 0;
    let refused = 0;
    for (let nth = 0; nth < count; nth += 1) {
      const args = make(values);
      const where = `FUZZ_SEED=${seed}, ${name}, call ${nth}: ${shown(args)}`;
      const result = await registry.invoke(name, args);
      tried += 1;
      given += Object.values(args).flat().length;
      if (!result.ok) {
        const isFair = Object.values(args).some(one => isRefused(one, name === 'input')) || mayRefuse?.(args) === true;
        assert(isFair, `refused without need: ${JSON.stringify(result.error)}\n${where}`);
        assert.match(result.error.code, /^BAD_(?:VALUE|ARGUMENTS)$/, where);
        refused += 1;
        continue;
      }
      const [content] = result.result.content as readonly { readonly text: string }[];
      const bytes = Buffer.from((content?.text ?? '').replace(/\s+/g, ''), 'hex');
      const arrived = name === 'input' ? [bytes.toString('utf8')] : bytes.toString('utf8').split('\0').slice(0, -1);
      // Of the shell: where it was before, how deep it is, and its own name.
      const own = arrived.filter(one => name !== 'variables' || !/^(?:_|OLDPWD|SHLVL)=/.test(one));
      assert.deepEqual(name === 'variables' ? own.sort() : own, expected(args), where);
    }
    expect(tried).toBe(count);
    expect(refused).toBeLessThan(count * 0.8);
    expect(readdirSync(work)).toEqual(['kept']);
  }, 600_000);
});

it('B3 the number of values tried is what was meant', () => {
  expect(given).toBeGreaterThanOrEqual(amount(least.exec));
});
