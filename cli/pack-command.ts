// What the commands that read a pack share: where it is, its overlays, the cache, and how diagnostics are printed.
import { readFileSync } from 'node:fs';
import { delimiter, relative, resolve, sep } from 'node:path';
import pc from 'picocolors';
import type { LoadOptions } from '../runtime/load/load.js';
import type { Diagnostic, Related } from '../schema/diagnostics.js';
import { formatDiagnostics } from '../schema/print-diagnostics.js';
import type { CommonFlags } from './run.js';

export interface PackFlags extends CommonFlags {
  readonly overlay: readonly string[];
}

export function workingFolder(flags: CommonFlags): string {
  return resolve(flags.cwd ?? '.');
}

/** Overlays of the environment come first, so that those of the command line win. */
export function overlaysOf(flags: PackFlags, cwd: string): NonNullable<LoadOptions['overlays']> {
  const fromEnvironment = (process.env['TOOLWRIGHT_OVERLAY'] ?? '').split(delimiter).filter(path => path !== '');
  return [...fromEnvironment, ...flags.overlay].map(path => resolve(cwd, path));
}

/** Diagnostics name files relative to their pack; people and CI systems want them relative to where they are. */
export function rebase(diagnostics: readonly Diagnostic[], pack: string, cwd: string): readonly Diagnostic[] {
  const move = (file: string): string => {
    const way = relative(cwd, resolve(pack, file));
    return (way === '' ? '.' : way).split(sep).join('/');
  };
  const moveRelated = (related: readonly Related[]): readonly Related[] =>
    related.map(one => ({ ...one, file: move(one.file) }));
  return diagnostics.map(one => ({
    ...one,
    file: move(one.file),
    ...(one.related === undefined ? {} : { related: moveRelated(one.related) }),
  }));
}

export function print(diagnostics: readonly Diagnostic[], flags: CommonFlags, cwd: string): string {
  const shown = flags.quiet ? diagnostics.filter(one => one.severity === 'error') : diagnostics;
  return formatDiagnostics(shown, {
    format: flags.format,
    color: colors(flags),
    textOf: file => textOf(resolve(cwd, file)),
  });
}

/** Colours only on a terminal, and not where NO_COLOR or --no-color say so (picocolors looks at the environment). */
export function colors(flags: CommonFlags): ReturnType<typeof pc.createColors> {
  return pc.createColors(flags.color !== false && process.stdout.isTTY === true && pc.isColorSupported);
}

/** For code frames: a file that is gone or unreadable simply has no frame. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}
