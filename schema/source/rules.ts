// The rules that texts follow. The messages read on from "<where> is "x", but ...".
import type { Rule, Schema } from './shape.js';

export const itemName: Rule = {
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  patternErrorMessage:
    'an item name starts with a letter or digit and contains only letters, digits, dots, dashes and underscores',
};

/** Keys of a combined file: item names, and the one key that binds the file to its schema. */
export const itemKey: Rule = {
  pattern: '^(\\$schema|[A-Za-z0-9][A-Za-z0-9._-]*)$',
  patternErrorMessage: itemName.patternErrorMessage,
};

/** Keys of a combined overlay: an item of the pack, or of another one. */
export const qualifiedItemKey: Rule = {
  pattern: '^(\\$schema|[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*){0,2})$',
  patternErrorMessage:
    'a name is item, pack/item or publisher/pack/item, of letters, digits, dots, dashes and underscores',
};

export const wireName: Rule = {
  pattern: '^[A-Za-z0-9_./-]{1,128}$',
  patternErrorMessage: 'a name that clients see has 1 to 128 letters, digits, dots, dashes, underscores and slashes',
};

export const packName: Rule = {
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?$',
  patternErrorMessage:
    'a pack name is pack or publisher/pack, of letters, digits, dots, dashes and underscores, without @',
};

export const handlerPath: Rule = {
  pattern: '^[^#\\s][^#]*(#[A-Za-z_$][A-Za-z0-9_$]*)?$',
  patternErrorMessage: 'a handler is a path in the pack, with or without the name of an export: src/tools/x.ts#run',
};

/** Only what no name has is refused here: linking says what is wrong with the others, segment by segment. */
export const reference: Rule = {
  pattern: '^\\S+$',
  patternErrorMessage:
    'a reference is item, pack/item or publisher/pack/item, without spaces; * stands for any characters',
};

export const errorCode: Rule = {
  pattern: '^[A-Z][A-Z0-9_]*$',
  patternErrorMessage: 'an error code is written in capitals, digits and underscores: NOT_FOUND',
};

export const errorMatch: Rule = {
  pattern: '^\\S+$',
  patternErrorMessage: 'an error code has no spaces: ENOENT, 404 or 5xx',
};

export const variableName: Rule = {
  pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
  patternErrorMessage: 'the name of an environment variable has only letters, digits and underscores: API_TOKEN',
};

export const urlPath: Rule = {
  pattern: '^/',
  patternErrorMessage: 'a URL path starts with a slash: /mcp',
};

export const nonEmpty: Rule = {
  pattern: '\\S',
  patternErrorMessage: 'the value must not be empty or only spaces',
};

/** A string in a list: tags, scopes, names. */
export const word: Schema = { type: 'string', ...nonEmpty };

/** Keys of a map follow the rule, too. Editors would offer "property" as a key. */
export function keysFollow(rule: Rule): Schema {
  return { propertyNames: { ...rule, doNotSuggest: true } };
}
