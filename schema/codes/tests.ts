import { code, quote } from './entry.js';

/** What `toolwright test` finds: a server that does not do what its manifest says. */
export const testCodes = {
  'test/wrong-output': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} gives another result: ${reason}`,
    cause:
      'The example says what the call returns, or the tool has an output schema, and the handler returns something else.',
    fix: 'Correct the handler or the example. An example without `output` is only held to the schema.',
  }),
  'test/unexpected-error': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} fails: ${reason}`,
    cause: 'The example expects a result, but the call ends with an error.',
    fix: 'Correct the handler, or write the code of the error under `error` where it is meant.',
  }),
  'test/wrong-error': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} should fail otherwise: ${reason}`,
    cause: 'The example names the error that the call gives, but the call succeeds or gives another one.',
    fix: 'Correct the handler, or the code under `error`.',
  }),
  'test/contract': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} breaks the contract of all tools and prompts: ${reason}`,
    cause:
      'Clients rely on every tool to be listed with a description and to refuse arguments that its schema refuses.',
    fix: 'Give the item a description; do not accept in code what the schema refuses.',
  }),
  'test/conformance': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} of the official conformance suite fails: ${reason}`,
    cause: 'The server answers otherwise than the protocol says, or the suite expects what this server does not have.',
    fix: 'Run the scenario by itself to see its checks: npx @modelcontextprotocol/conformance server --url <url> --scenario <name>.',
  }),
  'test/no-answer': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} got no answer: ${reason}`,
    cause: 'The server ended or was silent for longer than the time limit of the tool.',
    fix: 'Look at what the server wrote; a handler must not end the process or block it.',
  }),
} as const;
