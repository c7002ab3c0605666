// In: the words behind `toolwright import`. Out: what they name: a document in a file or at an address, or a server to start.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { visible } from '../../schema/print/visible.js';
import { UsageError } from '../terminal/usage-error.js';

export type Source =
  /** `path` is absolute. */
  | { readonly of: 'file'; readonly path: string }
  /** A document or a server: what it answers says which. */
  | { readonly of: 'address'; readonly url: string }
  | { readonly of: 'command'; readonly command: readonly string[] };

/** `words` came after `--`. Undefined where nothing is named: then all that was imported before is meant. */
export function readSource(
  typed: string | undefined,
  words: readonly string[] | undefined,
  cwd: string,
): Source | undefined {
  if (words !== undefined) {
    if (typed !== undefined)
      throw new UsageError(`write either ${visible(typed)} or the command of a server after --, not both`);
    if (words.length === 0)
      throw new UsageError('write the command of the server after --: toolwright import -- npx -y <package>');
    return { of: 'command', command: words };
  }
  if (typed === undefined) return undefined;
  if (/^https?:\/\//i.test(typed)) return { of: 'address', url: readAddress(typed) };
  const [, scheme] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(typed) ?? [];
  if (scheme !== undefined)
    throw new UsageError(`${visible(typed)} begins with ${scheme}://: only http:// and https:// can be imported`);
  return { of: 'file', path: findFile(typed, cwd) };
}

function readAddress(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url === undefined) throw new UsageError(`${visible(typed)} is not an address`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'the address has a user or a password in it: put a token into an environment variable and name that with --bearer',
    );
  url.hash = '';
  return url.href;
}

function findFile(typed: string, cwd: string): string {
  const path = resolve(cwd, typed);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return path;
  if (found?.isDirectory()) throw new UsageError(`${visible(typed)} is a folder: name the OpenAPI document in it`);
  if (found !== undefined) throw new UsageError(`${visible(typed)} is not a file`);
  const isCommand = /\s/.test(typed) || /^(?:npx|node|npm|pnpm|yarn|bunx?|uvx?|python3?|docker|deno)$/.test(typed);
  const hint = isCommand
    ? ': to import from an MCP server, write its command after --: toolwright import -- npx -y <package>'
    : '';
  throw new UsageError(`there is no file ${visible(typed)}${hint}`);
}
