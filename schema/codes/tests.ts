import { code, quote } from './entry.js';

/** What `toolwright test` finds: a server that does not do what its manifest says. */
export const testCodes = {
  'test/wrong-output': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} returns a different result: ${reason}`,
    cause:
      'The example says what the call returns, or the tool has an output schema, and the handler returns something else.',
    fix: 'Correct the handler or the example. An example without `output` is only checked against the schema.',
  }),
  'test/unexpected-error': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} fails: ${reason}`,
    cause: 'The example expects a result, but the call ends with an error.',
    fix: 'Correct the handler, or, if the error is intended, write its code under `error`.',
  }),
  'test/wrong-error': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} should fail differently: ${reason}`,
    cause: 'The example names an error, but the call succeeds or returns a different one.',
    fix: 'Correct the handler, or the code under `error`.',
  }),
  'test/contract': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} breaks the contract that all tools and prompts share: ${reason}`,
    cause: 'Clients rely on every tool being listed with a description and refusing arguments that its schema refuses.',
    fix: 'Give the item a description; do not accept in code what the schema refuses.',
  }),
  'test/conformance': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} of the official conformance suite fails: ${reason}`,
    cause:
      'The server does not answer as the protocol says, or the suite expects a feature that this server does not have.',
    fix: 'Run the scenario by itself to see its checks: npx @modelcontextprotocol/conformance server --url <url> --scenario <name>.',
  }),
  'test/no-answer': code<{ test: string; reason: string }>({
    severity: 'error',
    message: ({ test, reason }) => `${quote(test)} got no answer: ${reason}`,
    cause: 'The server ended or was silent for longer than the time limit of the tool.',
    fix: 'Read the output of the server; a handler must not end the process or block it.',
  }),
} as const;
