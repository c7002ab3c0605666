// In: a surface. Out: its tools for plain calls, whose results have the shape that clients of an era get.
import { isMap } from '../../schema/document.js';
import type { CallToolResult, Content } from '../../schema/support/mcp/content.js';
import { errorKey, protocolErrorOf } from '../call/failure.js';
import { notifyOf } from '../call/notify-of.js';
import type { ServedTool } from '../call/ports.js';
import { protocolCodes } from '../call/protocol-error.js';
import type { Surface } from '../surface/surface.js';
import { isIcon } from './envelope.js';
import type { Era } from './handshake.js';
import { isWrapped } from './make-handshake.js';
import type { CallAnswer, CallPort, WireError } from './ports.js';

/**
 * The plain calls of a surface.
 *
 * @example const answer = await makeCallPort(surface).callTool('add', { a: 1, b: 2 }, request, 'legacy');
 */
export function makeCallPort(surface: Surface): CallPort {
  return {
    notify: notifyOf(surface),
    tasks: surface.tasks && (async () => (await import('./task-port.js')).openTaskPort(surface)),
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

/** T1: also what a task gives in the end. */
export function toAnswer(
  result: CallToolResult,
  served: ServedTool | undefined,
  era: Era,
): { readonly result: CallToolResult } | { readonly error: WireError } {
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
    code: protocolCodes.missingCapability,
    message: typeof message === 'string' ? message : 'Missing required client capabilities',
    data: { requiredCapabilities },
  };
}

/** What nobody foresaw is reported under an id, and the client gets only that. */
export function errorOf(
  cause: unknown,
  name: string,
  { services }: Surface,
  served: ServedTool | undefined,
): WireError {
  return protocolErrorOf(cause, { name, services, redact: text => served?.host.settings.redact(text) ?? text });
}

type Properties = Readonly<Record<string, unknown>>;

const known: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(['type', 'text', 'annotations', '_meta']),
  image: new Set(['type', 'data', 'mimeType', 'annotations', '_meta']),
  audio: new Set(['type', 'data', 'mimeType', 'annotations', '_meta']),
  resource: new Set(['type', 'resource', 'annotations', '_meta']),
  resource_link: new Set([
    ...['type', 'uri', 'name', 'title', 'description', 'mimeType', 'size', 'icons', 'annotations', '_meta'],
  ]),
};
const ofAnnotations: ReadonlySet<string> = new Set(['audience', 'priority', 'lastModified']);
const ofText: ReadonlySet<string> = new Set(['uri', 'mimeType', '_meta', 'text']);
const ofBlob: ReadonlySet<string> = new Set(['uri', 'mimeType', '_meta', 'blob']);
const ofIcon: ReadonlySet<string> = new Set(['src', 'mimeType', 'sizes', 'theme']);

/**
 * The result with nothing in its content that the protocol does not know, as the SDK's schemas leave it; undefined where these would refuse
 * it. Nearly always the very same object.
 */
function trimResult(result: CallToolResult): CallToolResult | undefined {
  const { content, isError, _meta } = result;
  if (isError !== undefined && typeof isError !== 'boolean') return undefined;
  if (_meta !== undefined && !isMap(_meta)) return undefined;
  let trimmed: Content[] | undefined;
  for (let index = 0; index < content.length; index += 1) {
    const item = content[index] as Content;
    const kept = isPlainText(item) ? item : trimItem(item as unknown as Properties);
    if (kept === undefined) return undefined;
    if (kept === item) continue;
    trimmed ??= [...content];
    trimmed[index] = kept as Content;
  }
  return trimmed === undefined ? result : { ...result, content: trimmed };
}

function isPlainText(item: Content): boolean {
  if (item.type !== 'text') return false;
  for (const key in item) if (key !== 'type' && key !== 'text') return false;
  return true;
}

function trimItem(item: Properties): unknown {
  const keys = known[String(item['type'])];
  if (keys === undefined) return undefined;
  const kept = trim(item, keys);
  const { annotations, resource, icons } = kept;
  const next = {
    ...(isMap(annotations) && { annotations: trim(annotations, ofAnnotations) }),
    ...(isMap(resource) && { resource: trim(resource, typeof resource['text'] === 'string' ? ofText : ofBlob) }),
    ...(Array.isArray(icons) && { icons: icons.map(trimIcon) }),
  };
  if ('icons' in next && next.icons?.some(icon => icon === undefined)) return undefined;
  const isSame = Object.entries(next).every(([key, value]) => value === kept[key]);
  return isSame ? kept : { ...kept, ...next };
}

function trimIcon(icon: unknown): unknown {
  return isIcon(icon) ? trim(icon as Properties, ofIcon) : undefined;
}

function trim(value: Properties, keys: ReadonlySet<string>): Properties {
  const all = Object.keys(value);
  if (all.every(key => keys.has(key))) return value;
  return Object.fromEntries(all.filter(key => keys.has(key)).map(key => [key, value[key]]));
}
