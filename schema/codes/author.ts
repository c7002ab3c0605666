import { code, quote } from './entry.js';

/** Writing for the author: new packs and new items. */
export const authorCodes = {
  'author/exists': code<{ kind: string; item: string; file: string }>({
    severity: 'error',
    message: ({ kind, item, file }) => `there is already a ${kind} ${quote(item)}, in ${quote(file)}`,
    cause: 'A new item needs its own name; existing items are never overwritten.',
    fix: 'Choose another name, or change the existing definition.',
  }),
  'author/not-editable': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `${quote(path)} was not changed: ${reason}`,
    cause: 'The file is broken, or written in a way that nothing can be added without changing something else.',
    fix: 'Fix the file, or make the addition by hand.',
  }),
  'author/not-listed': code<{ kind: string; item: string }>({
    severity: 'info',
    message: ({ kind, item }) => `no server of this pack lists the ${kind} ${quote(item)} yet`,
    cause: 'Every server has a list of this kind, and none of the lists names or matches the new item.',
    fix: 'Add its name to the list of a server; `toolwright add --server` does this.',
  }),
} as const;
