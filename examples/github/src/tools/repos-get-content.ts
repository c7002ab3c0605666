import { path as encode } from 'toolwright';
import type { ReposGetContentContext, ReposGetContentHandler } from '../../generated/index.js';

interface File {
  readonly path: string;
  readonly type: string;
  readonly encoding?: string;
  readonly content?: string;
}

/** `toolwright eject` wrote the request; that folders are lists and files are text came by hand. */
export default (async ({ owner, repo, path = '', ref }, ctx) => {
  const names = path.split('/').filter(name => name !== '');
  const found = (await ctx.backends.github.request({
    path: [encode`/repos/${owner}/${repo}/contents`, ...names.map(name => encode`/${name}`)].join(''),
    query: { ref },
  })) as File | readonly File[];
  return isList(found) ? { entries: found.map(({ path, type }) => ({ path, type })) } : { text: textOf(found, ctx) };
}) satisfies ReposGetContentHandler;

function isList(found: File | readonly File[]): found is readonly File[] {
  return Array.isArray(found);
}

function textOf({ encoding, content = '' }: File, { errors }: ReposGetContentContext): string {
  if (encoding === 'none') throw errors.TOO_LARGE();
  if (encoding !== 'base64') throw errors.NOT_TEXT();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(content, 'base64'));
  } catch (cause) {
    throw errors.NOT_TEXT({ cause });
  }
}
