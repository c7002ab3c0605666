// N33. In: the result of a call and where to save. Out: its images, sounds and binary resources as files, and a line for each.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { extensionOf } from '../../runtime/load/mime-type.js';
import { visible } from '../../schema/print/visible.js';
import type { CallToolResult, Content } from '../../schema/support/mcp/content.js';

interface Part {
  readonly data: string;
  readonly mimeType: string;
  /** As the tool calls it, where it does. */
  readonly name?: string | undefined;
}

/** `typed`: a folder that exists or ends in a slash, in which existing files stay; else the file for the only part. */
export function saveContent(
  { content }: CallToolResult,
  { cwd, typed }: { readonly cwd: string; readonly typed: string },
  tool: string,
): string {
  const parts = content.flatMap(partOf);
  const [only] = parts;
  if (only === undefined) return 'toolwright: the result has nothing to save: no image, sound or binary resource\n';
  const to = resolve(cwd, typed);
  const isFolder =
    /[\\/]$/.test(typed) || parts.length > 1 || statSync(to, { throwIfNoEntry: false })?.isDirectory() === true;
  mkdirSync(isFolder ? to : dirname(to), { recursive: true });
  const saved = parts.map(part => {
    const path = isFolder ? freePath(to, part, tool) : to;
    const bytes = Buffer.from(part.data, 'base64');
    writeFileSync(path, bytes);
    return `saved ${visible(path)} (${visible(part.mimeType)}, ${bytes.length} bytes)\n`;
  });
  return saved.join('');
}

function partOf(one: Content): readonly Part[] {
  if (one.type === 'image' || one.type === 'audio') return [{ data: one.data, mimeType: one.mimeType }];
  if (one.type !== 'resource' || one.resource.blob === undefined) return [];
  const { blob, uri, mimeType = 'application/octet-stream' } = one.resource;
  return [{ data: blob, mimeType, name: basename(uri.split(/[?#]/)[0] ?? '') }];
}

/** A name of the tool's is only text: nothing of it may lead elsewhere. */
function freePath(folder: string, { mimeType, name }: Part, tool: string): string {
  const isUsable = name !== undefined && /^[\w-][\w.-]{0,100}$/.test(name) && name.includes('.');
  if (isUsable && !existsSync(join(folder, name))) return join(folder, name);
  const extension = extensionOf(mimeType) ?? 'bin';
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${tool.replaceAll(/[^\w.-]/g, '-')}-${number}.${extension}`);
    if (!existsSync(path)) return path;
  }
}
