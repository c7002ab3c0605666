// In: the command line of a benchmark. Out: its options, the same for all of them:
// --quick (100 and 1,000 tools, fewer rounds), --sizes 10,100, --rounds 5, --json file, --assert (exit code 1).
import { parseArgs } from 'node:util';

export const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    assert: { type: 'boolean', default: false },
  },
});

/** How many tools to measure with; `whole` where nothing else is asked for. */
export function sizesOf(whole) {
  return options.sizes === undefined ? (options.quick ? [100, 1000] : whole) : numbersOf(options.sizes);
}

/** The rounds that are asked for; undefined where none are. */
export const askedRounds = options.rounds === undefined ? undefined : numbersOf(options.rounds)[0];

function numbersOf(text) {
  const numbers = text.split(',').map(Number);
  if (numbers.some(number => !Number.isInteger(number) || number < 1))
    throw new Error(`not a list of numbers: ${text}`);
  return numbers;
}
