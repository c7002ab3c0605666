// The handler that a new pack starts with. In: a pack with the tool `greet`. Out: its text, in the language and module format of the project.
import type { Folder } from '../../runtime/load/folder.js';
import { load } from '../../runtime/load/load.js';
import { detectProject } from '../compile/project/project.js';
import { printStub, type Stub } from '../compile/stubs/stubs.js';

/** The stub of the tool, with a body. */
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
