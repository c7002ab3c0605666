// Writes what the sources make: schema/*.schema.json, schema/validate/language.gen.ts and docs/diagnostics.md.
// Runs from the root of the repository.
// With --check nothing is written: exit code 1 and the names of the files that differ.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { CodeEntry } from '../codes/entry.js';
import { codes } from '../codes.js';
import { printLanguageModule } from './language.js';
import { printSchema, published } from './publish.js';

const opening = `# Diagnostics

Every code that \`toolwright check\` can report, with its severity, why it happens and what helps. Some codes that are a warning
in a raw \`inputSchema\` are an error in the \`parameters\` shorthand. This page is made from \`schema/codes/\`.
`;

const files = [
  ...Object.entries(published).map(([name, schema]) => ({
    path: `schema/${name}.schema.json`,
    text: printSchema(schema),
  })),
  { path: 'schema/validate/language.gen.ts', text: printLanguageModule() },
  { path: 'docs/diagnostics.md', text: printCatalogue(codes) },
];

const drifted = files.filter(
  file => !existsSync(file.path) || readFileSync(file.path, 'utf8').replaceAll('\r\n', '\n') !== file.text,
);

if (process.argv.includes('--check')) {
  for (const file of drifted) process.stderr.write(`${file.path} differs from its source: run npm run build\n`);
  process.exitCode = drifted.length > 0 ? 1 : 0;
} else {
  for (const file of drifted) writeFileSync(file.path, file.text);
}

// In: the catalogue of codes. Out: docs/diagnostics.md, one section per code.

function printCatalogue(codes: Readonly<Record<string, Omit<CodeEntry<never>, 'message'>>>): string {
  const sections = Object.entries(codes).map(
    ([code, { severity, cause, fix }]) => `## ${code}\n\n*${severity}* - ${cause}\n\n${fix}\n`,
  );
  return [opening, ...sections].join('\n');
}
