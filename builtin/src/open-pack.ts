// In: the pack that a call names. Out: its folder, or the tool's own error.
import { sep } from 'node:path';
import type { ErrorFactory } from 'toolwright/support';
import { type FoundPack, findNewFolder, findPack, isOwn, projectFolder } from './find-pack.js';

interface PackContext {
  readonly config: { readonly TOOLWRIGHT_PROJECT?: string | undefined };
  readonly errors: { readonly PACK_NOT_FOUND: ErrorFactory; readonly OUTSIDE_PROJECT: ErrorFactory };
}

export function openPack(typed: string, ctx: PackContext): string {
  return folderOf(findPack(typed, projectFolder(ctx.config)), typed, ctx);
}

function folderOf(result: FoundPack, typed: string, { errors }: PackContext): string {
  switch (result.found) {
    case 'pack':
      return result.folder;
    case 'nothing':
      throw errors.PACK_NOT_FOUND(undefined, { meta: { pack: typed } });
    case 'outside':
      throw errors.OUTSIDE_PROJECT(undefined, { meta: { pack: typed } });
  }
}

/** A pack that may be written to and run: one of the project, not one that it has installed. */
export function openOwnPack(typed: string, ctx: PackContext & OwnContext): string {
  const folder = openPack(typed, ctx);
  if (!isOwn(folder, projectFolder(ctx.config))) throw ctx.errors.INSTALLED_PACK(undefined, { meta: { pack: typed } });
  return folder;
}

/** A folder in which a pack may be started. */
export function openNewPack(typed: string, ctx: PackContext & OwnContext): string {
  const folder = folderOf(findNewFolder(typed, projectFolder(ctx.config)), typed, ctx);
  if (folder.split(sep).includes('node_modules')) throw ctx.errors.INSTALLED_PACK(undefined, { meta: { pack: typed } });
  return folder;
}

interface OwnContext {
  readonly errors: { readonly INSTALLED_PACK: ErrorFactory };
}
