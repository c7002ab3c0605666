import { code, quote } from './entry.js';

/** What operators set from outside (configuration, options, keys), and what `toolwright test` finds. */
export const runningCodes = {
  'config/wrong-type': code<{ name: string; expected: string; actual: string }>({
    severity: 'error',
    message: ({ name, expected, actual }) => `${name} must be ${expected}, ${actual}`,
    cause: 'An environment variable does not have the type that `config` in toolwright.yaml says.',
    fix: 'Set the variable to a value of that type, or unset it.',
  }),
  'config/not-allowed': code<{ name: string; expected: string; actual: string }>({
    severity: 'error',
    message: ({ name, expected, actual }) => `${name} must be ${expected}, ${actual}`,
    cause: 'An environment variable has the right type, but `config` in toolwright.yaml does not allow its value.',
    fix: 'Set the variable to an allowed value, or unset it.',
  }),
  'config/unfit': code<{ name: string; tool: string; parameter: string; reason: string }>({
    severity: 'error',
    message: ({ name, tool, parameter, reason }) =>
      `${name} cannot be the parameter ${quote(parameter)} of the tool ${quote(tool)}: ${reason}`,
    cause: 'The parameter takes its value from the configuration (`from`), and does not allow this one.',
    fix: 'Set the variable to a value that the parameter allows, or unset it: then callers choose.',
  }),
  'config/short-secret': code<{ name: string; least: number }>({
    severity: 'warning',
    message: ({ name, least }) =>
      `the secret ${name} has fewer than ${least} characters, which is too short to be kept out of logs and results`,
    cause: 'Secret values are replaced wherever they appear, and a value this short also appears by chance.',
    fix: 'Use a longer secret.',
  }),
  'config/secret-default': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `the secret ${name} has a default, which everyone who reads this file can see`,
    cause:
      'Manifests are committed and published, and defaults appear in documentation. A secret must come from outside.',
    fix: 'Remove the default, or `secret: true` if the value is not secret.',
  }),
  'config/file': code<{ name: string; path: string; reason: string }>({
    severity: 'error',
    message: ({ name, path, reason }) => `${name}_FILE names ${path}, which cannot be read: ${reason}`,
    cause:
      'A variable that ends in _FILE names the file with the value of a config key, and the file is missing or unusable.',
    fix: 'Correct the path, which is relative to the working folder, or unset the variable.',
  }),
  'config/flag-taken': code<{ flag: string; owner: string }>({
    severity: 'error',
    message: ({ flag, owner }) => `the flag --${flag} ${owner}`,
    cause:
      'On the command line of a server every flag has one meaning. Servers have options of their own, and a boolean key also has `--no-<flag>`.',
    fix: 'Choose another name for the flag.',
  }),
  'config/argument-taken': code<{ argument: number | 'rest'; other: string }>({
    severity: 'error',
    message: ({ argument, other }) => `argument ${argument} belongs to ${other}`,
    cause: 'Two config keys have the same place on the command line.',
    fix: 'Give each key a place of its own: 1, 2, and so on; one key may have `rest`.',
  }),
  'config/argument-gap': code<{ place: number; before: number }>({
    severity: 'error',
    message: ({ place, before }) => `there is an argument ${place}, but no argument ${before}`,
    cause: 'Places on the command line are counted from 1, and each word goes to the next place.',
    fix: 'Count the places from 1 without gaps.',
  }),
  'config/rest-of-one': code<{ name: string; type: string }>({
    severity: 'error',
    message: ({ name, type }) => `"rest" may be several words, and ${name} has one value (type ${type})`,
    cause: '`argument: rest` takes all words that are left on the command line, so that the key is a list.',
    fix: 'Write `type: array`, or the place of the one word: `argument: 1`.',
  }),
  'config/visible-secret': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) =>
      `the secret ${name} can be given on the command line, which other users of the machine can see`,
    cause:
      'Command lines are listed by tools such as ps, and kept in the history of shells and in the settings of clients.',
    fix: 'Remove the flag: set the variable, or name a file with the secret in NAME_FILE.',
  }),
  'config/env-line': code<{ reason: string }>({
    severity: 'warning',
    message: ({ reason }) => `this line sets no variable: ${reason}`,
    cause: 'A line in an env file, such as .env, is neither NAME=value nor a comment. All other lines are used.',
    fix: 'Write NAME=value, with quotes around a value that has spaces, # or several lines; or put # in front of the line. Lines are not shown, because they may hold secrets.',
  }),
  'options/json': code<{ reason: string }>({
    severity: 'warning',
    message: ({ reason }) => `TOOLWRIGHT_OPTIONS is ignored: ${reason}`,
    cause: 'TOOLWRIGHT_OPTIONS must be JSON of the form {"item": {"option": value}}.',
    fix: 'Correct the JSON. Until then every option has its default value.',
  }),
  'options/unknown-tool': code<{ item: string }>({
    severity: 'warning',
    message: ({ item }) => `TOOLWRIGHT_OPTIONS sets options for the unknown tool ${quote(item)}`,
    cause: 'Options are set by item name, or by pack/item.',
    fix: 'Correct the name.',
  }),
  'options/unknown-option': code<{ option: string; item: string }>({
    severity: 'warning',
    message: ({ option, item }) => `${quote(item)} has no option ${quote(option)}`,
    cause: 'TOOLWRIGHT_OPTIONS sets an option that the tool does not declare.',
    fix: 'Correct the name.',
  }),
  'options/wrong-type': code<{ option: string; item: string; expected: string }>({
    severity: 'warning',
    message: ({ option, item, expected }) =>
      `the option ${quote(option)} of ${quote(item)} must be ${expected}; its default is used`,
    cause: 'TOOLWRIGHT_OPTIONS sets an option to a value that the tool does not allow.',
    fix: 'Write a value of the declared type.',
  }),
  'runtime/state-key': code<{ length: number; least: number }>({
    severity: 'error',
    message: ({ length, least }) => `TOOLWRIGHT_STATE_KEY has ${length} characters; it needs at least ${least}`,
    cause: 'The key protects what clients carry between the rounds of a question; a short one can be guessed.',
    fix: 'Set it to the output of `openssl rand -base64 32`, the same for all replicas, or unset it for a single process.',
  }),
  'test/wrong-output': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} returns a different result: ${reason}`,
    cause: 'The handler returns something other than what the example expects or the output schema allows.',
    fix: 'Correct the handler or the example. An example without `output` is only checked against the schema.',
  }),
  'test/unexpected-error': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} fails: ${reason}`,
    cause: 'The example expects a result, but the call ends with an error.',
    fix: 'Correct the tool, or, if the error is intended, write its code under `error`.',
  }),
  'test/wrong-error': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} should fail differently: ${reason}`,
    cause: 'The example names an error, but the call succeeds or returns a different one.',
    fix: 'Correct the tool, or the code under `error`.',
  }),
  'test/contract': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} breaks the contract that all tools and prompts share: ${reason}`,
    cause: 'Clients rely on every tool being listed with a description and refusing arguments that its schema refuses.',
    fix: 'Give the item a description, and do not accept arguments in code that the schema refuses.',
  }),
  'test/conformance': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} in the official conformance suite fails: ${reason}`,
    cause:
      'The server does not answer as the protocol says, or the suite expects a feature that this server does not have.',
    fix: 'Run the scenario by itself to see its checks: npx @modelcontextprotocol/conformance server --url <url> --scenario <name>.',
  }),
  'test/no-answer': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} got no answer: ${reason}`,
    cause: "The server ended, or did not answer within the tool's time limit.",
    fix: "Read the server's output; a handler must not end or block the process.",
  }),
} as const;
