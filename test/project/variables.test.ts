// The table of environment variables is complete: whatever a source reads is in it, and whatever is in it is read.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { foreignVariables, ownVariables } from '../../schema/variables.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const texts = ['cli', 'runtime', 'generator', 'schema', 'builtin/src'].flatMap(room =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && path !== 'variables.ts')
    .map(path => readFileSync(join(root, room, path), 'utf8')),
);

/** Comments show what users may write. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** `env['X']`, `env.X`, `const { X, Y: other } = process.env`, and every name of ours. */
function variablesIn(text: string): readonly string[] {
  const code = withoutComments(text);
  const direct = [
    ...code.matchAll(/\b(?:env|variables|environment)(?:\?)?(?:\.([A-Z][A-Z_]{2,})\b|(?:\?\.)?\['(\w+)'\])/g),
  ];
  const taken = [...code.matchAll(/\{([^{}]*)\} = process\.env\b/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name = '']) => name),
  );
  const ours = [...code.matchAll(/\bTOOLWRIGHT_[A-Z]+(?:_[A-Z]+)*\b(?!_)/g)].map(([name]) => name);
  return [...direct.map(([, dotted, quoted]) => dotted ?? quoted ?? ''), ...taken, ...ours];
}

const constants = new Set(['TOOLWRIGHT_BUILD', 'TOOLWRIGHT_YAML', 'TOOLWRIGHT_ESBUILD']);
const table = [...ownVariables, ...foreignVariables].map(({ name }) => name);

describe('environment variables', () => {
  it('Q4 every variable that a source reads is in the table', () => {
    const read = new Set(texts.flatMap(variablesIn).filter(name => !constants.has(name)));
    expect(read.size).toBeGreaterThan(12);
    expect([...read].filter(name => !table.includes(name))).toEqual([]);
  });

  it('Q4 the table has no variable that nothing reads', () => {
    // Colours are switched by picocolors, which reads them itself.
    const known = new Set(['NO_COLOR', 'FORCE_COLOR']);
    const all = texts.map(withoutComments).join('\n');
    expect(table.filter(name => !known.has(name) && !new RegExp(`\\b${name}\\b`).test(all))).toEqual([]);
  });

  it('a variable is found in each of the forms in which sources read one', () => {
    const text =
      "const { A_B: x, C_D = y(env['E_F']) } = process.env; env['G_H']; env.I_J; 'TOOLWRIGHT_K'; // env['L_M']";
    expect([...new Set(variablesIn(text))].sort()).toEqual(['A_B', 'C_D', 'E_F', 'G_H', 'I_J', 'L_M', 'TOOLWRIGHT_K']);
  });
});
