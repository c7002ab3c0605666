// In: the environment of a server and the folders of patches that were given. Out: all of them, later ones win: those of
// TOOLWRIGHT_OVERLAY, those given, and what an install has set (TOOLWRIGHT_SETTINGS).
import { delimiter, resolve } from 'node:path';
import type { Environment } from '../call/context/config.js';
import { type Folder, settingsFolder, settingsVariable } from '../load/folder.js';

/** Absolute. Those of the environment come first, so that those of a command line win. */
export function overlaysOf<F extends string | Folder>(
  env: Environment,
  given: readonly F[],
  cwd: string,
): readonly (F | string)[] {
  const ofEnvironment = (env['TOOLWRIGHT_OVERLAY'] ?? '').split(delimiter).filter(path => path !== '');
  return [...ofEnvironment, ...given].map(one => (typeof one === 'string' ? resolve(cwd, one) : one));
}

/** `base`: where the settings are said to be. */
export function withSettings(
  overlays: readonly (string | Folder)[],
  env: Environment,
  base: string,
): readonly (string | Folder)[] {
  const settings = settingsFolder(env[settingsVariable], base);
  return settings === undefined ? overlays : [...overlays, settings];
}
