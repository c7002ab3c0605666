// In: what a new pack is to be. Out: its first items, the handler of its first tool, and its README.
import { type Folder, joinPath } from '../../runtime/load/folder.js';
import { load } from '../../runtime/load/load.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { detectProject } from '../compile/project/project.js';
import { printStub, type Stub } from '../compile/stubs/stubs.js';
import { inline, printSection } from '../docs/markdown.js';
import { makeReference } from '../docs/reference.js';
import { fillRegions } from '../docs/regions.js';
import { Code } from '../render/code.js';
import { createTemplates } from '../render/templates.js';
import { wordsOf } from './init-package.js';
import { type InitSettings, toServerName } from './init-settings.js';
import { printModeline, titleOf } from './print-starter.js';

interface Sample {
  readonly path: string;
  readonly print: () => string;
}

/** The manifest, a server, a tool and a prompt. */
export function sampleItems(
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
export function printGreet(folder: Folder): Stub | undefined {
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
export function printReadme({ name, description, manager }: InitSettings, folder: Folder, hasGreet: boolean): string {
  const view = { name: new Code(name), description: new Code(inline(description)), hasGreet, ...wordsOf(manager) };
  const text = createTemplates().render('init-readme.md', view);
  const { program } = load(folder);
  if (program === undefined) return text;
  const reference = makeReference(program);
  return fillRegions(text, section => printSection(section, reference)).text;
}
