// In: what a client says it can do, and what a tool needs. Out: what can be asked of the client, and what is missing.
import { isMap } from '../../../schema/document.js';
import type { Client } from '../../../schema/support/mcp/client.js';
import type { Program } from '../../load/program.js';
import type { PackHost, Request, ServedTool } from '../ports.js';
import { ToolError } from '../tool-error.js';

export type Capability = 'sampling' | 'sampling.tools' | 'elicitation' | 'roots';
const capabilities: ReadonlySet<string> = new Set(['sampling', 'elicitation', 'roots', 'tasks']);

/** Whether the client has it, at all. */
function declares(client: Client, name: string): boolean {
  return Object.hasOwn(client.capabilities, name) && isMap(client.capabilities[name]);
}

export function can(client: Client, name: 'sampling' | 'sampling.tools' | 'roots'): boolean {
  if (name !== 'sampling.tools') return declares(client, name);
  return declares(client, 'sampling') && isMap((client.capabilities.sampling as { readonly tools?: unknown }).tools);
}

/**
 * Whether a name of `requires` is there: a config key with a value, or a capability that can be used in this request.
 *
 * @example has('JIRA_TOKEN', host, request)
 */
export function has(name: string, host: PackHost, request: Request): boolean {
  const { values } = host.settings;
  // Config first: the loader allows a config key of any name.
  if (Object.hasOwn(host.program.pack.config, name)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  }
  // Inside ctx.call nobody can be asked.
  return (request.depth ?? 0) === 0 && capabilities.has(name) && declares(request.client, name);
}

/** The error of what only a client could do. `requiredCapabilities` is how the newest protocol names it. */
export function capabilityMissing(capability: Capability, what: string): ToolError {
  const [name = capability, member] = capability.split('.');
  return new ToolError(`${what} needs a client with the capability ${capability}, which this one does not have`, {
    code: 'CAPABILITY_MISSING',
    status: 424,
    suggestedFix: `Use a client that supports ${capability}.`,
    meta: { capability, requiredCapabilities: { [name]: member === undefined ? {} : { [member]: {} } } },
  });
}

/** The error of keys of `config:` that have no value. */
export function configMissing(name: string, keys: readonly string[], { pack }: Pick<Program, 'pack'>): ToolError {
  const lines = keys.map(key => {
    const description = pack.config[key]?.description;
    return description === undefined ? key : `${key} (${description})`;
  });
  return new ToolError(`${name} needs configuration that is not set: ${lines.join(', ')}`, {
    code: 'CONFIG_MISSING',
    status: 503,
    // Said to authors too, who meet it in `call` first.
    suggestedFix: `Set ${keys.join(' and ')} in the server's environment and start it again (toolwright dev, call and test also read the pack's .env; start needs --env-file).`,
    meta: { missing: keys },
  });
}

/**
 * W97: what the tool requires and is not there, as the error to answer with.
 *
 * @example const missing = findUnmetRequirement(served, request); if (missing) throw missing;
 */
export function findUnmetRequirement({ tool, name, host }: ServedTool, request: Request): ToolError | undefined {
  const { requires } = tool.definition;
  if (requires === undefined) return undefined;
  const missing = Object.entries(requires)
    .filter(([requirement, need]) => need === 'required' && !has(requirement, host, request))
    .map(([requirement]) => requirement);
  const config = missing.filter(requirement => Object.hasOwn(host.program.pack.config, requirement));
  if (config.length > 0) return configMissing(name, config, host.program);
  const [capability] = missing;
  return capability === undefined ? undefined : capabilityMissing(capability as Capability, name);
}
