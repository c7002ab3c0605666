// In: a folder and what a pack in it is to be. Out: the files that make it one; what is there already is extended or kept. Nothing
// is written.
import { type Folder, joinPath } from '../../runtime/load/folder.js';
import { load } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';
import { createTemplates } from '../render/templates.js';
import type { FileChange } from './change-book.js';
import { openBook } from './change-book.js';
import { mapSchemas, printIdeaSchemas } from './editor-settings.js';
import { type Extender, type Kept, makeExtender } from './extend-files.js';
import { isPlaceholder, type Places, printTsconfig, wantedKeys, workflowView } from './init-package.js';
import { type Found, findProjectFiles, type InitSettings } from './init-settings.js';
import { plannedFolder } from './planned-folder.js';
import { printGreet, printReadme, sampleItems } from './print-sample.js';

export interface InitPlan {
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
