// The few forms that every definition is written in. In: what a field means, with an example. Out: a draft-07 schema as plain data.

/** A JSON Schema as data: keyword -> value. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Fields of an object: key -> schema. */
export type Fields = Readonly<Record<string, Schema>>;

/** A rule for strings: what matches, and what an author reads when it does not. */
export interface Rule {
  readonly pattern: string;
  readonly patternErrorMessage: string;
}

/** Plain text for every editor, Markdown with an example for those that render it. */
export function documented(description: string, example: string): Schema {
  return { description, markdownDescription: `${description}\n\n\`\`\`yaml\n${example}\n\`\`\`` };
}

export function text(description: string, example: string, more: Schema = {}): Schema {
  return { ...documented(description, example), type: 'string', ...more };
}

export function flag(description: string, example: string, more: Schema = {}): Schema {
  return { ...documented(description, example), type: 'boolean', ...more };
}

export function whole(description: string, example: string, more: Schema = {}): Schema {
  return { ...documented(description, example), type: 'integer', ...more };
}

/** No restriction at all, in the words of editors. */
export const everyType = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const;

/** Any value at all. The types are listed, because editors insert a key without its colon where none is. */
export function anything(description: string, example: string, more: Schema = {}): Schema {
  return { ...documented(description, example), type: everyType, ...more };
}

/** An `enum` whose members explain themselves in completion lists. */
export function members(meanings: Readonly<Record<string, string>>): Schema {
  const entries = Object.entries(meanings);
  return {
    enum: entries.map(([value]) => value),
    enumDescriptions: entries.map(([, meaning]) => meaning),
    markdownEnumDescriptions: entries.map(([, meaning]) => meaning),
    // The same for JetBrains.
    'x-intellij-enum-metadata': Object.fromEntries(entries.map(([value, description]) => [value, { description }])),
  };
}

/** One word of a fixed set. */
export function choice(
  description: string,
  example: string,
  meanings: Readonly<Record<string, string>>,
  more: Schema = {},
): Schema {
  return { ...documented(description, example), type: 'string', ...members(meanings), ...more };
}

export function list(description: string, example: string, items: Schema, more: Schema = {}): Schema {
  return { ...documented(description, example), type: 'array', items, ...more };
}

/** An ordered map whose keys are the author's own names. */
export function map(
  title: string,
  words: { readonly description: string; readonly example: string },
  values: Schema,
  more: Schema = {},
): Schema {
  return {
    title,
    ...documented(words.description, words.example),
    type: 'object',
    additionalProperties: values,
    ...more,
  };
}

/**
 * An object with a fixed set of keys. `additionalProperties` stands beside the full `properties`,
 * so that a suggestion for a mistyped key can be read from the schema that refused it.
 */
export function closed(title: string, properties: Fields, more: Schema = {}): Schema {
  return { title, type: 'object', properties, additionalProperties: false, ...more };
}

/**
 * Points to a shared definition. Only words may stand beside the pointer: they win over those of the definition;
 * anything else makes editors drop all that stands beside it, as draft-07 says.
 */
export function use(name: string, description?: string, example?: string): Schema {
  const words = description === undefined || example === undefined ? {} : documented(description, example);
  return { ...words, $ref: `#/definitions/${name}` };
}

/**
 * A simple value, or `more` where it has another type. The form of the other type stands in a branch of its own:
 * editors that see it beside the simple one insert it whenever the key is completed.
 */
export function either(simple: Schema, type: 'object' | 'array', more: Schema): Schema {
  const types = Array.isArray(simple['type']) ? simple['type'] : [simple['type']];
  return { ...simple, type: [...types, type], if: { type }, then: more };
}

/**
 * One word of a fixed set, or an object. Each form stands in a branch of its own, as above; editors look for words to complete only
 * outside of branches, and find them in snippets there.
 */
export function wordOr(head: Schema, meanings: Readonly<Record<string, string>>, more: Schema): Schema {
  const snippets = Object.entries(meanings).map(([word, meaning]) => snippet(word, meaning, word));
  return {
    ...head,
    type: ['string', 'object'],
    defaultSnippets: snippets,
    if: { type: 'object' },
    then: more,
    // What is neither has one mistake, not two.
    else: { if: { type: 'string' }, then: members(meanings) },
  };
}

/** Requires `fallback` where none of `others` is given, so that the message names one key and not a riddle. */
export function needsOneOf(fallback: string, others: readonly string[]): Schema {
  return {
    // The fallback stands first, because validators stop at the first that does not hold: most objects have it.
    if: { allOf: [fallback, ...others].map(key => ({ not: { required: [key] } })) },
    then: { required: [fallback] },
  };
}

/** A snippet of an editor: an object body, because list bodies come out broken. */
export function snippet(label: string, description: string, body: unknown): Schema {
  return { label, description, body };
}

// The rules that texts follow. The messages read on from "<where> is "x", but ...".

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

/** One spelling for each; what proves who calls is for the server alone. */
export const headerName: Rule = {
  pattern: "^(?!(?:proxy-)?authorization$|(?:set-)?cookie$)[!#$%&'*+.^_`|~0-9a-z-]+$",
  patternErrorMessage:
    'a header name is written in lower case, such as x-tenant; authorization and cookie never reach handlers, which have ctx.auth instead',
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

export const flagName: Rule = {
  pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
  patternErrorMessage: 'a flag is written without its dashes, in lower case: read-only',
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
