// In: what an install has switched off (TOOLWRIGHT_SETTINGS). Out: the stored handshake without it, and the program without it; or
// that the loader must judge the settings. Read before the first answer: it imports nothing that takes time to load.
import { isMap } from '../../../schema/document.js';
import type { Tool } from '../../load/program.js';
import type { OpenPack } from '../../packs/open-pack.js';
import { type Handshake, selectPieces } from '../../protocol/handshake.js';
import type { LateTool } from './packed-program.js';

/** How tools of the server's own pack can be left out of a stored handshake. */
export interface Switches {
  /** Wire name -> item, where these differ. */
  readonly items: Readonly<Record<string, string>>;
  /** Wire names of tools that are of other packs, or whose absence would change more than the list. */
  readonly fixed: readonly string[];
}

/**
 * Undefined: they are not only tools switched off or left on, or they change more than the list.
 *
 * @example leaveOut(handshake, switches, '{"tools": {"delete-issue": {"enabled": false}}}')
 */
export function leaveOut(handshake: Handshake, { items, fixed }: Switches, settings: string): Handshake | undefined {
  const wanted = readSwitches(settings);
  const tools = handshake.lists.tools?.pieces;
  if (wanted === undefined || tools === undefined) return undefined;
  const isFixed = new Set(fixed);
  const known = new Map<string, string>();
  for (const { name } of tools) {
    const item = Object.hasOwn(items, name) ? items[name] : undefined;
    if (!isFixed.has(name)) known.set(item ?? name, name);
  }
  const off = new Set<string>();
  for (const [item, isOn] of wanted) {
    const name = known.get(item);
    if (name === undefined) return undefined;
    if (!isOn) off.add(name);
  }
  // A server without tools says so when it is asked what it can do.
  if (off.size === tools.length) return undefined;
  return selectPieces(handshake, 'tools', ({ name }) => !off.has(name));
}

/** The same for the program; undefined: there is anything else in the settings. */
export function switchOff(pack: OpenPack, settings = ''): OpenPack | undefined {
  if (settings.trim() === '') return pack;
  const wanted = readSwitches(settings);
  if (wanted === undefined) return undefined;
  const tools = pack.program.tools.map(tool => (wanted.get(tool.item) === false ? switchedOff(tool) : tool));
  return { ...pack, program: { ...pack.program, tools } };
}

function switchedOff(tool: Tool | LateTool): Tool {
  const definition = { ...tool.definition, enabled: false };
  return 'redefine' in tool ? tool.redefine(definition) : { ...tool, definition };
}

/** Undefined where there is anything else in them. */
function readSwitches(text: string): ReadonlyMap<string, boolean> | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isMap(data) || Object.keys(data).some(key => key !== 'tools')) return undefined;
  const tools = data['tools'];
  if (!isMap(tools)) return undefined;
  const found = new Map<string, boolean>();
  for (const [item, patch] of Object.entries(tools)) {
    const isOn = isMap(patch) && Object.keys(patch).length === 1 ? patch['enabled'] : undefined;
    if (typeof isOn !== 'boolean') return undefined;
    found.set(item, isOn);
  }
  return found;
}
