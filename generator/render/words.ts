// Words of JavaScript and TypeScript. In: names from manifests. Out: whether and how they can be used in code.

/** Never names of variables in modules, which are strict code. */
const reserved: ReadonlySet<string> = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof var void while with yield`.split(/\s+/),
);

/** Names that a module has already, or that compilers keep for themselves at the top of one. */
const taken: ReadonlySet<string> = new Set(
  'Object Promise exports generated globalThis handlers module prompts require resources tools undefined'.split(' '),
);

/**
 * Tells whether a string is one identifier, reserved or not.
 *
 * @example isIdentifier('größe') // true
 * @example isIdentifier('issue-key') // false
 */
export function isIdentifier(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(text);
}

/** Tells whether a function may call a parameter so. */
export function isParameterName(text: string): boolean {
  return isIdentifier(text) && !reserved.has(text);
}

/**
 * A name for a variable at the top of a module: the wanted one, or that with underscores before it.
 *
 * @example localName('delete', new Set()) // '_delete'
 */
export function localName(wanted: string, used: ReadonlySet<string>): string {
  let name = wanted;
  while (reserved.has(name) || taken.has(name) || used.has(name)) name = `_${name}`;
  return name;
}
