// In: the plan of a server. Out: all files of the built server and what clients must get from it. Nothing is written.
import { hash } from 'node:crypto';
import { sourcesOf } from '../../runtime/load/bound.js';
import { type Folder, joinInside, joinPath } from '../../runtime/load/folder.js';
import { definitionHash, type Tool } from '../../runtime/load/program.js';
import { maxBytes } from '../../runtime/load/read-file.js';
import type { ComposedServer } from '../../runtime/packs/compose.js';
import { guidelinesIn } from '../../runtime/packs/list-entries.js';
import { makeHandshake } from '../../runtime/protocol/make-handshake.js';
import { openServer, type TaskKeeper } from '../../runtime/server/open-server.js';
import { hashDefinitionFiles } from '../../runtime/server/stored/definitions-hash.js';
import { packProgram } from '../../runtime/server/stored/packed-program.js';
import { definitionsRoot } from '../../runtime/server/stored/parts.js';
import { printHandshake, type StoredHandshake } from '../../runtime/server/stored/stored-handshake.js';
import { storedSource } from '../../runtime/server/stored/stored-source.js';
import type { Switches } from '../../runtime/server/stored/switches.js';
import { mostFileBytes } from '../../runtime/surface/pack-file.js';
import { limitsOf } from '../../schema/config-limits.js';
import type { When } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, type Outcome, startOf } from '../../schema/diagnostics.js';
import { makeValidatorPrinter } from '../compile/validators/print.js';
import { bundleModules } from './bundle-modules.js';
import { supportNames } from './bundle-plugins.js';
import type { DefinitionFiles } from './definition-files.js';
import { printNotices } from './notices.js';
import { outputNames } from './output-names.js';
import type { PackPlan, ServerPlan } from './plan-server.js';
import { renderParts } from './render-parts.js';
import {
  entriesOf,
  entryTemplate,
  type MadeFiles,
  type MadeServer,
  type MakeOptions,
  needsBackends,
  needsTasks,
  type PackContent,
  runtimeFiles,
  runtimeNotices,
  type ServerContent,
} from './server-content.js';
import { makeSingleFile, makeWorkerFile } from './single-file.js';

export async function makeServer(plan: ServerPlan, folder: Folder, options: MakeOptions): Promise<MadeServer> {
  const name = plan.server.item;
  const handshake = handshakeOf(plan);
  const diagnostics: Diagnostic[] = [];
  const packs: PackContent[] = [];
  for (const pack of plan.packs) packs.push(await contentOf(pack, diagnostics));
  const data = { folder: name, ...staticData(plan, options.definitions) };
  const make = options.target === 'worker' ? makeWorkerFile : options.singleFile ? makeSingleFile : makeFolder;
  const made = await make({ name, plan, handshake, packs, data, folder: folder.path }, options);
  const licenses = `${made.entry.replace(/\.[cm]js$/, '')}.licenses.txt`;
  const files = new Map([...made.files, [licenses, printNotices([...runtimeNotices(), ...made.notices])]]);
  return { ...made, files, server: name, handshake, diagnostics: [...diagnostics, ...made.diagnostics] };
}

/** `~` stands in no name of an own file: see `nameModules`. */
async function contentOf(
  { label, folder, program, modules, files }: PackPlan,
  found: Diagnostic[],
): Promise<PackContent> {
  const { value: texts, diagnostics } = await printValidatorTexts(program.tools, folder, program.pack.generated);
  found.push(...diagnostics.map(one => (label === '' ? one : { ...one, file: joinInside(folder.path, one.file) })));
  const prefix = label === '' ? '' : `${label}~`;
  const validators = [...texts].map(([item, text]) => {
    const out = `${prefix}validators.${item}`;
    return [item, { out, text, name: out }] as const;
  });
  const taken = [...texts.keys()].map(item => `validators.${item}`);
  const names = nameModules(modules.values(), taken);
  return {
    label,
    entries: {
      modules: new Map(
        [...modules].map(([path, file]) => {
          return [path, { out: `${prefix}${names.get(file)}`, file: joinInside(folder.path, file) }];
        }),
      ),
      validators: new Map(validators),
    },
    files: new Map(files.map(path => [path, readFile(folder, path, found)])),
  };
}

/** Loaded by then. Node would look for the exports of a CommonJS module that is imported. */
const supportOfFolder = `import { createRequire } from 'node:module';
export const ${supportNames} = createRequire(import.meta.url)('../runtime/calls.cjs').support;
`;

