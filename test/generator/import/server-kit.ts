// What the tests of imported servers share: offers, the pack that an import makes of them, and what that pack lists.
import { stringify } from 'yaml';
import type { Imported } from '../../../generator/import/imported.js';
import type { Capture } from '../../../generator/import/server/capture.js';
import { importServer, type ServerOptions } from '../../../generator/import/server/import-server.js';
import type { Offer } from '../../../runtime/backends/mcp/list-all.js';
import { checkPack } from '../../../runtime/index.js';
import { holds } from '../../../runtime/load/conditions.js';
import { load } from '../../../runtime/load/load.js';
import type { Listed } from '../../../runtime/load/program.js';
import { promptEntry, resourceEntry, toolEntry, type Wire } from '../../../runtime/packs/list-entries.js';
import { keyOf } from '../../../schema/definitions.js';
import { type Diagnostic, hasErrors } from '../../../schema/diagnostics.js';
import { renderMentions } from '../../../schema/template/template.js';
import { memoryFolder } from '../../harness/memory-folder.js';

const offerOf = (parts: Partial<Offer>): Offer => ({
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  instructions: undefined,
  serverInfo: { name: 'play', version: '1' },
  capabilities: {},
  ...parts,
});

export const capture = (parts: Partial<Offer>, ...words: readonly string[]): Capture => ({
  offer: offerOf(parts),
  words,
});

export const place = { command: ['npx', '-y', 'play'] } as const;

export function importOf(parts: Partial<Offer>, options: Partial<ServerOptions> = {}): Imported {
  return importServer([capture(parts)], { place, ...options });
}

export const codesOf = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map(({ code, message }) => `${code}: ${message}`);

/** The files of a new pack with nothing else in it. */
function filesOf(imported: Imported): Readonly<Record<string, string>> {
  const print = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
  const { name, items, backends, config, instructions, server, description = `The server ${name}` } = imported;
  return {
    'package.json': JSON.stringify({ name: `imported-${name}`, version: '1.0.0', type: 'module' }),
    'toolwright.yaml': print({ config, backends }),
    [`mcp/servers/${name}.yaml`]: print({
      description,
      ...(instructions !== undefined && { instructions }),
      ...server,
    }),
    ...Object.fromEntries(items.map(one => [`mcp/${keyOf(one.kind)}/${one.name}.yaml`, print(one.definition)])),
  };
}

export interface PackLists {
  readonly tools: readonly Wire[];
  readonly prompts: readonly Wire[];
  readonly resources: readonly Wire[];
  readonly resourceTemplates: readonly Wire[];
  readonly instructions: string;
}

/** What the pack lists with these values of its configuration. Fails where `check` finds an error. */
export async function listsOf(imported: Imported, values: Readonly<Record<string, unknown>> = {}): Promise<PackLists> {
  const folder = memoryFolder(filesOf(imported));
  const { diagnostics } = await checkPack(folder);
  if (hasErrors(diagnostics)) throw new Error(codesOf(diagnostics).join('\n'));
  const { program } = load(folder);
  const [server] = program?.servers ?? [];
  if (program === undefined || server === undefined) throw new Error('there is no server');
  const { config } = program.pack;
  const defaults = Object.entries(config).map(([key, entry]) => [key, entry.default] as const);
  const set = { ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)), ...values };
  const render = (text: string): string => renderMentions(text, item => `<${item}>`);
  const offered = <T extends { readonly item: string; readonly definition: { readonly when?: object } }>(
    all: readonly T[],
    listed: readonly Listed[],
  ): readonly { readonly one: T; readonly name: string }[] =>
    listed.flatMap(line => {
      const one = all.find(({ item }) => line.from === 'own' && item === line.item);
      if (one === undefined || line.from !== 'own') return [];
      const isListed = line.when === undefined || line.when.some(when => holds(when, config, set));
      return isListed && holds(one.definition.when as never, config, set) ? [{ one, name: line.name }] : [];
    });
  const resources = offered(program.resources, server.resources).map(({ one }) =>
    resourceEntry({ resource: one }, render),
  );
  return {
    tools: offered(program.tools, server.tools).map(({ one, name }) => toolEntry({ tool: one, name }, render)),
    prompts: offered(program.prompts, server.prompts).map(({ one, name }) =>
      promptEntry({ prompt: one, name }, render),
    ),
    resources: resources.filter(({ uri }) => uri !== undefined),
    resourceTemplates: resources.filter(({ uri }) => uri === undefined),
    instructions: render(server.instructions),
  };
}
