// The tools of one server while it runs: found by wire name and by item, added and removed (J85).
import type { PackHost, ServedTool } from '../call/ports.js';

export interface ToolTable {
  /** What clients see, by final wire name, in list order. */
  readonly offered: ReadonlyMap<string, ServedTool>;
  /** By item, offered or not: of the host's pack if it has one, else of any. A qualified name is of exactly that pack. */
  named(item: string, host: PackHost | undefined): ServedTool | undefined;
  /** Throws where the name is in use, also by a tool that is switched off. */
  add(served: ServedTool): void;
  remove(name: string): boolean;
}

export function makeToolTable(tools: readonly ServedTool[], isOffered: (served: ServedTool) => boolean): ToolTable {
  const all = new Map<string, ServedTool>();
  const offered = new Map<string, ServedTool>();
  const byItem = new Map<string, ServedTool[]>();
  for (const served of tools) add(served);
  return { offered, named, add, remove };

  function named(name: string, host: PackHost | undefined): ServedTool | undefined {
    const slash = name.lastIndexOf('/');
    const group = byItem.get(name.slice(slash + 1)) ?? [];
    if (slash < 0) return group.find(served => served.host === host) ?? group[0];
    return group.find(served => served.host.program.pack.name === name.slice(0, slash));
  }

  function add(served: ServedTool): void {
    const { name, tool } = served;
    if (all.has(name)) throw new Error(`This server has a tool ${JSON.stringify(name)} already`);
    all.set(name, served);
    if (isOffered(served)) offered.set(name, served);
    const group = byItem.get(tool.item);
    if (group === undefined) byItem.set(tool.item, [served]);
    else group.push(served);
  }

  function remove(name: string): boolean {
    const served = all.get(name);
    if (served === undefined) return false;
    all.delete(name);
    offered.delete(name);
    const group = byItem.get(served.tool.item) ?? [];
    byItem.set(
      served.tool.item,
      group.filter(one => one !== served),
    );
    return true;
  }
}