async function makeFolder(content: ServerContent, options: MakeOptions): Promise<MadeFiles> {
  const { name, plan, handshake, packs, data, folder } = content;
  const bundle = await bundleModules(entriesOf(content), {
    ...options,
    folder,
    outdir: joinInside(options.out, `${name}/code`),
    splitting: true,
    assets: './assets/',
    support: supportOfFolder,
  });
  const { entry } = outputNames(name, options);
  const isExternal = options.definitions !== undefined;
  const filesOf = ({ label }: PackContent): string => (label === '' ? 'files' : `packs/${label}`);
  const parts = renderParts({
    packs: packs.map(pack => ({ ...pack.entries, files: filesOf(pack) })),
    hasSourceMaps: options.sourcemap,
    manifest: options.definitions?.manifest,
    schemaPacks: options.definitions?.packs,
  });
  const inside = new Map<string, string | Uint8Array>([
    ...runtimeFiles([
      ...(isExternal ? (['external'] as const) : []),
      // Definitions that lie beside it may need them tomorrow.
      ...(isExternal || needsBackends(content, bundle.files) ? (['backends'] as const) : []),
      ...(isExternal || needsTasks(content) ? (['tasks'] as const) : []),
    ]),
    ...[...bundle.files].map(([file, bytes]) => [`code/${file}`, bytes] as const),
    ...[...bundle.assets].map(([file, bytes]) => [`code/assets/${file}`, bytes] as const),
    ...packs.flatMap(pack => [...pack.files].map(([path, bytes]) => [`${filesOf(pack)}/${path}`, bytes] as const)),
    ['program', packProgram(plan.stored)],
    ['handshake', printHandshake(handshake)],
    ['parts.cjs', parts],
  ]);
  const all = [...inside].map(([path, contents]) => [`${name}/${path}`, contents] as const);
  return {
    entry,
    folder: name,
    files: new Map<string, string | Uint8Array>([...all, [entry, renderEntry(data)]]),
    externals: bundle.externals,
    notices: bundle.notices,
    diagnostics: bundle.diagnostics,
  };
}

/** Whatever is larger could be stored, but nobody would ever get it. */
function readFile(folder: Folder, path: string, found: Diagnostic[]): Uint8Array {
  const bytes = folder.read(path, mostFileBytes);
  if (typeof bytes !== 'number') return bytes;
  const site = startOf(joinInside(folder.path, path));
  found.push(diagnose('build/large-file', { path, bytes, limit: mostFileBytes }, site));
  return new Uint8Array();
}

/** The template is a function; what follows it calls it. */
function renderEntry(data: object): string {
  // A line separator in JSON is fine in a script since ES2019.
  return `#!/usr/bin/env node\n${entryTemplate().trimEnd()}\ntoolwright.start(${JSON.stringify(data)},__dirname,require);\n`;
}

/** What the entry must know to tell whether its stored answers hold (cli/built-server/entry.ts). */
function staticData(
  { server, packs, opened, stored: { lists } }: ServerPlan,
  definitions: DefinitionFiles | undefined,
): object {
  const startsWithCode =
    server.definition.initialize !== undefined ||
    packs
      .flatMap(({ program }) => program.tools)
      .some(({ definition: { initialize } }) => typeof initialize === 'object' && initialize.when === 'start');
  const config = packs.flatMap(({ program }) => Object.entries(program.pack.config));
  const words = Object.fromEntries(
    Object.entries(opened.own.program.pack.config)
      .filter(([, { flag, argument }]) => flag !== undefined || argument !== undefined)
      .map(([name, { type, flag, argument }]) => [name, { type, flag, argument }]),
  );
  const items = packs.flatMap(({ program: { tools, prompts, resources } }) => [...tools, ...prompts, ...resources]);
  const listed = [...lists.tool, ...lists.prompt, ...lists.resource].flatMap(([, , , when = []]) => when);
  const whens: readonly When[] = [
    ...items.flatMap(({ definition: { when } }) => (when === undefined ? [] : [when])),
    ...listed,
  ];
  // X14: what lists leave out where it is set.
  const bound = packs.flatMap(({ program: { tools } }) =>
    tools.flatMap(tool => sourcesOf(tool).flatMap(([, { of, name }]) => (of === 'config' ? [name] : []))),
  );
  const conditions = [...whens.flatMap(when => Object.keys(when)), ...bound];
  return {
    startsWithCode,
    conditions: [...new Set(conditions)],
    isHttp: server.definition.transport === 'http',
    ...(definitions === undefined ? {} : { definitions: hashOf(definitions) }),
    config: config
      .map(([name, entry]) => [name, entry.type, entry.enum ?? null, limitsOf(entry) ?? {}] as const)
      .filter(([, type, allowed, limits]) => type !== 'string' || allowed !== null || Object.keys(limits).length > 0),
    ...(config.length === 0 ? {} : { keys: [...new Set(config.map(([name]) => name))] }),
    ...(Object.keys(words).length === 0 ? {} : { words }),
  };
}

