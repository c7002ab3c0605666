// In: a surface. Out: its tools for the lean lanes: calls whose results have the shape that clients of an era get.
import { isMap } from '../../schema/document.js';
import type { Notify } from '../../schema/support/mcp/client.js';
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { errorKey } from '../call/failure.js';
import { hideCause } from '../call/hide-cause.js';
import type { ServedTool } from '../call/ports.js';
import { ProtocolProblem, protocolCodes } from '../call/protocol-problem.js';
import type { Surface } from '../surface/surface.js';
import type { Era } from './handshake.js';
import type { CallAnswer, CallPort, WireError } from './ports.js';
import { trimResult } from './trim-result.js';
import { isWrapped } from './wrap-output.js';

/** 2026-07-28 has its own error for a capability that the client lacks. */
const capabilityMissing = -32021;

export function notifyOf(surface: Pick<Surface, 'announce'>): Notify {
  return {
    toolsChanged: () => surface.announce({ list: 'tools' }),
    promptsChanged: () => surface.announce({ list: 'prompts' }),
    resourcesChanged: () => surface.announce({ list: 'resources' }),
    resourceUpdated: uri => surface.announce({ uri }),
  };
}

/**
 * The calls of a surface for a lane.
 *
 * @example const answer = await makeCallPort(surface).callTool('add', { a: 1, b: 2 }, request, 'legacy');
 */
export function makeCallPort(surface: Surface): CallPort {
  return {
    notify: notifyOf(surface),
    // Not async: each call would pay for two more promises.
    callTool(name, args, request, era) {
      const fail = (cause: unknown): CallAnswer => ({
        error: errorOf(cause, `tools/call ${name}`, surface, surface.tool(name)),
      });
      try {
        return surface.callTool(name, args, request).then((outcome): CallAnswer => {
          if ('asking' in outcome) return outcome;
          try {
            return toAnswer(outcome.result, surface.tool(name), era);
          } catch (cause) {
            return fail(cause);
          }
        }, fail);
      } catch (cause) {
        return Promise.resolve(fail(cause));
      }
    },
  };
}

function toAnswer(result: CallToolResult, served: ServedTool | undefined, era: Era): CallAnswer {
  if (era === 'modern' && result.isError === true) {
    const error = capabilityError(result);
    if (error !== undefined) return { error };
  }
  const trimmed = trimResult(result);
  if (trimmed === undefined) {
    return { error: { code: protocolCodes.invalidParams, message: 'Invalid tools/call result' } };
  }
  return { result: projectResult(trimmed, served?.tool.outputSchema, era) };
}

/** Data that is not an object has text beside it, and for clients of 2025 a map around it. */
function projectResult(
  result: CallToolResult,
  outputSchema: ServedTool['tool']['outputSchema'],
  era: Era,
): CallToolResult {
  const { structuredContent } = result;
  if (structuredContent === undefined) return result;
  const isObject = isMap(structuredContent);
  const isTold = isObject || result.content.some(({ type }) => type === 'text');
  const told: CallToolResult = isTold
    ? result
    : { ...result, content: [...result.content, { type: 'text', text: JSON.stringify(structuredContent) }] };
  if (era === 'modern' || (isObject && !isWrapped(outputSchema))) return told;
  return { ...told, structuredContent: { result: structuredContent } };
}

/** A result would hide it. */
export function capabilityError({ isError, _meta }: CallToolResult): WireError | undefined {
  if (isError !== true) return undefined;
  const told = _meta?.[errorKey];
  if (!isMap(told) || told['code'] !== 'CAPABILITY_MISSING') return undefined;
  const meta = isMap(told['meta']) ? told['meta'] : {};
  const requiredCapabilities = isMap(meta['requiredCapabilities']) ? { ...meta['requiredCapabilities'] } : {};
  const { message } = told;
  return {
    code: capabilityMissing,
    message: typeof message === 'string' ? message : 'Missing required client capabilities',
    data: { requiredCapabilities },
  };
}

/** What nobody foresaw is reported under an id, and the client gets only that. */
function errorOf(cause: unknown, name: string, { desk }: Surface, served: ServedTool | undefined): WireError {
  if (cause instanceof ProtocolProblem) {
    const { code, message, data } = cause;
    return { code, message, ...(data === undefined ? {} : { data }) };
  }
  const { id } = hideCause(cause, { desk, name, redact: text => served?.host.settings.redact(text) ?? text });
  return { code: protocolCodes.internalError, message: `Internal error (${id})` };
}
