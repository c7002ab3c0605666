// In: the tools of a server and what its calls share. Out: the services that calls are given, those of their own pack, because a
// name means an item of the caller's own pack first.
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { renderMentions } from '../../schema/template/template.js';
import type { CallServices, PackHost, Request, ServedTool } from '../call/ports.js';
import { ToolError } from '../call/tool-error.js';
import { callTool } from './call-tool.js';
import { unknownName } from './problems.js';
import type { ToolTable } from './served-items.js';

export interface PackServices {
  /** For what belongs to no pack. */
  readonly general: CallServices;
  of(host: PackHost): CallServices;
  /** The final wire name of a tool that a string of a pack mentions; its item name where the server does not have it. */
  toolName(item: string, host?: PackHost): string;
}

export type SharedServices = Pick<
  CallServices,
  'seal' | 'strictArguments' | 'showCauses' | 'roots' | 'running' | 'report'
>;

export function makePackServices(base: SharedServices, tools: ToolTable): PackServices {
  const made = new Map<PackHost, CallServices>();
  return { general: makeServices(undefined), of: servicesOf, toolName };

  function servicesOf(host: PackHost): CallServices {
    const services = made.get(host) ?? makeServices(host);
    made.set(host, services);
    return services;
  }

  function makeServices(host: PackHost | undefined): CallServices {
    return {
      ...base,
      render: text => renderMentions(text, item => toolName(item, host)),
      async call(name, args, request) {
        const item = tools.named(name, host);
        const served = tools.offered.get(item?.name ?? name) ?? tools.offered.get(name);
        if (served === undefined) throw unknownName('tool', name, tools.offered.keys());
        checkScopes(served, request);
        return await callWithin(served, args, request, servicesOf(served.host));
      },
    };
  }

  function toolName(name: string, host?: PackHost): string {
    return tools.named(name, host)?.name ?? name.slice(name.lastIndexOf('/') + 1);
  }
}

/** The transport has looked at the tool that the client named, and only at that one. */
function checkScopes({ tool, name }: ServedTool, { isRemote, auth }: Request): void {
  const { scopes = [] } = tool.definition;
  if (isRemote !== true || scopes.every(scope => auth?.scopes.includes(scope))) return;
  throw new ToolError(`${name} needs the scopes ${scopes.join(', ')}, which the caller does not have`, {
    code: 'INSUFFICIENT_SCOPE',
    status: 403,
    suggestedFix: `Get an access token with the scopes ${scopes.join(' ')}.`,
    meta: { scopes },
  });
}

/** Nobody can be asked inside a call: a tool that asks there has an error for a result already. */
async function callWithin(
  served: ServedTool,
  args: object,
  request: Request,
  services: CallServices,
): Promise<CallToolResult> {
  const outcome = await callTool(served, args, request, services);
  if ('result' in outcome) return outcome.result;
  const text = `${served.name} asks a question, which a call from another tool cannot answer`;
  return { content: [{ type: 'text', text }], isError: true };
}
