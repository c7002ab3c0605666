// Writes what the sources make: schema/*.schema.json and schema/validate/language.gen.ts.
// Runs from the root of the repository.
// With --check nothing is written: exit code 1 and the names of the files that differ.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { printLanguageModule } from './language.js';
import { printSchema, published } from './publish.js';

const files = [
  ...Object.entries(published).map(([name, schema]) => ({
    path: `schema/${name}.schema.json`,
    text: printSchema(schema),
  })),
  { path: 'schema/validate/language.gen.ts', text: printLanguageModule() },
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
