// The types of forms.gen.js, which schema/source/make.ts writes.

/** The definitions of the language by name, as plain draft-07 schemas; a `$ref` is such a name. */
export const forms: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
