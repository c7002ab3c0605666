// The tools. Each checks its paths first; errors of the system get their codes from the manifest.
import { lstat, mkdir, readFile, rename } from 'node:fs/promises';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { audio, image, resource } from 'toolwright';
import { type Tool_Context, tools } from '../generated/index.js';
import { allowedFolders, usePath } from './allowed.js';
import { applyEdits, printDifference, unixLines } from './edit.js';
import {
  describeFile,
  findFiles,
  listFolder,
  printSize,
  readHead,
  readTail,
  readText,
  readTree,
  replaceFile,
} from './files.js';

type Context = Pick<Tool_Context, 'config' | 'has' | 'roots'>;

/** The check of a call: the allowed folders are asked for once. */
async function checker(ctx: Context): Promise<(path: string) => Promise<string>> {
  const allowed = await allowedFolders(ctx);
  return path => usePath(path, allowed);
}

const use = async (path: string, ctx: Context): Promise<string> => await (await checker(ctx))(path);

/** Serves `read_file`, too. */
export const readTextFile = tools.readTextFile(async ({ path, head = 0, tail = 0 }, ctx) => {
  const real = await use(path, ctx);
  if (head !== 0 && tail !== 0) throw ctx.errors.HEAD_AND_TAIL();
  if (tail !== 0) return { content: await readTail(real, tail) };
  return { content: head !== 0 ? await readHead(real, head) : await readText(real) };
});

const media: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
};

export const readMediaFile = tools.readMediaFile(async ({ path }, ctx) => {
  const real = await use(path, ctx);
  const mimeType = media[extname(real).toLowerCase()] ?? 'application/octet-stream';
  const bytes = await readFile(real);
  const item = mimeType.startsWith('image/')
    ? image(bytes, mimeType)
    : mimeType.startsWith('audio/')
      ? audio(bytes, mimeType)
      : resource(pathToFileURL(real).href, { blob: bytes, mimeType });
  return { content: [item], structuredContent: { content: [item] } };
});

export const readMultipleFiles = tools.readMultipleFiles(async ({ paths }, ctx) => {
  const check = await checker(ctx);
  const texts = paths.map(async path => {
    try {
      return `${path}:\n${await readText(await check(path))}\n`;
    } catch (error) {
      return `${path}: Error - ${error instanceof Error ? error.message : String(error)}`;
    }
  });
  return { content: (await Promise.all(texts)).join('\n---\n') };
});

export const writeFile = tools.writeFile(async ({ path, content }, ctx) => {
  await replaceFile(await use(path, ctx), content);
  return { content: `Successfully wrote to ${path}` };
});

export const editFile = tools.editFile(async ({ path, edits, dryRun }, ctx) => {
  const real = await use(path, ctx);
  const before = unixLines(await readText(real));
  const after = applyEdits(before, edits, ({ oldText }) =>
    ctx.errors.NO_MATCH(`The text to replace is not in ${path}:\n${oldText}`),
  );
  if (!dryRun) await replaceFile(real, after);
  return { content: printDifference(real, before, after) };
});

export const createDirectory = tools.createDirectory(async ({ path }, ctx) => {
  await mkdir(await use(path, ctx), { recursive: true });
  return { content: `Successfully created directory ${path}` };
});

const mark = (isFolder: boolean): string => (isFolder ? '[DIR]' : '[FILE]');

export const listDirectory = tools.listDirectory(async ({ path }, ctx) => {
  const entries = await listFolder(await use(path, ctx));
  return { content: entries.map(({ name, isFolder }) => `${mark(isFolder)} ${name}`).join('\n') };
});

export const listDirectoryWithSizes = tools.listDirectoryWithSizes(async ({ path, sortBy }, ctx) => {
  const entries = await listFolder(await use(path, ctx));
  const sorted = entries.toSorted((one, other) =>
    sortBy === 'size' ? other.size - one.size : one.name.localeCompare(other.name),
  );
  const files = entries.filter(({ isFolder }) => !isFolder);
  const lines = sorted.map(({ name, isFolder, size }) => {
    const shown = isFolder ? '' : printSize(size).padStart(10);
    return `${mark(isFolder)} ${name.padEnd(30)} ${shown}`;
  });
  const total = [
    '',
    `Total: ${files.length} files, ${entries.length - files.length} directories`,
    `Combined size: ${printSize(files.reduce((sum, { size }) => sum + size, 0))}`,
  ];
  return { content: [...lines, ...total].join('\n') };
});

export const directoryTree = tools.directoryTree(async ({ path, excludePatterns }, ctx) => {
  const tree = await readTree(path, excludePatterns, await checker(ctx));
  return { content: JSON.stringify(tree, null, 2) };
});

export const moveFile = tools.moveFile(async ({ source, destination }, ctx) => {
  const check = await checker(ctx);
  const [from, to] = [await check(source), await check(destination)];
  // A link in the way counts, too, wherever it leads.
  const inTheWay = await lstat(to).catch(() => undefined);
  if (inTheWay !== undefined) throw ctx.errors.DESTINATION_EXISTS(`${destination} exists`);
  await rename(from, to);
  return { content: `Successfully moved ${source} to ${destination}` };
});

export const searchFiles = tools.searchFiles(async ({ path, pattern, excludePatterns }, ctx) => {
  const check = await checker(ctx);
  const found = await findFiles(await check(path), { pattern, excluded: excludePatterns }, check);
  return { content: found.length === 0 ? 'No matches found' : found.join('\n') };
});

export const getFileInfo = tools.getFileInfo(async ({ path }, ctx) => ({
  content: await describeFile(await use(path, ctx)),
}));

export const listAllowedDirectories = tools.listAllowedDirectories(async (_, ctx) => ({
  content: ['Allowed directories:', ...(await allowedFolders(ctx))].join('\n'),
}));
