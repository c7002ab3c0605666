// Makes docs/reference/ from the sources: the keys of each kind of file from the published schemas, commands, variables, exit codes and
// diagnostics from their tables, `ctx` and the API from the declarations. With --check nothing is written: exit code 1 where a page
// differs or should not be there. Needs what tsc and schema/source/make.ts have made.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printApi, printContext } from './reference/declarations.mjs';
import { loadSources } from './reference/sources.mjs';
import { printCommands, printDiagnostics, printEnvironment, printExitCodes } from './reference/tables.mjs';
import { root } from './run.mjs';

const folder = join(root, 'docs/reference');
const sources = await loadSources();
const kinds = sources.referenceKinds.map(kind =>
  sources.readKind(kind, JSON.parse(readFileSync(join(root, `schema/${kind}.schema.json`), 'utf8'))),
);

/** The index of the folder is written by hand, and `toolwright docs` writes the page of the built-in pack. */
const byOthers = ['README.md', 'builtin.md'];
const pages = {
  ...Object.fromEntries(kinds.map(kind => [`${kind.kind}.md`, sources.printMarkdown(kind)])),
  'commands.md': printCommands(sources),
  'environment.md': printEnvironment(sources),
  'exit-codes.md': printExitCodes(sources),
  'diagnostics.md': printDiagnostics(sources, kinds),
  'context.md': printContext(sources),
  'api.md': printApi(sources),
};

mkdirSync(folder, { recursive: true });
const differing = Object.entries(pages).filter(([name, text]) => read(name) !== text);
const strays = readdirSync(folder).filter(name => !(name in pages) && !byOthers.includes(name));
if (process.argv.includes('--check')) {
  for (const [name] of differing) console.error(`docs/reference/${name} differs from its source: run npm run build`);
  for (const name of strays) console.error(`docs/reference/${name} is not made by anything: remove it`);
  process.exitCode = differing.length + strays.length > 0 ? 1 : 0;
} else {
  for (const [name, text] of differing) writeFileSync(join(folder, name), text);
}

function read(name) {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : undefined;
}
