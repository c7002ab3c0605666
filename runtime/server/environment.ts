// Out: the environment of the process, for code that passes none. The one place outside cli/ that reads it.
import type { Environment } from '../call/context/config.js';

/**
 * What `env` is where code leaves it out.
 *
 * @example const { env = environment() } = options;
 */
export function environment(): Environment {
  return globalThis.process?.env ?? {};
}

/** Where relative paths start if code does not say. */
export function workingFolder(): string {
  return globalThis.process?.cwd() ?? '/';
}
