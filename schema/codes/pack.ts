import { code, enumerate, quote } from './entry.js';

/** Which definition wins, and how items refer to each other. */
export const packCodes = {
  'resolve/missing-root': code<{ root: string }>({
    severity: 'error',
    message: ({ root }) => `the root folder ${quote(root)} does not exist`,
    cause: 'Items are declared, but the folder that defines them is missing.',
    fix: 'Create the folder, or set `root` to the right one.',
  }),
  'resolve/path-escape': code<{ path: string }>({
    severity: 'error',
    message: ({ path }) => `${quote(path)} leads out of the pack`,
    cause:
      'A pack is read and published as one folder; nothing outside belongs to it. Links are followed before this is decided.',
    fix: 'Move the file into the pack and use a relative path.',
  }),
  'resolve/missing-definition': code<{ kind: string; item: string; path: string }>({
    severity: 'error',
    message: ({ kind, item, path }) => `the ${kind} ${quote(item)} has no definition: expected ${quote(path)}`,
    cause: 'An item is declared, but neither a file of its own nor the combined file defines it.',
    fix: 'Write the definition at the expected path, or remove the declaration.',
  }),
  'resolve/duplicate-format': code<{ used: string; ignored: readonly string[] }>({
    severity: 'warning',
    message: ({ used, ignored }) =>
      `${quote(used)} is used, ${enumerate(ignored)} ${ignored.length > 1 ? 'are' : 'is'} ignored`,
    cause: 'The same definition exists in several formats: .json comes before .yaml, .yaml before .yml.',
    fix: 'Remove the files that are not meant.',
  }),
  'resolve/duplicate-declaration': code<{ kind: string; item: string }>({
    severity: 'error',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} is declared twice`,
    cause: 'An item can be declared once only.',
    fix: 'Remove one of the declarations.',
  }),
  'resolve/duplicate-item': code<{ kind: string; item: string }>({
    severity: 'error',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} is defined twice`,
    cause: 'Two definitions of the same rank have the same name, so neither wins.',
    fix: 'Rename or remove one of them.',
  }),
  'resolve/name-clash': code<{ kind: string; item: string; other: string }>({
    severity: 'error',
    message: ({ kind, item, other }) =>
      `the ${kind} names ${quote(item)} and ${quote(other)} cannot be told apart in code`,
    cause:
      'Names must stay different without regard to case and after camelCase, for file systems and for generated code.',
    fix: 'Rename one of them. What clients see can be set with `name`.',
  }),
  'resolve/item-name': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) =>
      `${quote(name)} is no item name: only letters, digits, dots, dashes and underscores are allowed`,
    cause: 'Item names start with a letter or digit and have only letters, digits, dots, dashes and underscores.',
    fix: 'Rename it. What clients see can be set with `name`.',
  }),
  'resolve/stray': code<{ path: string; meant?: string }>({
    severity: 'warning',
    message: ({ path, meant }) =>
      meant === undefined
        ? `${quote(path)} is never read: it belongs to no kind of item`
        : `${quote(path)} is never read; ${quote(meant)} would be`,
    cause:
      'Definitions lie in servers/, tools/, prompts/ and resources/, not in folders below these, or in the combined files of these names, with lower-case endings.',
    fix: 'Rename it, or move it elsewhere if it is no definition.',
  }),
  'resolve/unreachable': code<{ kind: string; item: string }>({
    severity: 'warning',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} is defined here but not declared, so nothing can reach it`,
    cause: 'toolwright.yaml lists the items of this kind, and the list does not have this one.',
    fix: 'Add it to the list, remove the definition, or remove the whole list to have all files discovered.',
  }),
  'resolve/name-mismatch': code<{ manifest: string; packageName: string }>({
    severity: 'error',
    message: ({ manifest, packageName }) =>
      `the pack is ${quote(manifest)} here but ${quote(packageName)} in package.json`,
    cause: 'A pack and its npm package have the same name (`acme/jira` is `@acme/jira`), or references to it break.',
    fix: 'Remove `name`, or make both agree.',
  }),
  'link/invalid-name': code<{ name: string; reason: string }>({
    severity: 'error',
    message: ({ name, reason }) => `${quote(name)} is no valid reference: ${reason}`,
    cause: 'References are item, pack/item or publisher/pack/item.',
    fix: 'Correct the reference.',
  }),
  'link/unknown-reference': code<{ kind: string; name: string }>({
    severity: 'error',
    message: ({ kind, name }) => `this pack declares no ${kind} ${quote(name)}`,
    cause:
      'A server lists an item that neither the pack nor toolwright has. Items of other packs need their qualified name.',
    fix: 'Correct the name, declare and define the item, or write pack/item.',
  }),
  'link/duplicate-reference': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `${quote(name)} is listed twice; once is enough`,
    cause: 'A server lists the same item twice.',
    fix: 'Remove one of them.',
  }),
  'link/empty-pattern': code<{ pattern: string; kind: string }>({
    severity: 'warning',
    message: ({ pattern, kind }) => `the pattern ${quote(pattern)} matches no ${kind}`,
    cause: 'A pattern that matches nothing is most often a typing mistake.',
    fix: 'Correct or remove it.',
  }),
  'link/wire-name-collision': code<{ name: string; kind: string; server: string; renamed: readonly string[] }>({
    severity: 'warning',
    message: ({ name, kind, server, renamed }) =>
      `${renamed.length} ${kind}s of the server ${quote(server)} are called ${quote(name)}; clients see ${enumerate(renamed)}`,
    cause: 'Clients tell items apart by name, so that each member of the group gets a number.',
    fix: 'Give them different names.',
  }),
  'link/long-name': code<{ name: string; length: number }>({
    severity: 'warning',
    message: ({ name, length }) => `the name ${quote(name)} has ${length} characters; many clients refuse more than 64`,
    cause: 'The protocol allows 128 characters, many clients do not.',
    fix: 'Set a shorter `name`.',
  }),
  'link/no-description': code<{ kind: string; item: string }>({
    severity: 'warning',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} has no description`,
    cause: 'The description is what a model reads to decide when to use it.',
    fix: 'Add `description`.',
  }),
  'link/unknown-tool': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `the text mentions the tool ${quote(name)}, which this pack does not have`,
    cause: '{{tool:X}} is replaced by the name that clients see, so X must be a tool.',
    fix: 'Correct the name.',
  }),
  'link/unknown-tag': code<{ tag: string }>({
    severity: 'info',
    message: ({ tag }) => `${quote(tag)} reaches clients as it is: only {{tool:X}} has a meaning in this text`,
    cause:
      'Descriptions, guidelines, instructions and the texts of errors may mention tools, and nothing else. It is a warning where `tool` is misspelt.',
    fix: 'Write {{tool:X}} for a tool, and the plain name of anything else.',
  }),
  'link/unfilled-tag': code<{ tag: string }>({
    severity: 'info',
    message: ({ tag }) => `${quote(tag)} reaches clients as it is: nothing is filled into the texts of errors`,
    cause: 'The texts of an error know no arguments; only {{tool:X}} has a meaning in them.',
    fix: 'Give the whole text in the handler, as in `throw ctx.errors.NOT_FOUND("There is no issue " + issueKey)`.',
  }),
  'link/unknown-annotation': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `clients know no annotation ${quote(name)}`,
    cause: 'Annotations are hints for clients; only those of the protocol have a meaning.',
    fix: 'Correct the name, or put data of your own under `_meta`.',
  }),
  'link/uri-braces': code<{ uri: string }>({
    severity: 'warning',
    message: ({ uri }) => `the URI ${quote(uri)} has braces, which mean nothing in \`uri\``,
    cause: 'A family of resources has a uriTemplate; a uri is one address, taken as it is.',
    fix: 'Write uriTemplate instead of uri.',
  }),
  'link/no-variables': code<{ template: string }>({
    severity: 'warning',
    message: ({ template }) => `the URI template ${quote(template)} has no variable, so it stands for one address only`,
    cause: 'Clients list templates apart and ask for their variables; a resource with one address has a uri.',
    fix: 'Write uri instead of uriTemplate, or put a variable in braces, as in `issue://{key}`.',
  }),
  'link/duplicate-uri': code<{ uri: string }>({
    severity: 'error',
    message: ({ uri }) => `two resources have the URI ${quote(uri)}`,
    cause: 'Clients read resources by URI, so that only one of them could ever be read.',
    fix: 'Give each resource a URI of its own.',
  }),
  'link/prompt-type': code<{ stated: string; inferred: string }>({
    severity: 'error',
    message: ({ stated, inferred }) =>
      `the prompt says it is of type ${quote(stated)}, but what it has makes it ${quote(inferred)}`,
    cause: 'The type follows from the key text, messages or handler; `type` may only repeat it.',
    fix: 'Remove `type`, or write the key that goes with it.',
  }),
  'link/unknown-requirement': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `${quote(name)} is neither a config key of toolwright.yaml nor a client capability`,
    cause: '`requires` names configuration of the pack or a capability of the client.',
    fix: 'Declare it under `config` in toolwright.yaml, or correct the name.',
  }),
  'link/deprecated-capability': code<{ name: string }>({
    severity: 'info',
    message: ({ name }) =>
      `the capability ${quote(name)} is deprecated since protocol 2026-07-28; clients will drop it`,
    cause: 'Sampling and roots still work with every client that has them, but the protocol advises against both.',
    fix: 'Nothing to do for now. Call a model of your own, and take folders as arguments or configuration.',
  }),
  'link/unknown-variable': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `the URI template has no variable ${quote(name)}`,
    cause: 'Completions are given for variables of the URI template.',
    fix: 'Correct the name.',
  }),
  'link/uri-template': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `the URI template is not valid: ${reason}`,
    cause: 'URI templates follow RFC 6570.',
    fix: 'Correct the template.',
  }),
  'template/syntax': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => reason,
    cause: 'Prompt texts are templates: {{argument}}, {{#if}}, {{#unless}}, {{#each}}.',
    fix: 'Correct the tag. Braces that are meant as text are written \\{{.',
  }),
  'template/unknown-argument': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `the prompt has no argument ${quote(name)}`,
    cause: 'A template may use only the arguments that the prompt declares.',
    fix: 'Correct the name, or add it under `arguments`.',
  }),
  'overlay/not-found': code<{ folder: string }>({
    severity: 'error',
    message: ({ folder }) => `the overlay folder ${quote(folder)} does not exist`,
    cause: '--overlay or TOOLWRIGHT_OVERLAY names a folder that is not there.',
    fix: 'Correct the path.',
  }),
  'overlay/unknown-item': code<{ kind: string; item: string }>({
    severity: 'warning',
    message: ({ kind, item }) => `the overlay patches the ${kind} ${quote(item)}, which the pack does not have`,
    cause: 'An overlay file or key names no item of the pack.',
    fix: 'Correct the name, or remove the patch.',
  }),
  'overlay/unqualified': code<{ kind: string; item: string; pack: string }>({
    severity: 'warning',
    message: ({ kind, item, pack }) =>
      `the overlay patches the ${kind} ${quote(item)} of this project, not that of ${quote(pack)}`,
    cause: 'In overlays a name without a slash means an item of the own pack, and a server of another pack is used.',
    fix: 'Write the qualified name into a combined file, as in `acme/jira/get-issue: { enabled: false }`.',
  }),
  'overlay/unknown-pack': code<{ kind: string; item: string; pack: string }>({
    severity: 'warning',
    message: ({ kind, item, pack }) =>
      `the overlay patches the ${kind} ${quote(item)} of the pack ${quote(pack)}, which is not there`,
    cause: 'A qualified name in an overlay names a pack that is not installed.',
    fix: 'Correct the name, or remove the patch.',
  }),
  'overlay/refused': code<{ field: string; kind: string }>({
    severity: 'error',
    message: ({ field, kind }) => `an overlay cannot change ${quote(field)} of a ${kind}`,
    cause: 'Overlays change texts and policy only: never what a tool is called, takes, returns or runs.',
    fix: 'Change the definition itself.',
  }),
  'overlay/unknown-option': code<{ option: string; item: string }>({
    severity: 'warning',
    message: ({ option, item }) => `${quote(item)} has no option ${quote(option)}`,
    cause: 'An overlay sets an option that the tool does not declare.',
    fix: 'Correct the name.',
  }),
  'overlay/option-type': code<{ option: string; expected: string; actual: string }>({
    severity: 'error',
    message: ({ option, expected, actual }) => `the option ${quote(option)} must be ${expected}, not ${actual}`,
    cause: 'An overlay sets an option to a value of another type than the tool declares.',
    fix: 'Write a value of the declared type.',
  }),
} as const;
