import { code, enumerate, quote } from './entry.js';

export interface Hidden {
  /** How many in a row. */
  readonly count: number;
  /** The first of them. */
  readonly character: string;
}

const others = ({ count }: Hidden): string => (count > 1 ? ` and ${count - 1} more` : '');

/**
 * The shape of manifests and definitions (`where` is a dotted path, or "the document"), JSON Schemas inside them, and characters that people
 * do not see. What real servers get away with is a warning in raw schemas and an error in the shorthand.
 */
export const languageCodes = {
  'validate/unknown-key': code<{ key: string; where: string }>({
    severity: 'error',
    message: ({ key, where }) => `unknown key ${quote(key)} in ${where}`,
    cause: 'This key does not exist here. If it were ignored, a typo would go unnoticed.',
    fix: 'Correct the key. Your own data goes under `_meta`.',
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
    cause: 'Values of this key must follow a rule, and this text does not.',
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
    cause: 'The keys of this map are names, and names must follow a rule.',
    fix: 'Rename the key.',
  }),
  'validate/conflict': code<{ keys: readonly string[]; where: string }>({
    severity: 'error',
    message: ({ keys, where }) => `${where} may have only one of ${enumerate(keys)}`,
    cause: 'The keys are two ways to say the same thing, and neither overrides the other.',
    fix: 'Keep one of them.',
  }),
  'validate/flow-comma': code<{ where: string; kept: string }>({
    severity: 'error',
    message: ({ where, kept }) => `a comma inside { } begins a new key, so ${where} is only ${quote(kept)}`,
    cause: 'Inside { }, YAML separates keys with commas. Text with a comma needs quotes there.',
    fix: 'Put the text in quotes.',
  }),
  'validate/missing-space': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `a space is missing after ${quote(`${key}:`)}`,
    cause: 'In YAML a colon ends a key only if a space follows. Without it, all of it is one key without a value.',
    fix: 'Put a space after the colon.',
  }),
  'validate/indentation': code<{ name: string; keys: readonly string[] }>({
    severity: 'error',
    message: ({ name, keys }) =>
      `${enumerate(keys)} ${keys.length > 1 ? 'belong' : 'belongs'} under ${quote(name)}, but ${keys.length > 1 ? 'are' : 'is'} not indented`,
    cause: 'A key without a value is followed by keys in the same column that make sense only below it.',
    fix: 'Indent these lines.',
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
    message: ({ where }) => `"required" of ${where} must be true or false, not a list`,
    cause: 'In the parameters shorthand, each parameter has its own `required`; a list of names is JSON Schema.',
    fix: 'Write `required: false` on the optional ones, or write the whole schema under inputSchema.',
  }),
  'validate/required-default': code<{ where: string }>({
    severity: 'error',
    message: ({ where }) => `${where} is required and has a default, which would never be used`,
    cause: 'A parameter with a default is optional for callers; `required: true` contradicts it.',
    fix: 'Remove one of the two.',
  }),
  'validate/wrong-kind': code<{ expected: string; actual: string; keys: readonly string[] }>({
    severity: 'error',
    message: ({ expected, actual, keys }) =>
      `a ${expected} is expected here, but the definition is a ${actual} (it has ${enumerate(keys)})`,
    cause: 'The folder or combined file determines the kind of an item, and this definition is of a different kind.',
    fix: 'Move the definition to the folder for its kind.',
  }),
  'schema/keyword': code<{ keyword: string; reason: string }>({
    severity: 'error',
    message: ({ keyword, reason }) => `the JSON Schema keyword ${quote(keyword)} ${reason}`,
    cause: 'The keyword has a form that its dialect does not allow.',
    fix: 'Use the form that the dialect allows, or declare another dialect with $schema.',
  }),
  'schema/root': code<{ actual: string }>({
    severity: 'error',
    message: ({ actual }) => `the root of the schema must have "type": "object", but has ${actual}`,
    cause: 'The protocol passes arguments as one object.',
    fix: 'Set `type: object` at the root.',
  }),
  'schema/dangling-ref': code<{ ref: string }>({
    severity: 'error',
    message: ({ ref }) => `the reference ${quote(ref)} points to nothing`,
    cause: 'A $ref must point to a place inside the same schema.',
    fix: 'Correct the pointer, or add the definition under $defs.',
  }),
  'schema/remote-ref': code<{ ref: string }>({
    severity: 'error',
    message: ({ ref }) => `the reference ${quote(ref)} points outside the schema, and nothing is ever fetched`,
    cause: 'Schemas are self-contained, so that reading a pack never depends on a network or on other files.',
    fix: 'Copy the definition under $defs, or make it a shared schema: mcp/schemas/<name>.yaml, `$ref: schema:<name>`.',
  }),
  'schema/unknown-shared': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `there is no shared schema ${quote(name)}`,
    cause:
      '`$ref: schema:<name>` refers to a schema in mcp/schemas/ or mcp/schemas.yaml, and `schema:<pack>/<name>` to one of another pack.',
    fix: 'Correct the name, or define the schema: `toolwright add schema <name>`.',
  }),
  'schema/broken-shared': code<{ name: string; broken: string }>({
    severity: 'error',
    message: ({ name, broken }) =>
      name === broken
        ? `the shared schema ${quote(name)} has mistakes`
        : `the shared schema ${quote(name)} refers to ${quote(broken)}, which has mistakes`,
    cause: 'What refers to a schema with mistakes cannot be served.',
    fix: 'Correct the mistakes in the shared schema. They are reported where it is written.',
  }),
  'schema/shared-dialect': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) =>
      `the shared schema ${quote(name)} is written in another dialect than the schema that refers to it`,
    cause: 'A document has one dialect, and shared schemas become part of the schemas that refer to them.',
    fix: 'Remove $schema from one of them, or write the same in both.',
  }),
  'schema/shared-base': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `${quote(`schema:${name}`)} stands below an $id, where references begin at another root`,
    cause: 'Shared schemas are put under $defs at the root, which references below an $id of their own do not reach.',
    fix: 'Remove the $id.',
  }),
  'schema/data-ref': code<{ name: string; keyword: string }>({
    severity: 'warning',
    message: ({ name, keyword }) => `${quote(`$ref: schema:${name}`)} below ${keyword} is a value, not a reference`,
    cause: 'The keywords const, default, enum and examples hold values, in which $ref is a key like any other.',
    fix: 'Write the value itself.',
  }),
  'schema/ref-cycle': code<{ ref: string }>({
    severity: 'error',
    message: ({ ref }) =>
      `the reference ${quote(ref)} refers to itself: checking a value against it would never finish`,
    cause: 'A schema refers to itself for the same value. Only parts of a value (properties, items) may refer back.',
    fix: 'Make one of the references point to a schema that describes the value.',
  }),
  'schema/regex': code<{ pattern: string; reason: string }>({
    severity: 'error',
    message: ({ pattern, reason }) => `${quote(pattern)} is not a valid regular expression: ${reason}`,
    cause: 'Patterns are JavaScript regular expressions with the flag u.',
    fix: 'Correct the pattern. In YAML, single quotes keep backslashes as they are.',
  }),
  'schema/unknown-required': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `"required" names the property ${quote(name)}, which is not described`,
    cause: 'A required property that is not described accepts any value, or none if additional properties are refused.',
    fix: 'Describe it under properties, or correct the name.',
  }),
  'schema/invalid-default': code<{ reason: string }>({
    severity: 'warning',
    message: ({ reason }) => `the default does not match its own schema: ${reason}`,
    cause: 'A default that the schema refuses makes every call without the argument fail.',
    fix: 'Correct the default or the schema.',
  }),
  'schema/invalid-example': code<{ reason: string }>({
    severity: 'warning',
    message: ({ reason }) => `the example does not match its own schema: ${reason}`,
    cause: 'Models imitate examples, so a wrong one teaches wrong calls.',
    fix: 'Correct the example or the schema.',
  }),
  'schema/enum-type': code<{ member: string; expected: string }>({
    severity: 'warning',
    message: ({ member, expected }) =>
      `the enum member ${member} does not have the type ${expected}, so no value can ever match it`,
    cause: 'The members of an enum contradict the type beside it.',
    fix: 'Correct the member (YAML reads 1.10 as a number: quote it) or the type.',
  }),
  'schema/duplicate-enum': code<{ member: string }>({
    severity: 'warning',
    message: ({ member }) => `the enum has the member ${member} twice`,
    cause: 'A repeated member has no effect; another one was probably meant.',
    fix: 'Correct or remove one of them.',
  }),
  'schema/unknown-format': code<{ format: string }>({
    severity: 'warning',
    message: ({ format }) => `unknown format ${quote(format)}: no value is checked against it`,
    cause: 'A format that validators do not know lets every value pass.',
    fix: 'Correct the name, or say what is meant with `pattern` or in the description.',
  }),
  'schema/empty-range': code<{ least: string; most: string }>({
    severity: 'warning',
    message: ({ least, most }) => `no value fits both ${quote(least)} and ${quote(most)}`,
    cause: 'The lower limit is above the upper one, so every value is refused.',
    fix: 'Correct one of them; often they are swapped.',
  }),
  'schema/dialect': code<{ dialect: string }>({
    severity: 'info',
    message: ({ dialect }) => `schemas in this pack declare ${dialect}; the protocol's dialect is 2020-12`,
    cause: 'Older dialects are honoured in validation, but newer clients refuse tools whose outputSchema uses one.',
    fix: 'Remove $schema if the schema uses no keyword that changed.',
  }),
  'schema/unknown-dialect': code<{ dialect: string }>({
    severity: 'warning',
    message: ({ dialect }) => `unknown dialect ${quote(dialect)}; the schema is read as 2020-12`,
    cause: 'Schemas can use draft-07, 2019-09 or 2020-12.',
    fix: 'Remove $schema, or name one of these dialects.',
  }),
  'schema/header': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `the parameter cannot be sent as a header: ${reason}`,
    cause: 'A parameter with `header` is repeated as the HTTP header Mcp-Param-<name>; only simple values fit there.',
    fix: 'Use a string, integer or boolean parameter, and a header name that no other parameter has.',
  }),
  'schema/inherited-name': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) =>
      `every JavaScript object has a member ${quote(name)}; a property of this name confuses validators and types`,
    cause: 'If the property is absent, validators and type checkers see the inherited member instead.',
    fix: 'Choose another property name.',
  }),
  'schema/optional-name': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `${quote(name)} does not make the parameter optional: the ? is part of its name`,
    cause:
      'A question mark after the name is TypeScript syntax. In a manifest, `required: false` or a default makes a parameter optional.',
    fix: 'Remove the question mark, and write `required: false`.',
  }),
  'schema/property-name': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `many models cannot call a tool with a parameter named ${quote(name)}`,
    cause:
      'Model providers accept names of 1 to 64 letters, digits, dots, dashes and underscores, and refuse a tool with any other.',
    fix: 'Rename the parameter.',
  }),
  'schema/idle-keyword': code<{ keyword: string; type: string }>({
    severity: 'warning',
    message: ({ keyword, type }) => `${quote(keyword)} has no effect on the type ${type}`,
    cause: 'Every JSON Schema keyword applies to certain types, and is ignored for all others.',
    fix: 'Use the keyword for this type, or correct the type.',
  }),
  'schema/uncheckable': code<{ reason: string }>({
    severity: 'warning',
    message: ({ reason }) => `defaults and examples in this schema cannot be checked: ${reason}`,
    cause: 'The validator could not be built from the schema.',
    fix: 'Correct what the message names.',
  }),
  'example/input': code<{ example: string; reason: string }>({
    severity: 'error',
    message: ({ example, reason }) => `the input of example ${quote(example)} does not match the tool: ${reason}`,
    cause: 'Examples are run as tests and served as mocks, so their input must be a valid call.',
    fix: 'Correct the example or the parameters. If the call is meant to be refused, write `error: BAD_ARGUMENTS` in the example.',
  }),
  'example/output': code<{ example: string; reason: string }>({
    severity: 'error',
    message: ({ example, reason }) => `the output of example ${quote(example)} does not match the tool: ${reason}`,
    cause: 'Examples are served as mocks, so their output must be a valid result.',
    fix: 'Correct the example or the output schema.',
  }),
  'example/error': code<{ example: string; code: string }>({
    severity: 'error',
    message: ({ example, code: name }) =>
      `example ${quote(example)} expects the error ${quote(name)}, which the tool does not declare`,
    cause: "An expected error must be declared under `errors`, or be one of the runtime's own codes.",
    fix: 'Declare it under `errors`, or correct the code.',
  }),
  'text/placeholder': code<{ text: string }>({
    severity: 'warning',
    message: ({ text }) => `${quote(text)} is a placeholder that toolwright add wrote`,
    cause:
      'A model reads these texts to decide when to call a tool and with which arguments. A placeholder tells it nothing.',
    fix: 'Write what it does or means.',
  }),
  'text/bidi-control': code<Hidden>({
    severity: 'error',
    message: hidden =>
      `the text has the invisible ${hidden.character}${others(hidden)}, which changes the order in which the text is shown`,
    cause:
      'Bidirectional controls make text look different from what a model reads, so nobody can review it. Models read in logical order and do not need them.',
    fix: 'Remove the character. Text in Arabic or Hebrew is shown correctly without it.',
  }),
  'text/tag-character': code<Hidden>({
    severity: 'error',
    message: hidden => `the text has the invisible tag character ${hidden.character}${others(hidden)}`,
    cause: 'Tag characters are copies of ASCII that nobody sees but many models read: they carry hidden instructions.',
    fix: 'Remove them. The only emoji that need them are the flags of England, Scotland and Wales.',
  }),
  'text/zero-width': code<Hidden>({
    severity: 'warning',
    message: hidden => `the text has the invisible ${hidden.character}${others(hidden)}`,
    cause:
      'There is a zero-width character where neither an emoji nor the script of the word needs one. It splits words for models and searches, and can mark or hide text.',
    fix: 'Remove it; it often comes with text copied from a web page.',
  }),
} as const;
