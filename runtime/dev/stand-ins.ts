// In: entries of lists. Out: items as transports ask for them: schemas, scopes, subscriptions. Their code is in another process.

import type { JsonSchema } from '../../schema/definitions.js';
import { startOf } from '../../schema/diagnostics.js';
import type { Locator } from '../../schema/document.js';
import type { PackHost, ServedPrompt, ServedResource, ServedTool } from '../call/ports.js';
import type { Wire } from '../packs/list-entries.js';

const nowhere = startOf('');
const at: Locator = { site: () => nowhere, find: () => nowhere, source: () => undefined };
const elsewhere = (): Promise<never> => Promise.reject(new Error('handlers run in another process'));

/** Secrets are taken out where calls run. */
const host: PackHost = {
  program: {
    pack: { name: '', version: '', folder: '', root: '', generated: '', handlers: '', dist: '', config: {}, at },
    servers: [],
    tools: [],
    prompts: [],
    resources: [],
  },
  settings: { values: {}, redact: text => text },
  load: elsewhere,
  validators: elsewhere,
  app: elsewhere,
  initialize: elsewhere,
  close: () => Promise.resolve(),
};

function linked(name: string) {
  return { item: name, name, description: '', file: '', at };
}

export function toolStandIn(entry: Wire, scopes: Readonly<Record<string, readonly string[]>>): ServedTool {
  const name = String(entry['name']);
  const needed = Object.hasOwn(scopes, name) ? scopes[name] : undefined;
  const { inputSchema, outputSchema } = entry;
  return {
    tool: {
      ...linked(name),
      kind: 'tool',
      definition: needed === undefined ? {} : { scopes: needed },
      inputSchema: inputSchema as JsonSchema,
      ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonSchema }),
      // Calls are checked where they run.
      filling: { input: 'never', output: 'never' },
      inputSite: () => nowhere,
      handler: { path: '', export: '' },
    },
    name,
    host,
    options: {},
  };
}

export function promptStandIn(entry: Wire): ServedPrompt {
  const name = String(entry['name']);
  return { prompt: { ...linked(name), kind: 'prompt', definition: {}, type: 'handler', arguments: [] }, name, host };
}

export function resourceStandIn(entry: Wire, watchable: readonly string[]): ServedResource {
  const { uri, uriTemplate } = entry;
  const address = String(uri ?? uriTemplate);
  const definition = {
    ...(uri === undefined ? { uriTemplate: address } : { uri: address }),
    subscribe: watchable.includes(address),
  };
  return { resource: { ...linked(String(entry['name'])), kind: 'resource', definition, variables: [] }, host };
}
