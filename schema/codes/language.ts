import { code, enumerate, quote } from './entry.js';

/** The shape of manifests and definitions. `where` is a dotted path, or "the document". */
export const languageCodes = {
  'validate/unknown-key': code<{ key: string; where: string }>({
    severity: 'error',
    message: ({ key, where }) => `unknown key ${quote(key)} in ${where}`,
    cause: 'The language has no such key here; ignoring it would hide a typo.',
    fix: 'Correct the key. Data of your own goes under `_meta`.',
  }),
  'validate/missing-key': code<{ keys: readonly string[]; where: string }>({
    severity: 'error',
    message: ({ keys, where }) => `${where} needs the key${keys.length > 1 ? 's' : ''} ${enumerate(keys)}`,
    cause: 'Required keys are missing.',
    fix: 'Add what is missing.',
  }),
  'validate/type': code<{ where: string; expected: string; actual: string }>({
    severity: 'error',
    message: ({ where, expected, actual }) => `${where} must be ${expected}, not ${actual}`,
    cause:
      'The value has a different type than expected. YAML reads 1.10 as a number and yes as a string: put strings in quotes, and write true or false.',
    fix: 'Write a value of that type.',
  }),
  'validate/value': code<{ where: string; allowed: readonly string[]; actual: string }>({
    severity: 'error',
    message: ({ where, allowed, actual }) =>
      `${where} must be ${allowed.length > 12 ? `one of ${allowed.length} values` : enumerate(allowed, 'or')}, not ${actual}`,
    cause: 'Only the listed values are allowed.',
    fix: 'Use one of them.',
  }),
  'validate/pattern': code<{ where: string; actual: string; rule: string }>({
    severity: 'error',
    message: ({ where, actual, rule }) => `${where} is ${quote(actual)}, but ${rule}`,
    cause: 'The text breaks the rule for values of this key.',
    fix: 'Change the text so that it follows the rule.',
  }),
  'validate/limit': code<{ where: string; rule: string }>({
    severity: 'error',
    message: ({ where, rule }) => `${where} ${rule}`,
    cause: 'A number, a length or a count is outside its limits.',
    fix: 'Change the value so that it is within the limit.',
  }),
  'validate/key-name': code<{ key: string; rule: string }>({
    severity: 'error',
    message: ({ key, rule }) => `the key ${quote(key)} is not valid: ${rule}`,
    cause: 'Keys of this map are names and follow a rule.',
    fix: 'Rename the key.',
  }),
  'validate/conflict': code<{ keys: readonly string[]; where: string }>({
    severity: 'error',
    message: ({ keys, where }) => `${where} may have only one of ${enumerate(keys)}`,
    cause: 'The keys say the same thing in two ways, and neither wins.',
    fix: 'Keep one of them.',
  }),
  'validate/whole-schema': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `${key} is a map from names to types, but this is a whole JSON Schema`,
    cause:
      'In the shorthand each key is the name of a parameter (or of a part of the output): `city: { type: string }`. A schema with `type: object` and `properties` belongs under inputSchema or outputSchema.',
    fix: 'Write inputSchema (outputSchema), or list what is under `properties`.',
  }),
  'validate/required-list': code<{ where: string }>({
    severity: 'error',
    message: ({ where }) => `"required" of ${where} is true or false here, not a list`,
    cause:
      'In the parameters shorthand each parameter says itself whether it is required; the list belongs to JSON Schema.',
    fix: 'Write `required: false` on the optional ones, or write the whole schema under inputSchema.',
  }),
  'validate/required-default': code<{ where: string }>({
    severity: 'error',
    message: ({ where }) => `${where} is required and has a default: the default could never apply`,
    cause: 'A parameter with a default is optional for callers; `required: true` contradicts it.',
    fix: 'Remove one of the two.',
  }),
  'validate/wrong-kind': code<{ expected: string; actual: string; keys: readonly string[] }>({
    severity: 'error',
    message: ({ expected, actual, keys }) =>
      `a ${expected} is expected here, but the definition is a ${actual} (it has ${enumerate(keys)})`,
    cause: 'The folder or combined file determines the kind of an item, and the definition is of another kind.',
    fix: 'Move the definition to the folder of its kind.',
  }),
} as const;
