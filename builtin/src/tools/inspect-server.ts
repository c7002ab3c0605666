import { relative, sep } from 'node:path';
import { DefinitionError, type InspectedItem, inspectServer, showHidden } from 'toolwright';
import { tools } from '../../generated/index.js';
import { findPack, projectFolder } from '../find-pack.js';
import { openPack } from '../open-pack.js';
import { printDiagnostics } from '../records.js';

/** Show one server as clients see it. */
export default tools.inspectServer(async ({ server, tag, schemas, pack }, ctx) => {
  // Servers of installed packs, and this one, need no pack of the project's own.
  const project = projectFolder(ctx.config);
  const isElsewhere = server !== undefined && pack === '.' && findPack(pack, project).found === 'nothing';
  const folder = isElsewhere ? project : openPack(pack, ctx);
  const found = await inspectServer(folder, server, { tag }).catch((error: unknown) => {
    if (error instanceof DefinitionError) throw ctx.errors.BROKEN_PACK(error.message);
    throw ctx.errors.NO_SERVER(error instanceof Error ? error.message : undefined);
  });
  const folders = new Map(found.packs.map(({ name, folder: where }) => [name, where]));
  const print = (item: InspectedItem) => printItem(item, folders.get(item.pack) ?? folder);
  return showHidden({
    name: found.name,
    pack: found.pack,
    version: found.version,
    transport: found.transport,
    description: found.description,
    instructions: found.instructions,
    tools: found.tools.map(item => ({ ...print(item), ...(schemas ? schemasOf(item) : {}) })),
    prompts: found.prompts.map(print),
    resources: found.resources.map(print),
    collisions: found.collisions.map(({ kind, name, members }) => ({ kind, name, members: [...members] })),
    missing: [...found.missing],
    diagnostics: printDiagnostics(found.diagnostics),
  });
});

function printItem({ name, item, pack, description, tags, file, line }: InspectedItem, folder: string) {
  return {
    name,
    item,
    pack,
    ...(typeof description === 'string' ? { description } : {}),
    ...(Array.isArray(tags) ? { tags: tags.map(String) } : {}),
    file: relative(folder, file).replaceAll(sep, '/'),
    line,
  };
}

function schemasOf({ inputSchema, outputSchema }: InspectedItem) {
  return { ...asSchema('inputSchema', inputSchema), ...asSchema('outputSchema', outputSchema) };
}

function asSchema(key: 'inputSchema' | 'outputSchema', value: unknown) {
  return typeof value === 'object' && value !== null ? { [key]: { ...value } } : {};
}
