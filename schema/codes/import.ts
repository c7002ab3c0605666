import { code, enumerate, quote } from './entry.js';

/** What an import of an API or of another server finds: in the source, and in the pack that it goes into. */
export const importCodes = {
  'import/left-out': code<{ place: string; reason: string }>({
    severity: 'warning',
    message: ({ place, reason }) => `${quote(place)} is left out: ${reason}`,
    cause: 'The operation cannot become a tool, or would be one that no model can use.',
    fix: 'Write this tool by hand, or change the document.',
  }),
  'import/server-failed': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `nothing can be imported from the server: ${reason}`,
    cause: 'It does not start, does not answer, or does not speak the protocol.',
    fix: 'Run its command by hand, or look at its address: it must answer to an MCP client.',
  }),
  'import/no-answer': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `there is nothing to import at this address: ${reason}`,
    cause: 'The address answers neither with an OpenAPI document nor as an MCP server.',
    fix: 'Open the address in a browser, or look whether it needs a token: --bearer names the environment variable that has it.',
  }),
  'import/list-broken': code<{ method: string; count: number; reason: string }>({
    severity: 'warning',
    message: ({ method, count, reason }) => `${method} broke off after ${count} entries: ${reason}`,
    cause: 'The server answered a part of the list, or nothing. What came before is imported.',
    fix: 'Import again when the server answers: until then nothing that is missing counts as removed.',
  }),
  'import/not-carried': code<{ key: string; places: readonly string[]; reason: string }>({
    severity: 'warning',
    message: ({ key, places, reason }) => `${quote(key)} of ${enumerate(places)} is not imported: ${reason}`,
    cause: 'The server says something that a pack cannot say, or that is not as the protocol wants it.',
    fix: 'Nothing has to be done; clients see the rest as the server lists it.',
  }),
  'import/renamed': code<{ place: string; name: string }>({
    severity: 'warning',
    message: ({ place, name }) => `clients see ${quote(place)} as ${quote(name)}`,
    cause: 'Its name has characters that clients refuse, or more than 128 of them.',
    fix: 'Give the item another name with the key name.',
  }),
  'import/secret-word': code<{ where: string; what: string }>({
    severity: 'error',
    message: ({ where, what }) => `${where} looks like ${what}`,
    cause: 'The command or address of the server is written into files that are committed.',
    fix: 'Give it as an environment variable: --env NAME.',
  }),
  'import/secret-text': code<{ places: readonly string[]; name: string }>({
    severity: 'warning',
    message: ({ places, name }) => `the value of ${name} stood in ${enumerate(places)} and was taken out`,
    cause: 'The server shows what it was given, and files must not have it.',
    fix: 'Look at the texts, and write what the reader needs to know in place of it.',
  }),
  'import/flag-word': code<{ word: string; reason: string }>({
    severity: 'error',
    message: ({ word, reason }) => `${quote(word)} cannot be merged: ${reason}`,
    cause: 'Each word of a capture becomes a key of the configuration.',
    fix: 'Write flags as --name or --name=value, and variables as NAME=value.',
  }),
  'import/unused-capture': code<{ words: string; reason: string }>({
    severity: 'warning',
    message: ({ words, reason }) => `the capture with ${quote(words)} changes nothing: ${reason}`,
    cause: 'Nothing that the server lists depends on these words, as far as could be seen.',
    fix: 'Leave the capture out, or correct its words.',
  }),
  'import/unclear-condition': code<{ place: string; reason: string }>({
    severity: 'warning',
    message: ({ place, reason }) => `it is not clear when ${quote(place)} is offered: ${reason}`,
    cause: 'The captures do not tell which of the flags it depends on.',
    fix: 'Add a capture for each flag alone, or correct the key when of the item.',
  }),
  'import/not-openapi': code<{ file: string; seems: string }>({
    severity: 'error',
    message: ({ file, seems }) => `${named(file)} is not an OpenAPI document: it seems to be ${seems}`,
    cause: 'Operations are read from OpenAPI documents of version 2.0 (Swagger), 3.0, 3.1 and 3.2, in JSON or YAML.',
    fix: 'Give the address of the OpenAPI document itself: it begins with `openapi: 3` or `swagger: "2.0"`.',
  }),
  'import/unknown-version': code<{ file: string; version: string }>({
    severity: 'error',
    message: ({ file, version }) => `${named(file)} has the version ${quote(version)} of OpenAPI, which cannot be read`,
    cause: 'Operations are read from OpenAPI documents of version 2.0 (Swagger), 3.0, 3.1 and 3.2.',
    fix: 'Convert it to OpenAPI 3 first.',
  }),
  'import/too-large': code<{ file: string; size: number; limit: number }>({
    severity: 'error',
    message: ({ file, size, limit }) =>
      `${named(file)} has ${Math.ceil(size / 2 ** 20)} MiB, and ${Math.floor(limit / 2 ** 20)} MiB is the most that is read`,
    cause: 'Larger documents are mostly those in which every `$ref` was replaced by what it refers to.',
    fix: 'Give the document as its authors wrote it, with its `$ref`s.',
  }),
  'import/broken-reference': code<{ reference: string }>({
    severity: 'warning',
    message: ({ reference }) => `the reference ${quote(reference)} is broken: the document has nothing there`,
    cause: 'A `$ref` names a part of the document that does not exist.',
    fix: 'Correct the `$ref`, or add what it names.',
  }),
  'import/reference-cycle': code<{ reference: string }>({
    severity: 'warning',
    message: ({ reference }) => `the reference ${quote(reference)} refers back to itself`,
    cause: 'References lead in a circle without anything in it that they could mean.',
    fix: 'Let one of them refer to a definition.',
  }),
  'import/unread-file': code<{ file: string }>({
    severity: 'warning',
    message: ({ file }) => `the document refers to ${quote(file)}, which was not read`,
    cause:
      'Files in the folder of the document and below are read. Others, and addresses, are only read where the command line asks for it.',
    fix: 'Put the file beside the document, or ask for it with --external-refs.',
  }),
  'import/ignored': code<{ what: string; reason: string }>({
    severity: 'warning',
    message: ({ what, reason }) => `${quote(what)} is ignored: ${reason}`,
    cause: 'The document has something that means nothing where it is.',
    fix: 'Correct it in the document, if it is meant to count.',
  }),
  'import/assumed': code<{ what: string; reason: string }>({
    severity: 'warning',
    message: ({ what, reason }) => `${quote(what)} is assumed: ${reason}`,
    cause: 'The document leaves out what an importer has to know, and only one thing can be meant.',
    fix: 'Write it into the document.',
  }),
  'import/unmatched-filter': code<{ flag: string; pattern: string }>({
    severity: 'warning',
    message: ({ flag, pattern }) => `--${flag} ${quote(pattern)} matches no operation`,
    cause:
      'No operation of the document has such an id, tag, method or path. `*` stands for any text; without it a name has to be whole.',
    fix: 'Look at what there is with --dry-run.',
  }),
  'import/nothing-chosen': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `nothing is imported: ${reason}`,
    cause:
      'An operation is imported if it passes every kind of filter, and deprecated ones only if they are asked for. A document without operations gives nothing.',
    fix: 'Leave a filter out, or look at what there is with --dry-run.',
  }),
  'import/left-out-parameter': code<{ name: string; reason: string }>({
    severity: 'warning',
    message: ({ name, reason }) => `the parameter ${quote(name)} is left out: it ${reason}`,
    cause: 'A request cannot be written with it. It is optional, so that the tool can do without.',
    fix: 'Write this tool by hand, if it is needed.',
  }),
  'import/large-input': code<{ name: string; size: string; members: readonly string[] }>({
    severity: 'warning',
    message: ({ name, size, members }) =>
      `the input of ${quote(name)} has ${size}; ${enumerate(members)} ${members.length === 1 ? 'has' : 'have'} most of it`,
    cause: 'Models read all of it with every request, and some clients refuse so much.',
    fix: 'Leave out members that nobody needs, or the operation with --exclude.',
  }),
  'import/cut-input': code<{ name: string; size: string; members: readonly string[] }>({
    severity: 'warning',
    message: ({ name, size, members }) =>
      `the input of ${quote(name)} would have ${size}: of ${enumerate(members)} only the type is described`,
    cause: 'No model reads so much. Whatever is given for these members is sent as it is.',
    fix: 'Describe what callers need of them by hand, or leave the operation out with --exclude.',
  }),
  'import/unproved': code<{ reason: string }>({
    severity: 'warning',
    message: ({ reason }) => `requests are sent without credentials: ${reason}`,
    cause: 'The API wants a proof that backends cannot give: they send tokens, keys, passwords and client credentials.',
    fix: 'Write what is missing into the backend, or use a handler.',
  }),
  'import/conflict': code<{ field: string; ours: string; theirs: string }>({
    severity: 'error',
    message: ({ field, ours, theirs }) =>
      `${quote(field)} was changed here and in the source: ${ours} here, ${theirs} there`,
    cause:
      'Since the last import both the author of the pack and the source have changed the same field, to different values. Nothing is written.',
    fix: 'Choose with --ours or --theirs, or edit the field so that it says what the source says.',
  }),
  'import/record': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `the record of imports cannot be used: ${reason}`,
    cause: 'toolwright.import.json says what was imported. Without it, an import cannot tell what the author changed.',
    fix: 'Restore the file from version control. Without it, the next import compares with the source alone.',
  }),
  'import/unknown-choice': code<{ flag: string; choice: string; reason: string }>({
    severity: 'warning',
    message: ({ flag, choice, reason }) => `${flag} ${choice} chooses nothing: ${reason}`,
    cause:
      'Conflicts are named as they are shown: an item, or an item and a field. --restore names items that were deleted.',
    fix: 'Name an item or a field of a conflict.',
  }),
  'import/name-taken': code<{ kind: string; name: string; used: string }>({
    severity: 'warning',
    message: ({ kind, name, used }) =>
      `there is another ${kind} called ${quote(name)}: the imported one is called ${quote(used)}`,
    cause: 'What an author wrote, and what comes from another source, is never overwritten.',
    fix: 'Rename it with toolwright rename; the next import finds it under its new name.',
  }),
  'import/in-the-way': code<{ path: string; reason: string }>({
    severity: 'error',
    message: ({ path, reason }) => `${quote(path)} is in the way: ${reason}`,
    cause: 'An imported item would get this file, and files that no import has written are never overwritten.',
    fix: 'Move the file, or leave the operation out with --exclude.',
  }),
  'import/not-pruned': code<{ kind: string; name: string; reason: string }>({
    severity: 'warning',
    message: ({ kind, name, reason }) => `the ${kind} ${quote(name)} stays: ${reason}`,
    cause: 'Only what is as it was imported is deleted by --prune.',
    fix: 'Delete it with toolwright remove.',
  }),
};

/** The places of diagnostics have the whole path, from where people are. */
function named(file: string): string {
  return quote(file.slice(file.lastIndexOf('/') + 1));
}
