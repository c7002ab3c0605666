import { code, quote } from './entry.js';

/** What stands in place of handlers. */
export const backendCodes = {
  'backend/syntax': code<{ tag: string; reason: string }>({
    severity: 'error',
    message: ({ tag, reason }) => `${quote(tag)} is not a placeholder: ${reason}`,
    cause: '{name} is an argument and {config.X} a setting; {{ and }} are literal braces.',
    fix: 'Correct the placeholder.',
  }),
  'backend/unknown-placeholder': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `${quote(name)} is not a parameter of the item`,
    cause: 'A placeholder stands for a parameter of the tool, or for a variable of the address of a resource.',
    fix: 'Correct the name, or declare the parameter.',
  }),
  'backend/unknown-config': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `there is no key ${quote(name)} in \`config\``,
    cause: 'Settings and secrets come from `config` in toolwright.yaml.',
    fix: 'Correct the name, or add it to `config` in toolwright.yaml.',
  }),
  'backend/wrong-place': code<{ tag: string; what: string; place: string }>({
    severity: 'error',
    message: ({ tag, what, place }) => `${quote(tag)} is ${what}, which cannot stand in ${place}`,
    cause:
      'Arguments never choose a program or a backend. Settings stand in backends, in header values and in `cwd` and `env` of programs; secrets only in `auth`, in headers, in variables and in the address of a database, so that no log or process list shows them.',
    fix: 'Move it to a place where it may stand.',
  }),
  'backend/unfit-type': code<{ name: string; type: string; place: string }>({
    severity: 'error',
    message: ({ name, type, place }) => `${quote(name)} is ${type}, which cannot be part of ${place}`,
    cause:
      'Only strings, numbers and booleans become part of a string. A lone placeholder may be a list in `args`, `query` and `headers`, and anything in a body.',
    fix: 'Let the placeholder stand alone, say how it is written with `style`, or change the type of the parameter.',
  }),
  'backend/unused-parameter': code<{ name: string; key: string }>({
    severity: 'warning',
    message: ({ name, key }) => `nothing in \`${key}\` uses the parameter ${quote(name)}`,
    cause: 'Models fill in a parameter that has no effect.',
    fix: 'Use it, or remove it.',
  }),
  'backend/optional-segment': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `${quote(name)} stands in a path, and may be absent`,
    cause: 'Without a value the path would be another one, so such a call is refused.',
    fix: 'Make the parameter required, or give it a default.',
  }),
  'backend/loose-argument': code<{ tag: string; reason: string }>({
    severity: 'error',
    message: ({ tag, reason }) => `${quote(tag)} could become an option: ${reason}`,
    cause: 'Programs read arguments that begin with a dash as options, and the model chooses the value.',
    fix: 'Write "--" before it, or --option={name}.',
  }),
  'backend/lost-value': code<{ name: string; option: string }>({
    severity: 'warning',
    message: ({ name, option }) =>
      `${quote(name)} may be absent, and ${option} would take the next argument for its value`,
    cause: 'A word without a value is left out, and the option before it stays.',
    fix: 'Write --option={name}, or { if: name, args: [--option, "{name}"] }.',
  }),
  'backend/code-value': code<{ tag: string; reason: string }>({
    severity: 'error',
    message: ({ tag, reason }) => `${quote(tag)} would be code: ${reason}`,
    cause: 'What an interpreter runs is the choice of the author alone: no quoting makes a value safe there.',
    fix: 'Run the program itself, or let the code be fixed and give it the value as an argument: [-c, "wc -c < \\"$1\\"", "--", "{file}"].',
  }),
  'backend/idle-match': code<{ match: string; error: string; reason: string }>({
    severity: 'warning',
    message: ({ match, error, reason }) => `${quote(match)} never becomes ${error}: ${reason}`,
    cause:
      'What `match` is compared with depends on what does the work: HTTP statuses for `http`, exit codes and signals for `exec`, SQLSTATE or codes of the driver for `sql`. Codes such as UPSTREAM_TIMEOUT can stand beside all of them.',
    fix: 'Correct the value, or remove it.',
  }),
  'backend/idle-key': code<{ key: string; beside: string }>({
    severity: 'warning',
    message: ({ key, beside }) => `${quote(key)} does nothing beside \`${beside}\``,
    cause: 'The key is about handlers, and the item has none.',
    fix: 'Remove the key.',
  }),
  'backend/unknown': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `there is no backend ${quote(name)}`,
    cause: 'Backends are declared under `backends` in toolwright.yaml.',
    fix: 'Correct the name, or declare the backend.',
  }),
  'backend/wrong-type': code<{ name: string; type: string; key: string }>({
    severity: 'error',
    message: ({ name, type, key }) =>
      `the backend ${quote(name)} has the type ${type}, and \`${key}\` needs another one`,
    cause: '`http` needs a backend of type http, `sql` one of type sqlite, postgres or sql, `mcp` one of type mcp.',
    fix: 'Name another backend, or use another key.',
  }),
  'backend/not-named': code<{ key: string; count: number }>({
    severity: 'error',
    message: ({ key, count }) =>
      count === 0
        ? `toolwright.yaml has no backend for \`${key}\``
        : `toolwright.yaml has ${count} backends for \`${key}\`: name one of them`,
    cause: 'The name of the backend may be left out only where the pack has exactly one of that kind.',
    fix: 'Declare it under `backends` in toolwright.yaml, or write `backend: <name>`.',
  }),
  'backend/statement': code<{ tag: string; reason: string }>({
    severity: 'error',
    message: ({ tag, reason }) => `${quote(tag)} ${reason}`,
    cause: 'A statement has values as :name and identifiers as {name}. It is one statement.',
    fix: 'Correct the statement.',
  }),
  'backend/quoted-placeholder': code<{ tag: string; reason: string }>({
    severity: 'warning',
    message: ({ tag, reason }) => `${quote(tag)} ${reason}`,
    cause:
      'Nothing is filled into literals, quoted names and comments of statements, and into names of members, headers and variables.',
    fix: 'Move it outside, or write it in another way if it is meant.',
  }),
  'backend/identifier': code<{ tag: string; name: string }>({
    severity: 'error',
    message: ({ tag, name }) => `${quote(tag)} is an identifier, and ${quote(name)} can be any string`,
    cause: 'Identifiers become part of the statement, so the author lists them.',
    fix: 'Give the parameter an `enum` of strings, or bind the value as :name.',
  }),
  'backend/shared-address': code<{ text: string }>({
    severity: 'error',
    message: ({ text }) => `${quote(text)} mixes a placeholder with other text in \`url\``,
    cause: 'An argument that is a part of an address could change where the request goes.',
    fix: 'Let the placeholder stand alone, or declare a backend and use `path`.',
  }),
  'backend/address': code<{ name: string; expected: string }>({
    severity: 'error',
    message: ({ name, expected }) => `the \`url\` of ${quote(name)} is not ${expected}`,
    cause: 'The type of a backend says what its address looks like.',
    fix: 'Correct the address, or take it from the configuration with {config.X}.',
  }),
  'backend/open-secret': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `${quote(name)} is used as a secret, and \`config\` does not say \`secret: true\``,
    cause: 'Only secrets are kept out of results, errors and logs.',
    fix: 'Write `secret: true` for it in `config`.',
  }),
} as const;
