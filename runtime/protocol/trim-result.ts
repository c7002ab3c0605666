// In: a result that a call gave. Out: the same with nothing in its content that the protocol does not know, as the SDK's schemas
// leave it; undefined where these would refuse it.
import { isMap } from '../../schema/document.js';
import type { CallToolResult, Content } from '../../schema/support/mcp/content.js';
import { isIcon } from './envelope.js';

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

/** Nearly always the very same object. */
export function trimResult(result: CallToolResult): CallToolResult | undefined {
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
