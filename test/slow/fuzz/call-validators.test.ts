// Validators that ajv compiles at run time: the same verdicts, violations and defaults as the generated ones.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadValidatorPrinter } from '../../../generator/compile/validators/print.js';
import { compileValidators } from '../../../runtime/call/compile-validators.js';
import type { Validate } from '../../../runtime/call/ports.js';
import { nodeFolder } from '../../../runtime/load/folder.js';
import { load } from '../../../runtime/load/load.js';
import { goldenFolder, listCases } from '../../generator/compile/golden-generate-cases.js';
import {
  type Check,
  evaluate,
  makeDocument,
  makeValue,
  outcomeOf,
  toolOf,
} from '../../generator/compile/validators-module.js';
import { compileModule } from '../../harness/child-module.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { draft07, draft2019, draft2020 } from '../../schema/json-schema/samples.js';

const print = await loadValidatorPrinter();
const asCheck = (validate: Validate): Check => validate as Check;

/** A value that fits a schema about half of the time: random ones hardly ever get past the first property. */
function valueFor(schema: unknown, random: Random, depth = 0): unknown {
  const { type, properties, items, enum: allowed } = Object(schema) as Record<string, unknown>;
  if (random.chance(0.1) || depth > 4) return makeValue(random, 3);
  if (Array.isArray(allowed)) return random.pick(allowed as unknown as readonly [unknown]);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object': {
      const entries = Object.entries(Object(properties)).filter(() => random.chance(0.8));
      return Object.fromEntries(entries.map(([key, inner]) => [key, valueFor(inner, random, depth + 1)]));
    }
    case 'array':
      return Array.from({ length: random.below(3) }, () => valueFor(items, random, depth + 1));
    case 'integer':
      return random.below(20);
    case 'number':
      return random.below(20) / 2;
    case 'boolean':
      return random.chance(0.5);
    case 'string':
      return random.pick(['a', 'PROJ-1', '2026-01-02', 'https://example.com'] as const);
    default:
      return makeValue(random, 2);
  }
}

