// Prints docs/commands.md from the table of commands (cli/commands.ts). With --check nothing is written: exit code 1 where the page
// differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './run.mjs';

const page = join(root, 'docs/commands.md');
const opening = `# Commands

Every command of \`toolwright\`, with its arguments and options. \`toolwright <command> --help\` prints the same in a terminal. Exit codes:
0 fine, 1 errors or differences, 2 wrong usage, 70 a bug of ours. Data goes to stdout, everything else to stderr.
This page is made from \`cli/commands.ts\`.
`;

const folder = join(root, 'node_modules/.cache/toolwright');
mkdirSync(folder, { recursive: true });
const outfile = join(folder, 'commands.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['cli/commands.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile,
  logLevel: 'warning',
  // Only the table is wanted, not what the commands do.
  plugins: [
    {
      name: 'table-only',
      setup: ({ onResolve }) =>
        onResolve({ filter: /./ }, ({ path, kind }) =>
          kind === 'dynamic-import' ? { path, external: true } : undefined,
        ),
    },
  ],
});
const { commands } = await import(pathToFileURL(outfile).href);
const text = [opening, ...commands.filter(({ isHidden }) => !isHidden).map(printCommand)].join('\n');

const isSame = existsSync(page) && readFileSync(page, 'utf8').replaceAll('\r\n', '\n') === text;
if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (!isSame) {
  console.error('docs/commands.md differs from cli/commands.ts: run npm run build');
  process.exitCode = 1;
}

function printCommand({ name, text: about, usage, arguments: values, options }) {
  const words = usage ?? ['[options]', ...values.map(([form]) => form)].join(' ');
  const shown = options.filter(([, , more]) => !more?.isHidden);
  const rows = [...values, ...shown].map(row => `| ${cell(`\`${row[0]}\``)} | ${cell(printMeaning(row))} |`);
  const first = about.charAt(0).toUpperCase() + about.slice(1);
  const table = ['| argument or option | meaning |', '|---|---|', ...rows].join('\n');
  return `## ${name}\n\n${first}.\n\n\`\`\`sh\ntoolwright ${name} ${words}\n\`\`\`\n\n${table}\n`;
}

function printMeaning([, meaning, { choices, default: value } = {}]) {
  const allowed = choices === undefined ? [] : [`one of ${choices.map(choice => `\`${choice}\``).join(', ')}`];
  const usual = value === undefined ? [] : [`default \`${value}\``];
  const more = [...allowed, ...usual].join('; ');
  return more === '' ? meaning : `${meaning} (${more})`;
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}
