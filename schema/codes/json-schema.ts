import { code, quote } from './entry.js';

/** JSON Schemas inside definitions. What real servers get away with is a warning in raw schemas and an error in the shorthand. */
export const jsonSchemaCodes = {
  'schema/keyword': code<{ keyword: string; reason: string }>({
    severity: 'error',
    message: ({ keyword, reason }) => `the JSON Schema keyword ${quote(keyword)} ${reason}`,
    cause: 'The keyword has a form that its dialect does not allow.',
    fix: 'Use the form of the dialect, or declare the dialect with $schema.',
  }),
  'schema/root': code<{ actual: string }>({
    severity: 'error',
    message: ({ actual }) => `the root of the schema must have "type": "object", but has ${actual}`,
    cause: 'The protocol passes arguments as one object.',
    fix: 'Set `type: object` at the root.',
  }),
  'schema/dangling-ref': code<{ ref: string }>({
    severity: 'error',
    message: ({ ref }) => `the reference ${quote(ref)} leads nowhere`,
    cause: 'A $ref must point to a place inside the same schema.',
    fix: 'Correct the pointer, or add the definition under $defs.',
  }),
  'schema/remote-ref': code<{ ref: string }>({
    severity: 'error',
    message: ({ ref }) => `the reference ${quote(ref)} leads out of the schema; nothing is ever fetched`,
    cause: 'Schemas are self-contained, so that reading a pack never depends on a network or on other files.',
    fix: 'Copy the definition under $defs.',
  }),
  'schema/ref-cycle': code<{ ref: string }>({
    severity: 'error',
    message: ({ ref }) =>
      `the reference ${quote(ref)} leads back to itself: checking a value against it would never end`,
    cause: 'A schema refers to itself for the same value. Only parts of a value (properties, items) may refer back.',
    fix: 'Let one of the references lead to a schema that describes the value.',
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
    cause: 'Equal members say nothing more, so that another one was probably meant.',
    fix: 'Correct or remove one of them.',
  }),
  'schema/unknown-format': code<{ format: string }>({
    severity: 'warning',
    message: ({ format }) => `nobody checks the format ${quote(format)}: it is not a known one`,
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
    message: ({ dialect }) => `schemas of this pack declare ${dialect}; the protocol's dialect is 2020-12`,
    cause: 'Older dialects are honoured in validation, but newer clients refuse tools whose outputSchema uses one.',
    fix: 'Remove $schema if the schema uses no keyword that changed.',
  }),
  'schema/unknown-dialect': code<{ dialect: string }>({
    severity: 'warning',
    message: ({ dialect }) => `unknown dialect ${quote(dialect)}; the schema is read as 2020-12`,
    cause: 'Schemas are validated by the rules of draft-07, 2019-09 or 2020-12.',
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
    cause: 'Validators and type checkers see the inherited member where the property is absent.',
    fix: 'Choose another property name.',
  }),
  'schema/uncheckable': code<{ reason: string }>({
    severity: 'warning',
    message: ({ reason }) => `defaults and examples of this schema cannot be checked: ${reason}`,
    cause: 'The validator could not be built from the schema.',
    fix: 'Correct what the message names.',
  }),
  'example/input': code<{ example: string; reason: string }>({
    severity: 'error',
    message: ({ example, reason }) => `the input of example ${quote(example)} does not match the tool: ${reason}`,
    cause: 'Examples are run as tests and served as mocks, so their input must be a valid call.',
    fix: 'Correct the example or the parameters. An example of a refused call has `error: BAD_ARGUMENTS`.',
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
    cause: 'An expected error must be one of `errors`, or a code of the runtime itself.',
    fix: 'Declare it under `errors`, or correct the code.',
  }),
} as const;
