// In: a folder and what a pack in it is to be. Out: the files that make it one; what is there already is extended or kept. Nothing
// is written.
import { type Folder, joinPath } from '../../runtime/load/folder.js';
import { load } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { keyOf, kinds } from '../../schema/definitions.js';
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';
import { detectProject } from '../compile/project/project.js';
import { printStub, type Stub } from '../compile/stubs/stubs.js';
import { fillRegions, inline, printSection } from '../docs/markdown.js';
import { makeReference } from '../docs/reference.js';
import { Code, escapeHtml } from '../render/code.js';
import { createTemplates } from '../render/templates.js';
import { type FileChange, openBook, plannedFolder } from './change-book.js';
import { type Extender, type Kept, makeExtender } from './extend-files.js';
import { isPlaceholder, type Places, printTsconfig, wantedKeys, wordsOf, workflowView } from './init-package.js';
import { type Found, findProjectFiles, type InitSettings, toServerName } from './init-settings.js';
import { printModeline, titleOf } from './print-starter.js';

interface InitPlan {
  /** Empty where an error is among the diagnostics. */
  readonly changes: readonly FileChange[];
  /** What was left as it was, and why. */
  readonly kept: readonly Kept[];
  readonly diagnostics: readonly Diagnostic[];
}

export function planInit(folder: Folder, settings: InitSettings): InitPlan {
  const found = findProjectFiles(folder);
  const before = found.isPack ? load(folder) : undefined;
  if (before !== undefined && (before.manifest === undefined || hasErrors(before.diagnostics)))
    return { changes: [], kept: [], diagnostics: before.diagnostics };
  const { root = 'mcp', generated = 'generated', handlers = 'src', dist = 'dist' } = before?.manifest ?? {};
  const places = { root, generated, handlers, dist };
  const book = openBook(folder);
  const extend = makeExtender(folder, book);
  // Items are the business of packs that exist already.
  if (found.isPack) extend.keep(manifestFile, 'the pack stays as it is');
  else for (const { path, print } of sampleItems(settings, places)) extend.create(path, print);
  extendPackage(extend, settings, { found, places });
  if (settings.language === 'ts') extend.create('tsconfig.json', () => printTsconfig(places));
  extendProject(extend, settings, { ...places, isNew: found.packageJson === undefined || found.isBare });
  const planned = (): Folder => plannedFolder(folder, book.changes());
  const greet = found.isPack ? undefined : printGreet(planned());
  if (greet !== undefined) extend.create(greet.path, () => greet.text);
  const readme = folder.list('')?.find(({ name }) => /^readme(?:\.|$)/i.test(name));
  if (readme === undefined) book.put('README.md', printReadme(settings, planned(), greet !== undefined));
  else extend.keep(readme.name);
  const broken = load(planned()).diagnostics.filter(({ severity }) => severity === 'error');
  const diagnostics = [...extend.diagnostics, ...broken];
  if (diagnostics.length > 0) return { changes: [], kept: [], diagnostics };
  const changes = book.changes().filter(({ before: old, after }) => old !== after);
  return { changes, kept: extend.kept, diagnostics };
}

function extendPackage(
  extend: Extender,
  settings: InitSettings,
  { found, places }: { readonly found: Found; readonly places: Places },
): void {
  const keys = wantedKeys(settings, found, places);
  const options = { mayReplace: isPlaceholder };
  if (found.packageJson === undefined || !found.isBare) {
    extend.json('package.json', keys, options);
    return;
  }
  // `npm install` in an empty folder writes dependencies only: what people look for in the file comes before them.
  const named = keys.filter(({ path }) => path.length === 0).map(({ key, value }) => [key, value] as const);
  const ordered = { ...Object.fromEntries(named), scripts: {}, ...found.packageJson };
  extend.json('package.json', keys, { ...options, text: `${JSON.stringify(ordered, undefined, 2)}\n` });
}

/** What editors, git and its host should know. */
function extendProject(
  extend: Extender,
  settings: InitSettings,
  { root, generated, dist, isNew }: { root: string; generated: string; dist: string; isNew: boolean },
): void {
  const mappings = mapSchemas({ root, generated });
  extend.json(
    '.vscode/settings.json',
    mappings.map(({ path, patterns }) => ({ path: ['yaml.schemas'], key: `./${path}`, value: patterns })),
  );
  extend.create('.vscode/extensions.json', () => '{\n  "recommendations": ["redhat.vscode-yaml"]\n}\n');
  extend.create('.idea/jsonSchemas.xml', () => printIdeaSchemas(mappings));
  const pattern = joinPath(generated, '**');
  extend.lines('.gitattributes', [`${/\s/.test(pattern) ? JSON.stringify(pattern) : pattern} linguist-generated=true`]);
  // Somebody may have good reasons to commit a build.
  extend.lines('.gitignore', ['node_modules/', ...(isNew ? [`${dist}/`] : []), '.env']);
  const workflow = '.github/workflows/toolwright.yml';
  if (!settings.isRepository) extend.keep(workflow, 'not written: workflows lie at the root of a repository');
  else extend.create(workflow, () => createTemplates().render('init-workflow.yml', workflowView(settings)));
}

