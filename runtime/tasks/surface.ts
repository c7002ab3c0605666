// What tasks need of a server. Types only.
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import type { Change } from '../call/notify-of.js';
import type { CallServices, Outcome, Request, ServedTool } from '../call/ports.js';

export interface TaskSurface {
  readonly services: CallServices;
  /** By wire name. */
  tool(name: string): ServedTool | undefined;
  announce(change: Change): void;
  callTool(name: string, args: unknown, request: Request): Promise<Outcome<CallToolResult>>;
}
