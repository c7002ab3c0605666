// In: a surface. Out: the entries of all its tools, from every page, each with the tool behind it.
import type { ServedTool } from '../call/ports.js';
import type { Wire } from '../packs/list-entries.js';
import type { Surface } from '../surface/surface.js';

export interface OfferedTool {
  readonly entry: Wire;
  readonly served: ServedTool;
}

export function offeredTools(surface: Surface): readonly OfferedTool[] {
  const offered: OfferedTool[] = [];
  let cursor: string | undefined;
  do {
    const page = surface.list('tools', cursor);
    for (const entry of page.entries) {
      const served = surface.tool(String(entry['name']));
      if (served !== undefined) offered.push({ entry, served });
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return offered;
}
