import { code, quote } from './entry.js';

/** Writing for the author: new packs and new items. */
export const authorCodes = {
  'author/exists': code<{ kind: string; item: string; file: string }>({
    severity: 'error',
    message: ({ kind, item, file }) => `there is a ${kind} ${quote(item)} already, in ${quote(file)}`,
    cause: 'A new item needs a name of its own; nothing that exists is overwritten.',
    fix: 'Choose another name, or change the definition that is there.',
  }),
  'author/not-editable': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `${quote(path)} is left as it is: ${reason}`,
    cause: 'The file is broken, or written in a way in which nothing can be added without changing something else.',
    fix: 'Correct the file, or write the addition by hand.',
  }),
  'author/not-listed': code<{ kind: string; item: string }>({
    severity: 'info',
    message: ({ kind, item }) => `no server of this pack lists the ${kind} ${quote(item)} yet`,
    cause: 'Every server has a list of this kind, and none of the lists names or matches the new item.',
    fix: 'Write its name into the list of a server; `toolwright add` does it with `--server`.',
  }),
} as const;