function hashOf({ files }: DefinitionFiles): string {
  const below = [...files].map(([path, text]) => [path.slice(definitionsRoot.length + 1), text] as const);
  return hashDefinitionFiles(new Map(below));
}

/** No code of the packs runs for lists. */
function handshakeOf({ opened, server, stored }: ServerPlan): StoredHandshake {
  const parts = { files: {}, modules: {}, validators: {}, others: [], program: () => stored };
  const operator = { env: {}, report: () => undefined, tasks: neverOpened };
  const [stripped = server] = opened.own.program.servers;
  const source = storedSource({ packs: opened, server: stripped, stored }, parts, operator);
  const { surface, composition } = openServer(source, operator).resolve();
  if (surface === undefined) throw new Error(`${server.item} cannot be served as it was built`);
  const handshake = makeHandshake(surface);
  return { ...handshake, switches: switchesOf(composition.composed) };
}

/** Its lists say how tools run as tasks; none does while it is built. */
const neverOpened: TaskKeeper = { open: () => Promise.reject(new Error('a build has no tasks')) };

function switchesOf({ tools, pack: own }: ComposedServer): Switches {
  // X2: of several forms with one name, only the loader knows which of them settings switch off.
  const names = tools.map(({ name }) => name);
  const forms = new Set(names.toSorted().filter((name, index, all) => name === all[index + 1]));
  const isFixed = ({ item, name, pack }: ComposedServer['tools'][number]): boolean =>
    pack !== own || guidelinesIn('instructions', item.definition) !== '' || forms.has(name);
  return {
    items: Object.fromEntries(tools.flatMap(({ item, name }) => (item.item === name ? [] : [[name, item.item]]))),
    fixed: tools.filter(isFixed).map(({ name }) => name),
  };
}

// In: the files of modules that go into one folder. Out: a name for each, as readable as can be, and no two the same.

/**
 * `src/tools/get-issue.ts` -> `src.tools.get-issue`: one folder for all, so that assets are found from everywhere. Names of files are
 * authors': not every one can stand in a URL, and `a.b.ts`, `a/b.ts`, `A/b.js` would be one name, on some disks at least. Such get
 * a hash of their path.
 *
 * @example nameModules(['src/a.ts'], []).get('src/a.ts') // 'src.a'
 */
function nameModules(files: Iterable<string>, taken: Iterable<string>): ReadonlyMap<string, string> {
  const plain = new Map([...new Set(files)].map(file => [file, flatName(file)]));
  const uses = new Map<string, number>();
  for (const name of [...plain.values(), ...taken]) uses.set(fold(name), (uses.get(fold(name)) ?? 0) + 1);
  return new Map(
    [...plain].map(([file, name]) => {
      const safe = name.replaceAll(/[^\w.-]/g, '_');
      const isUnique = uses.get(fold(name)) === 1;
      return [file, safe === name && isUnique ? name : `${safe}-${hash('sha256', file, 'hex').slice(0, 8)}`];
    }),
  );
}

function flatName(file: string): string {
  return file.replace(/\.[cm]?[jt]sx?$/, '').replaceAll('/', '.');
}

/** What disks that ignore case take for the same. */
function fold(name: string): string {
  return name.toLowerCase();
}

// In: the tools of a server. Out: the text of each one's validators: the generated file where it is of this very definition, else printed
// now. A schema that ajv makes no code of is a mistake of the pack.

async function printValidatorTexts(
  tools: readonly Tool[],
  folder: Folder,
  generated: string,
): Promise<Outcome<ReadonlyMap<string, string>>> {
  const texts = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const print = makeValidatorPrinter();
  for (const tool of tools) {
    const printed = readGenerated(tool, folder, generated) ?? (await print(tool));
    if (typeof printed === 'string') texts.set(tool.item, printed);
    else diagnostics.push(printed);
  }
  return { value: texts, diagnostics };
}

function readGenerated(tool: Tool, folder: Folder, generated: string): string | undefined {
  const path = joinPath(generated, 'tools', `${tool.item}.mjs`);
  if (folder.status(path) !== 'file') return undefined;
  const bytes = folder.read(path, maxBytes);
  const text = typeof bytes === 'number' ? '' : new TextDecoder().decode(bytes);
  const [, hash] = /^export const hash = '([\w-]+)';$/m.exec(text) ?? [];
  return hash === definitionHash(tool) ? text : undefined;
}