// In: where a pack keeps its manifests. Out: the settings by which editors know them: VS Code's map and JetBrains' file.

interface SchemaMapping {
  /** As in `tool.schema.json`. */
  readonly schema: string;
  readonly path: string;
  readonly patterns: readonly string[];
}

/** The schemas of the generated folder know the pack's own names. */
function mapSchemas({ root, generated }: { root: string; generated: string }): readonly SchemaMapping[] {
  const path = (schema: string): string => joinPath(generated, 'schema', `${schema}.schema.json`);
  const both = (file: string): readonly string[] => [`${file}.yaml`, `${file}.yml`];
  return [
    { schema: 'pack', path: path('pack'), patterns: ['toolwright.yaml'] },
    ...kinds.flatMap(kind => [
      { schema: kind, path: path(kind), patterns: both(joinPath(root, keyOf(kind), '*')) },
      { schema: keyOf(kind), path: path(keyOf(kind)), patterns: both(joinPath(root, keyOf(kind))) },
    ]),
  ];
}

/** The file `.idea/jsonSchemas.xml`. */
function printIdeaSchemas(mappings: readonly SchemaMapping[]): string {
  const option = (name: string, value: string): string => `<option name="${name}" value="${escapeHtml(value)}" />`;
  const entry = ({ schema, path, patterns }: SchemaMapping): readonly string[] => [
    `        <entry key="toolwright ${schema}">`,
    '          <value>',
    '            <SchemaInfo>',
    `              ${option('name', `toolwright ${schema}`)}`,
    `              ${option('relativePathToSchema', path)}`,
    '              <option name="patterns">',
    '                <list>',
    ...patterns.flatMap(pattern => [
      '                  <Item>',
      ...(pattern.includes('*') ? [`                    ${option('pattern', 'true')}`] : []),
      `                    ${option('path', pattern)}`,
      ...(pattern.includes('*') ? [`                    ${option('mappingKind', 'Pattern')}`] : []),
      '                  </Item>',
    ]),
    '                </list>',
    '              </option>',
    '            </SchemaInfo>',
    '          </value>',
    '        </entry>',
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<project version="4">',
    '  <component name="JsonSchemaMappingsProjectConfiguration">',
    '    <state>',
    '      <map>',
    ...mappings.flatMap(entry),
    '      </map>',
    '    </state>',
    '  </component>',
    '</project>',
    '',
  ].join('\n');
}

// In: what a new pack is to be. Out: its first items, the handler of its first tool, and its README.

interface Sample {
  readonly path: string;
  readonly print: () => string;
}

/** The manifest, a server, a tool and a prompt. */
function sampleItems(
  { name, description, transport }: InitSettings,
  { root, generated }: { root: string; generated: string },
): readonly Sample[] {
  const templates = createTemplates();
  const server = toServerName(name);
  const view = { title: titleOf(server), description, isHttp: transport === 'http' };
  const items = [
    { path: manifestFile, template: 'init-manifest.yaml', schema: 'pack' },
    { path: joinPath(root, 'servers', `${server}.yaml`), template: 'init-server.yaml', schema: 'server' },
    { path: joinPath(root, 'tools/greet.yaml'), template: 'init-tool.yaml', schema: 'tool' },
    { path: joinPath(root, 'prompts/introduce.yaml'), template: 'init-prompt.yaml', schema: 'prompt' },
  ] as const;
  return items.map(({ path, template, schema }) => ({
    path,
    print: () => templates.render(template, { ...view, modeline: printModeline(path, generated, schema) }),
  }));
}

/** The stub of the first tool with a body, in the language and module format of the project. */
function printGreet(folder: Folder): Stub | undefined {
  const { program } = load(folder);
  const tool = program?.tools.find(({ item }) => item === 'greet');
  if (program === undefined || tool === undefined) return undefined;
  const project = detectProject(folder, program.pack.handlers).value;
  const stub = printStub(tool, project, program);
  return stub === undefined ? undefined : { ...stub, text: stub.text.replace(emptyHandler, () => greetHandler) };
}

const emptyHandler = /async \([^\n]*\) => \{\n {2}throw ctx\.notImplemented\(\);\n\}/;

const greetHandler = `async ({ name, language }, ctx) => {
  ctx.log.info(\`greeting \${name}\`);
  const words = { en: 'Hello', de: 'Hallo', fr: 'Bonjour' };
  return { greeting: \`\${words[language]}, \${name}!\` };
}`;

/** `folder`: with everything else of the pack, for the reference in it. */
function printReadme({ name, description, manager }: InitSettings, folder: Folder, hasGreet: boolean): string {
  const view = { name: new Code(name), description: new Code(inline(description)), hasGreet, ...wordsOf(manager) };
  const text = createTemplates().render('init-readme.md', view);
  const { program } = load(folder);
  if (program === undefined) return text;
  const reference = makeReference(program);
  return fillRegions(text, section => printSection(section, reference)).text;
}
