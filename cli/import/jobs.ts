// In: what was named on the command line, and toolwright.import.json. Out: the sources to import with their settings, and the folder that they go
// into.
import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { toPackageName } from '../../generator/author/init-settings.js';
import type { Imported } from '../../generator/import/imported.js';
import { importFile, readRecord, type SourceNote } from '../../generator/import/record/record.js';
import { nodeFolder, relativePath } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { isItemName } from '../../schema/names.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { visible } from '../../schema/print/visible.js';
import { findPackAround } from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';
import type { ImportFlags } from './flags.js';
import { type ImportSettings, readSettings, settle, toRemember } from './settings.js';
import { readSource, type Source } from './source.js';

/** One source and what is known of it. */
export interface Job {
  readonly source: Source;
  readonly settings: ImportSettings;
  /** In toolwright.import.json; undefined where it is new. */
  readonly name: string | undefined;
}

/** The pack that is meant; undefined where a new folder is to be made, whose name depends on what is imported. */
export function findTarget(cwd: string, into: string | undefined): string | undefined {
  if (into !== undefined) return resolve(cwd, into);
  const around = findPackAround(cwd);
  return existsSync(resolve(around, manifestFile)) ? around : undefined;
}

export function newFolder(imported: Imported | undefined, cwd: string, count: number): string {
  if (imported === undefined || count !== 1) return resolve(cwd, 'new');
  const folder = resolve(cwd, toPackageName(imported.name));
  if (existsSync(folder))
    throw new UsageError(
      `there is no pack here, and a new one would be called ${visible(toPackageName(imported.name))}, which exists: write --into <dir>`,
    );
  return folder;
}

/** What is named, with what is remembered of it; without a name, everything that was imported before. */
export function findJobs(
  named: Source | undefined,
  pack: string | undefined,
  flags: ImportFlags,
  cwd: string,
): readonly Job[] {
  const folder = nodeFolder(pack ?? cwd);
  const { value, diagnostics } = readRecord(folder);
  const recorded = Object.entries(value?.sources ?? {});
  if (named !== undefined) {
    const { address } = noteOf(named, {}, folder.path);
    const [name, before] =
      recorded.find(([key, one]) => (flags.name === undefined ? one.address === address : key === flags.name)) ?? [];
    if (flags.name !== undefined && before === undefined && !isItemName(flags.name))
      throw new UsageError(
        `${visible(flags.name)} cannot be the name of a source: write letters, digits and dashes, as in --name shop-api`,
      );
    // A command that is typed again starts where it is typed now.
    const { cwd: _, ...remembered } = readSettings(before?.settings);
    const settings = { ...settle(flags, remembered), ...folderOf(named, pack ?? resolve(cwd, 'new'), cwd) };
    return [{ source: named, settings, name: name ?? flags.name }];
  }
  const wanted = recorded.filter(([name]) => flags.name === undefined || name === flags.name);
  // What is wrong with the record is reported at the end.
  if (wanted.length > 0 || diagnostics.length > 0) return wanted.map(toJob);
  if (flags.name === undefined || recorded.length === 0)
    throw new UsageError(
      'name what to import: an OpenAPI document (file or address), the address of an MCP server, or its command after --',
    );
  throw new UsageError(
    `${importFile} has no source ${visible(flags.name)}: it has ${recorded.map(([key]) => visible(key)).join(', ')}`,
  );

  function toJob([name, { address, settings }]: (typeof recorded)[number]): Job {
    const read = settle(flags, readSettings(settings));
    return { source: sourceOf(name, address, read), settings: read, name };
  }

  function sourceOf(name: string, address: string, { command }: ImportSettings): Source {
    if (command !== undefined) return { of: 'command', command };
    const path = resolve(folder.path, address);
    if (!/^https?:/i.test(address) && !existsSync(path))
      throw new UsageError(
        `there is no file ${visible(relativePath(cwd, path))}, from which ${visible(name)} was imported: write where it is now, with --name ${visible(shellLine([name]))}`,
      );
    const found = readSource(address, undefined, folder.path);
    if (found === undefined) throw new Error('an address always names a source');
    return found;
  }
}

/** A command that names files does so from where it was typed. */
function folderOf(source: Source, pack: string, cwd: string): Pick<ImportSettings, 'cwd'> {
  if (source.of !== 'command' || pack === cwd) return {};
  const namesFiles = source.command.some(
    word => !isAbsolute(word) && /[./\\]/.test(word) && existsSync(resolve(cwd, word)),
  );
  return namesFiles ? { cwd: relativePath(pack, cwd) } : {};
}

/** How a source is remembered. */
export function noteOf(source: Source, settings: ImportSettings, pack: string): SourceNote {
  switch (source.of) {
    case 'command':
      return { address: shellLine(source.command), settings: toRemember({ ...settings, command: source.command }) };
    case 'file':
      return { address: relativePath(pack, source.path), settings: toRemember(settings) };
    case 'address':
      return { address: source.url, settings: toRemember(settings) };
    default:
      return source satisfies never;
  }
}
