// In: the tools of a server and what its calls share. Out: the desk that calls are given, one for each pack, because a
// name means an item of the caller's own pack first.
import type { CallToolResult } from '../../schema/support-content.js';
import { renderMentions } from '../../schema/template/template.js';
import { callTool } from '../call/call-tool.js';
import type { Desk, PackHost, Request, ServedTool } from '../call/ports.js';
import type { ToolTable } from './tool-table.js';

/** Tools that call each other in a circle must end. */
const mostDepth = 16;

export interface Desks {
  /** For what belongs to no pack. */
  readonly general: Desk;
  of(host: PackHost): Desk;
  /** The final wire name of a tool that a text of a pack mentions; its item name where the server does not have it. */
  toolName(item: string, host?: PackHost): string;
}

export type DeskBase = Pick<Desk, 'seal' | 'strictArguments' | 'showCauses' | 'roots' | 'report'>;

export function makeDesks(base: DeskBase, tools: ToolTable): Desks {
  const made = new Map<PackHost, Desk>();
  return { general: makeDesk(undefined), of: deskOf, toolName };

  function deskOf(host: PackHost): Desk {
    const desk = made.get(host) ?? makeDesk(host);
    made.set(host, desk);
    return desk;
  }

  function makeDesk(host: PackHost | undefined): Desk {
    return {
      ...base,
      render: text => renderMentions(text, item => toolName(item, host)),
      async call(name, args, request) {
        const item = tools.named(name, host);
        const served = tools.offered.get(item?.name ?? name) ?? tools.offered.get(name);
        if (served === undefined) throw new Error(`There is no tool ${JSON.stringify(name)} in this server`);
        return await callWithin(served, args, request, deskOf(served.host));
      },
    };
  }

  function toolName(name: string, host?: PackHost): string {
    return tools.named(name, host)?.name ?? name.slice(name.lastIndexOf('/') + 1);
  }
}

/** A call inside a call: what the client answered belongs to the outer one, and so does its progress. */
async function callWithin(served: ServedTool, args: object, request: Request, desk: Desk): Promise<CallToolResult> {
  const depth = (request.depth ?? 0) + 1;
  if (depth > mostDepth) throw new Error(`Tools call each other more than ${mostDepth} deep`);
  const { id, signal, client, auth, principal, notify } = request;
  const inner: Request = {
    id,
    signal,
    client,
    auth,
    principal,
    notify,
    depth,
    answers: {},
    state: undefined,
    log: (level, message, data) => request.log(level, message, data),
    progress: () => {},
  };
  const outcome = await callTool(served, args, inner, desk);
  if ('result' in outcome) return outcome.result;
  const text = `${served.name} asks a question, which a call from another tool cannot answer`;
  return { content: [{ type: 'text', text }], isError: true };
}