describe('P21 validators compiled at run time', () => {
  it('validators compiled at run time answer as generated ones on the schemas of every golden case', async () => {
    const seen = { tools: 0, valid: 0, invalid: 0, filled: 0 };
    for (const name of listCases()) {
      const { program } = load(nodeFolder(join(goldenFolder, name, 'in')));
      const random = makeRandom(name.length);
      for (const tool of program?.tools ?? []) {
        const { validateInput, validateOutput } = evaluate(print(tool));
        const { input, output } = await compileValidators(tool);
        expect(output === undefined, `${name}/${tool.item}`).toBe(validateOutput === undefined);
        seen.tools += 1;
        for (let turn = 0; turn < 25; turn += 1) {
          for (const [generated, compiled, schema] of [
            [validateInput, input, tool.inputSchema],
            [validateOutput, output, tool.outputSchema],
          ] as const) {
            if (generated === undefined || compiled === undefined) continue;
            const value = valueFor(schema, random);
            const wanted = outcomeOf(generated, value);
            expect(outcomeOf(asCheck(compiled), value), `${name}/${tool.item} ${JSON.stringify(value)}`).toEqual(
              wanted,
            );
            seen[wanted.isValid === true ? 'valid' : 'invalid'] += 1;
            if (JSON.stringify(wanted.value) !== JSON.stringify(value)) seen.filled += 1;
          }
        }
      }
    }
    expect(seen.tools).toBeGreaterThan(60);
    expect(seen.valid).toBeGreaterThan(300);
    expect(seen.invalid).toBeGreaterThan(300);
    expect(seen.filled).toBeGreaterThan(20);
  });

  it.each([
    ['draft-07', draft07, 41],
    ['2019-09', draft2019, 42],
    ['2020-12', draft2020, 43],
  ])(
    'validators compiled at run time answer as generated ones on random schemas of %s',
    async (_name, $schema, seed) => {
      const random = makeRandom(seed);
      let compared = 0;
      for (let round = 0; round < 15; round += 1) {
        const tool = toolOf(makeDocument(random, $schema), makeDocument(random, $schema));
        let text: string;
        try {
          text = print(tool);
        } catch {
          await expect(compileValidators(tool)).rejects.toThrow('cannot be compiled');
          continue;
        }
        const { validateInput, validateOutput } = evaluate(text);
        const { input, output } = await compileValidators(tool);
        if (validateOutput === undefined || output === undefined) throw new Error('there is no validator of output');
        for (let turn = 0; turn < 12; turn += 1) {
          const value = makeValue(random);
          expect(outcomeOf(asCheck(input), value)).toEqual(outcomeOf(validateInput, value));
          expect(outcomeOf(asCheck(output), value)).toEqual(outcomeOf(validateOutput, value));
          compared += 1;
        }
      }
      expect(compared).toBeGreaterThan(100);
    },
  );

  it('validators compiled at run time compare values by the same rules, also with inherited names', async () => {
    const schema = { type: 'object', properties: { a: { const: { toString: 1 } }, b: { uniqueItems: true } } };
    const { input } = await compileValidators(toolOf(schema));
    expect(input({ a: { toString: 1 } })).toBe(true);
    expect(input({ a: { toString: 2 } })).toBe(false);
    expect(input({ b: [{ valueOf: 1 }, { valueOf: 1 }] })).toBe(false);
  });

  it('J53 validators compiled at run time fill in defaults for input, a new one each time', async () => {
    const schema = { type: 'object', properties: { tags: { type: 'array', default: [] } } };
    const { input, output } = await compileValidators(toolOf(schema, schema));
    const [one, other, result] = [{}, {}, {}] as { tags?: unknown[] }[];
    expect([input(one), input(other), output?.(result)]).toEqual([true, true, true]);
    one?.tags?.push('x');
    expect([one, other, result]).toEqual([{ tags: ['x'] }, { tags: [] }, {}]);
  });
});

describe('P21 schemas that make no validator', () => {
  it('`compileValidators` names the schema and the reason when it cannot compile', async () => {
    const tool = toolOf({ type: 'object' }, { type: 'object', $ref: '#/$defs/none' });
    await expect(compileValidators(tool)).rejects.toThrow(
      "the output schema for sample cannot be compiled: can't resolve reference #/$defs/none",
    );
  });

  it('`compileValidators` refuses $async, which would let every value pass', async () => {
    await expect(compileValidators(toolOf({ $async: true, type: 'object' }))).rejects.toThrow(
      '"$async" is not a JSON Schema keyword',
    );
  });

  it('`compileValidators` says what to do where no code can be made from strings', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-call-'));
    try {
      const module = compileModule('runtime/call/compile-validators.ts', folder);
      const script = join(folder, 'run.mjs');
      writeFileSync(
        script,
        `import { compileValidators } from ${JSON.stringify(module)};
         const inputSchema = { type: 'object', properties: { a: { [process.argv[2]]: {} } } };
         const filling = { input: 'always', output: 'always' };
         compileValidators({ item: 'get-issue', inputSchema, filling }).then(() => console.log('compiled'), error => console.log(JSON.stringify(error)));`,
      );
      const run = (keyword: string, ...flags: string[]) =>
        spawnSync(process.execPath, [...flags, script, keyword], { encoding: 'utf8' });
      const refused = run('contains', '--disallow-code-generation-from-strings');
      expect(refused.stderr).toBe('');
      expect(JSON.parse(refused.stdout)).toMatchObject({
        code: 'NEEDS_GENERATE',
        status: 500,
        suggestedFix: expect.stringContaining('toolwright generate'),
      });
      expect(run('contains').stdout).toBe('compiled\n');
      // Schemas of common keywords need no code.
      expect(run('items', '--disallow-code-generation-from-strings').stdout).toBe('compiled\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
