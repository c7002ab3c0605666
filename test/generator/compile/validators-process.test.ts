// Printed modules in a process of their own, where no text can become code and there is no ajv.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadValidatorPrinter } from '../../../generator/compile/validators/print.js';
import { definitionHash } from '../../../runtime/load/program.js';
import { formats } from '../../../schema/support.js';
import { makeRandom } from '../../harness/random.js';
import { soundSchemas } from '../../schema/json-schema/samples.js';
import { evaluate, makeValue, outcomeOf, toolOf } from './validators-module.js';

const schemas = fileURLToPath(new URL('../../../schema/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-validators-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The package as a pack sees it: nothing but toolwright/support. */
beforeAll(() => {
  const installed = join(folder, 'node_modules/toolwright');
  mkdirSync(installed, { recursive: true });
  mkdirSync(join(installed, 'support'));
  const parts = readdirSync(join(schemas, 'support')).filter(name => name.endsWith('.ts'));
  for (const name of ['support.ts', ...parts.map(part => `support/${part}`)]) {
    const { outputText } = ts.transpileModule(readFileSync(join(schemas, name), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true },
    });
    writeFileSync(join(installed, name.replace(/\.ts$/, '.js')), outputText);
  }
  const manifest = { name: 'toolwright', type: 'module', exports: { './support': './support.js' } };
  writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
});

const runner = `
import { readFileSync } from 'node:fs';
let refused = false;
try { new Function('return 1'); } catch { refused = true; }
const answers = [];
for (const { file, values } of JSON.parse(readFileSync('cases.json', 'utf8'))) {
  const { hash, validateInput, validateOutput } = await import(file);
  for (const value of values) {
    const isValid = validateInput(value);
    answers.push({ hash, isValid, errors: validateInput.errors ?? null, value, output: validateOutput(value) });
  }
}
console.log(JSON.stringify({ refused, answers }));
`;

describe('P21 validators without eval', () => {
  it('validators give the same answers where no code can be made from strings', async () => {
    const print = await loadValidatorPrinter();
    const random = makeRandom(51);
    const formatted = {
      type: 'object',
      properties: Object.fromEntries(Object.keys(formats).map(format => [format, { format, default: 'x' }])),
    };
    const tools = [...Object.values(soundSchemas), formatted].map(schema => toolOf(schema, schema));
    const cases = tools.map((tool, index) => {
      const file = `./tool-${index}.js`;
      writeFileSync(join(folder, file), print(tool));
      return { file, values: [{}, { a: 'x' }, ...Array.from({ length: 4 }, () => makeValue(random))] };
    });
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
    writeFileSync(join(folder, 'run.js'), runner);
    const printed = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', 'run.js'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { refused, answers } = JSON.parse(printed);
    expect(refused).toBe(true);
    const expected = tools.flatMap((tool, index) => {
      const { validateInput, validateOutput } = evaluate(print(tool));
      return (cases[index]?.values ?? []).map(value => {
        const filled = outcomeOf(validateInput, value);
        return { hash: definitionHash(tool), ...filled, output: validateOutput?.(structuredClone(filled.value)) };
      });
    });
    expect(answers).toEqual(JSON.parse(JSON.stringify(expected)));
    expect(answers.length).toBeGreaterThan(200);
  });
});
