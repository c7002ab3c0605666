// X3: what a client passes to a server on its command line. In: what was typed after `--`, or what an entry of ours runs. Out: the words
// for the entry, and what they set.
import type { ConfigEntry } from '../../schema/definitions.js';
import { readWords } from '../built-server/read-words.js';
import { readServerWords } from '../start/apply-words.js';
import { UsageError } from '../terminal/usage-error.js';
import { type Values, valueProblem } from './ask-config.js';

type Config = Readonly<Record<string, ConfigEntry>>;

export interface EntryWords {
  readonly words: readonly string[];
  readonly variables: Values;
  /** Why the server would not start with those of an entry. */
  readonly problem?: string;
}

/** Refuses what the server would not start with. */
export function readEntryWords(words: readonly string[], config: Config): EntryWords {
  const variables = readServerWords(config, words);
  for (const [name, value] of Object.entries(variables)) {
    const entry = config[name];
    const problem = entry === undefined ? undefined : valueProblem({ [name]: entry }, { [name]: value });
    if (problem !== undefined) throw new UsageError(problem);
  }
  return { words, variables };
}

const none: EntryWords = { words: [], variables: {} };

/** Those that an entry has now, unless the server would not start with them. */
export function keptWords(entry: readonly string[], config: Config): EntryWords {
  const start = entry.indexOf('--');
  const stdio = entry.indexOf('--stdio');
  // What we write ends with --stdio, then overlays, then the words; `start` and `dev` have a -- before them.
  const isStarted = entry.some(word => word === 'start' || word === 'dev') && entry.includes('--cwd');
  if (isStarted ? start < 0 : stdio < 0) return none;
  try {
    if (isStarted) return readEntryWords(entry.slice(start + 1), config);
    const read = readWords(entry.slice(stdio + 1), config);
    return 'problem' in read ? { ...none, problem: read.problem } : readEntryWords(read.words, config);
  } catch (error) {
    if (error instanceof UsageError) return { ...none, problem: error.message };
    throw error;
  }
}
