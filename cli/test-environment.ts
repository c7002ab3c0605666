// In: the folder of a pack. Out: the environment of its tests: `.env.test` of the pack, under what the process has.
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readUtf8 } from '../runtime/load/read-file.js';
import { UsageError } from './usage-error.js';

const file = '.env.test';

export interface TestEnvironment {
  readonly variables: NodeJS.ProcessEnv;
  /** The file that was read; undefined where there is none. */
  readonly file: string | undefined;
}

/** Never `.env`: that has the keys of the real thing, which tests must not touch by accident. */
export function readTestEnvironment(folder: string): TestEnvironment {
  let text: string;
  try {
    text = readUtf8(join(folder, file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return { variables: process.env, file: undefined };
    }
    // Tests without it would touch what they must not.
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { variables: { ...parseEnv(text), ...process.env }, file };
}
