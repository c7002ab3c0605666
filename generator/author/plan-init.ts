// In: a folder and what a pack in it is to be. Out: the files that make it one; what is there already is extended or kept. Nothing
// is written.
import { type Folder, joinPath, parentOf } from '../../runtime/load/folder.js';
import { load } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';
import { fillRegions, inline, printRegion } from '../docs/markdown.js';
import { makeReference } from '../docs/reference.js';
import { Code } from '../render/code.js';
import { createTemplates } from '../render/templates.js';
import { type FileChange, openBook, plannedFolder } from './change-book.js';
import { extendEditors } from './editor-settings.js';
import { type Extender, type Kept, makeExtender } from './extend-files.js';
import { printGreet } from './greet-handler.js';
import { explainChoice, explainSkeleton, extendTsconfig } from './init-choice.js';
import { isPlaceholder, type Places, scriptName, wantedKeys } from './init-package.js';
import { type Found, findProjectFiles, type InitSettings, readMap, toServerName } from './init-settings.js';
import { codeWords, runScript, workflowView } from './manager-words.js';
import { printModeline, titleOf } from './print-starter.js';
import { keptOfSkeleton } from './skeleton.js';

interface InitPlan {
  /** Empty where an error is among the diagnostics. */
  readonly changes: readonly FileChange[];
  /** What was left as it was, and why. */
  readonly kept: readonly Kept[];
  /** For the person: why it is as it is, and what is left to do by hand. */
  readonly notes: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function planInit(folder: Folder, settings: InitSettings): InitPlan {
  const found = findProjectFiles(folder);
  const before = found.isPack ? load(folder) : undefined;
  if (before !== undefined && (before.manifest === undefined || hasErrors(before.diagnostics)))
    return { changes: [], kept: [], notes: [], diagnostics: before.diagnostics };
  const { root = 'mcp', generated = 'generated', handlers = 'src', dist = 'dist' } = before?.manifest ?? {};
  const places = { root, generated, handlers, dist };
  const book = openBook(folder);
  const extend = makeExtender(folder, book);
  // Items are the business of packs that exist already.
  if (found.isPack) extend.keep(manifestFile, 'the pack stays as it is');
  else for (const { path, print } of sampleItems(settings, places)) extend.create(path, print);
  const target = { folder, found, places };
  extendPackage(extend, settings, target);
  const packageJson = readMap(book.text('package.json')) ?? {};
  const notes = extendTsconfig(extend, settings, target);
  extendProject(extend, settings, target);
  const planned = (): Folder => plannedFolder(folder, book.changes());
  const greet = found.isPack || settings.isEmpty ? undefined : printGreet(planned());
  if (greet !== undefined) extend.create(greet.path, () => greet.text);
  const readme = folder.list('')?.find(({ name }) => /^readme(?:\.|$)/i.test(name));
  const printPage = (): string => printReadme(settings, packageJson, planned());
  if (readme === undefined) book.put('README.md', printPage());
  else if (found.isNew && /^# \S+\s*$/.test(book.text(readme.name) ?? ''))
    // A title alone is what `yarn init` writes.
    book.put(readme.name, printPage());
  else extend.keep(readme.name);
  const broken = load(planned()).diagnostics.filter(({ severity }) => severity === 'error');
  const diagnostics = [...extend.diagnostics, ...broken];
  if (diagnostics.length > 0) return { changes: [], kept: [], notes: [], diagnostics };
  const changes = book.changes().filter(({ before: old, after }) => old !== after);
  return { changes, kept: extend.kept, notes: [...explain(), ...notes], diagnostics };

  function explain(): readonly string[] {
    if (found.isPack) return [];
    if (!found.isNew) return [explainChoice(planned(), found, places.handlers)];
    return found.packageJson === undefined ? [] : explainSkeleton(found.packageJson, packageJson, settings.language);
  }
}

/** What is to become a pack. */
interface Target {
  readonly folder: Folder;
  readonly found: Found;
  readonly places: Places;
}

function extendPackage(extend: Extender, settings: InitSettings, { folder, found, places }: Target): void {
  const { packageJson, isNew } = found;
  const keys = wantedKeys(settings, found, places);
  const options = { mayReplace: isPlaceholder };
  if (packageJson === undefined || !isNew) {
    extend.json('package.json', keys, options);
    for (const { path, key } of keys)
      if (path[0] === 'scripts' && key.startsWith('mcp:'))
        extend.keep('package.json', `its own script "${key.slice(4)}"; "${key}" is Toolwright's`);
    return;
  }
  // What nobody wrote is written anew, in the order in which people look for it; `npm install` in an empty folder writes dependencies only.
  const kept = keptOfSkeleton(packageJson, folder);
  const { name = settings.name, version = '0.1.0', ...rest } = kept;
  const named = keys.filter(({ path }) => path.length === 0).map(({ key, value }) => [key, value] as const);
  const ordered = { name, version, ...Object.fromEntries(named), scripts: {}, ...rest };
  extend.json('package.json', keys, { ...options, text: `${JSON.stringify(ordered, undefined, 2)}\n` });
}

/** What editors, git and its host should know. */
function extendProject(extend: Extender, settings: InitSettings, target: Target): void {
  const { folder, found, places } = target;
  const { root, generated } = places;
  extendEditors(extend, settings.editors, { root, generated });
  const pattern = joinPath(generated, '**');
  extend.lines('.gitattributes', [`${/\s/.test(pattern) ? JSON.stringify(pattern) : pattern} linguist-generated=true`]);
  extend.lines('.gitignore', ['node_modules/', ...ignoredBuild(target), '.env']);
  const { packageJson } = found;
  const names = { test: scriptName('test', packageJson), build: scriptName('build', packageJson) };
  const workflow = '.github/workflows/toolwright.yml';
  const isAlone = (folder.list(parentOf(workflow)) ?? []).length === 0;
  if (!settings.isRepository) extend.keep(workflow, 'not written: workflows belong at the root of a repository');
  else
    extend.create(workflow, () =>
      createTemplates().render('init-workflow.yml', workflowView(settings.manager, names, isAlone)),
    );
}

/** What a build writes; where the package has such a folder or names it, its author has decided already whether git has it. */
function ignoredBuild({ folder, found, places: { dist } }: Target): readonly string[] {
  const isNamed = JSON.stringify(found.packageJson ?? {}).includes(dist);
  return found.isNew || (folder.status(dist) === 'missing' && !isNamed) ? [`${dist}/`] : [];
}

// In: what a new pack is to be. Out: its first items and its README.

interface Sample {
  readonly path: string;
  readonly print: () => string;
}

/** The manifest, a server, a tool and a prompt; the first two where nothing else is wanted. */
function sampleItems(
  { name, description, transport, isEmpty }: InitSettings,
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
  return (isEmpty ? items.slice(0, 2) : items).map(({ path, template, schema }) => ({
    path,
    print: () => templates.render(template, { ...view, modeline: printModeline(path, generated, schema) }),
  }));
}

/** `folder`: with everything else of the pack, for the reference in it. */
function printReadme(
  { name, description, manager }: InitSettings,
  packageJson: Found['packageJson'],
  folder: Folder,
): string {
  const script = (key: string): Code => new Code(runScript(manager, scriptName(key, packageJson)));
  const scripts = { test: script('test'), generate: script('generate'), docs: script('docs') };
  const view = { name: new Code(name), description: new Code(inline(description)), ...codeWords(manager), ...scripts };
  const text = createTemplates().render('init-readme.md', view);
  const { program } = load(folder);
  if (program === undefined) return text;
  const reference = makeReference(program);
  return fillRegions(text, region => printRegion(region, reference)).text;
}
