// What the commands that read a pack share: where it is, its overlays, the cache, and how diagnostics are printed.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import pc from 'picocolors';
import { isInsideFolder, nodeFolder, readTextIn, relativePath } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { listOverlays, settingsVariable } from '../../runtime/load/overlay.js';
import type { Diagnostic, Related } from '../../schema/diagnostics.js';
import { formatDiagnostics } from '../../schema/print/diagnostics.js';
import type { CommonFlags } from '../terminal/flags.js';

export interface PackFlags extends CommonFlags {
  readonly overlay: readonly string[];
  /** Takes what would be printed on stderr; no flag of the command line, but of commands that show it in their own way. */
  readonly tell?: (diagnostics: readonly Diagnostic[], folders: readonly string[]) => void;
}

export function workingFolder(flags: CommonFlags): string {
  return resolve(flags.cwd ?? '.');
}

/** The pack around a folder: the nearest one upwards that has a manifest, else the folder itself. */
export function findPackAround(folder: string): string {
  for (let here = resolve(folder); ; here = dirname(here)) {
    if (existsSync(join(here, manifestFile))) return here;
    if (dirname(here) === here) return resolve(folder);
  }
}

export function overlaysOf(flags: Pick<PackFlags, 'overlay'>, cwd: string): readonly string[] {
  return listOverlays(process.env, flags.overlay, cwd);
}

/** Diagnostics name files relative to their pack; people and CI systems want them relative to where they are. */
export function rebaseDiagnostics(
  diagnostics: readonly Diagnostic[],
  pack: string,
  cwd: string,
): readonly Diagnostic[] {
  const move = (file: string): string => rebasePath(file, pack, cwd);
  const moveRelated = (related: readonly Related[]): readonly Related[] =>
    related.map(one => ({ ...one, file: move(one.file) }));
  return diagnostics.map(one => ({
    ...one,
    file: move(one.file),
    ...(one.related === undefined ? {} : { related: moveRelated(one.related) }),
  }));
}

/** A path relative to a pack as one relative to where people are. */
export function rebasePath(file: string, pack: string, cwd: string): string {
  const way = relative(cwd, resolve(pack, file));
  return (way === '' ? '.' : way).split(sep).join('/');
}

/** Whether it is about a patch: what an operator wants changed or switched off must not be served as it was. */
export function isOfOverlay({ code, file }: Diagnostic, folder: string, overlays: readonly string[]): boolean {
  if (code === 'overlay/not-found' || file.includes(settingsVariable)) return true;
  return overlays.some(overlay => isInsideFolder(resolve(folder, file), overlay));
}

/** `folders`: the packs and overlays that the diagnostics are about; code frames show files of these only. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  flags: CommonFlags,
  cwd: string,
  folders: readonly string[],
): string {
  const chosen = flags.quiet ? diagnostics.filter(one => one.severity === 'error') : diagnostics;
  // Code hosts look files up from the root of the repository, wherever in it the command ran.
  const workspace = process.env['GITHUB_WORKSPACE'];
  const isForHost = workspace !== undefined && (flags.format === 'github' || flags.format === 'sarif');
  const shown = isForHost ? rebaseDiagnostics(chosen, cwd, workspace) : chosen;
  return formatDiagnostics(shown, {
    format: flags.format,
    color: colors(flags),
    textOf: file => textOf(resolve(cwd, file), folders),
  });
}

/** What colours text for the terminal, or leaves it as it is. */
export type Paint = ReturnType<typeof pc.createColors>;

/** Colours only on a terminal or with FORCE_COLOR, and not where NO_COLOR or --no-color say so (picocolors looks at the environment). */
export function colors(flags: Pick<CommonFlags, 'color'>): Paint {
  const isForced = !['', '0', 'false'].includes(process.env['FORCE_COLOR'] ?? '');
  return pc.createColors(flags.color !== false && (process.stdout.isTTY === true || isForced) && pc.isColorSupported);
}

/**
 * For code frames: a file that is gone or unreadable simply has no frame. What the loader would not read (a link that
 * leads out, a pipe, a huge file) is not read here either, or its text would be printed or the command would hang.
 */
function textOf(path: string, folders: readonly string[]): string | undefined {
  const [around] = folders.filter(folder => isInsideFolder(path, folder)).sort((a, b) => b.length - a.length);
  if (around === undefined) return undefined;
  const folder = nodeFolder(around);
  const inside = relativePath(around, path);
  return folder.status(inside) === 'file' ? readTextIn(folder, inside) : undefined;
}
