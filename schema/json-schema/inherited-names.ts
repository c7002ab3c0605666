// The names under which every object has something, even if nobody gave it to them: `{}` has a `toString`.
// By name, not by looking at Object.prototype: what counts is every engine that may run a validator.
const inheritedNames: ReadonlySet<string> = new Set([
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

/**
 * Tells whether objects inherit something under a name.
 *
 * @example isInheritedName('toString') // true
 */
export function isInheritedName(name: string): boolean {
  return inheritedNames.has(name);
}
