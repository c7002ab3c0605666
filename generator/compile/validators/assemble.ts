// In: the functions that ajv compiled for one tool. Out: the statements of an ES module, and what to import for them.
// ajv's own standalone code writes `require`, and every schema as a whole, whether anything refers to it or not.
import type { ValidateFunction } from 'ajv';
import type { SourceCode } from 'ajv/dist/types/index.js';
import { countSteps, findSameCode } from '../../../schema/json-schema/compile-ajv.js';

interface Assembly {
  /** The name of each function, in the order in which they were given. */
  readonly names: readonly string[];
  /** What to import from toolwright/support, sorted. */
  readonly imports: readonly string[];
  readonly statements: readonly string[];
}

/** The code that ajv gives for its helpers. It is compared as a whole: no text of a schema is ever taken for one. */
const helpers: ReadonlyMap<string, string> = new Map([
  ['require("ajv/dist/runtime/ucs2length").default', 'ucs2length'],
  ['require("ajv/dist/runtime/equal").default', 'equal'],
  [findSameCode, 'findSame'],
]);

/** Lays out the functions and all that they refer to: each once, in the order of the references. `printSchema`: as an expression. */
export function assemble(roots: readonly ValidateFunction[], printSchema: (schema: unknown) => string): Assembly {
  const sources = new Set<SourceCode>();
  const constants = new Map<string, string>();
  const imports = new Set<string>();

  const visit = (validate: unknown): string => {
    const source = sourceOf(validate);
    if (sources.has(source)) return source.validateName.str;
    sources.add(source);
    for (const names of Object.values(source.scopeValues)) {
      for (const { prefix, str: name, value } of names ?? []) {
        if (prefix === 'validate') visit(value?.ref);
        else if (prefix === 'root' || prefix === 'wrapper') {
          // A function that was still being compiled: this one, or one that refers to it.
          const wrapped = value?.ref as { readonly validate?: ValidateFunction } | undefined;
          // A dynamic anchor that leads back to itself is compiled under another wrapper, and ajv leaves this one empty.
          constants.set(name, wrapped?.validate === undefined ? '{}' : `{validate: ${visit(wrapped.validate)}}`);
        } else if (!constants.has(name) && mentions(source.validateCode, name)) {
          constants.set(name, prefix === 'schema' ? printSchema(value?.ref) : printCode(`${value?.code}`));
        }
      }
    }
    return source.validateName.str;
  };

  /** Helpers and formats are imported; the other constants (regular expressions, mostly) are complete as they are. */
  const printCode = (code: string): string => {
    const helper = helpers.get(code);
    if (helper !== undefined) imports.add(helper);
    else if (/^formats[.[]/.test(code)) imports.add('formats');
    else if (/^require\b|^undefined$/.test(code))
      throw new Error(`validators need ${code}, which toolwright/support does not have`);
    return helper ?? code;
  };

  const names = roots.map(visit);
  return {
    names,
    imports: [...imports].sort(),
    statements: [
      ...Array.from(constants, ([name, code]) => `const ${name} = ${code};`),
      ...Array.from(sources, printFunction),
    ],
  };
}

function sourceOf(validate: unknown): SourceCode {
  const source = typeof validate === 'function' ? (validate as ValidateFunction).source : undefined;
  if (source === undefined) throw new Error('ajv compiled a validator without its source');
  return source;
}

/** A name inside a string of the code is taken for a use, which costs a constant and nothing else. */
function mentions(code: string, name: string): boolean {
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + 1)) {
    const next = code.charCodeAt(at + name.length);
    if (!(next >= 0x30 && next <= 0x39)) return true;
  }
  return false;
}

function printFunction({ validateName, validateCode, evaluated }: SourceCode): string {
  const code = tidy(countSteps(validateCode.trimEnd()));
  return evaluated === undefined ? code : `${code}\n${validateName}.evaluated = ${evaluated};`;
}

// What ajv leaves out by itself, too, with a little more, but it takes a third of the time for a tool.

/** What stands in a string never looks like a line of its own: a line break in it is escaped. */
const counted = /^const (_errs\d+) = errors;$/;
const compared = /^var (valid\d+) = (_errs\d+) === errors;$/;
/** `props0` may be `true`, for all properties. ajv's functions ignore this assignment then, a module throws. */
const evaluated = /^(props\d+)(\[key\d+\] = true;)$/gm;
const emptyElse = /\nelse \{\n\}(?=\n)/g;
const emptyTypeTest = /\nif\(typeof data\d* == "(?:number|string)"\)\{\n\}(?=\n(?!else))/g;

/**
 * Leaves out error counts that nothing compares, results that nothing reads and branches without statements, and
 * guards what only works outside of modules.
 *
 * @example tidy('const _errs1 = errors;\nreturn true;') // 'return true;'
 */
export function tidy(code: string): string {
  // A name inside a string counts as a use, which only keeps a line that could go.
  const uses = new Map<string, number>();
  for (const [name] of code.matchAll(/\b(?:_errs|valid)\d+\b/g)) add(uses, name, 1);
  const lines = code.split('\n');
  const parts = lines.map(line => compared.exec(line));
  for (const part of parts) add(uses, part?.[1], -1);
  // Now `uses` has only the reading uses of results.
  const results = lines.filter((_, index) => {
    const [, result, count] = parts[index] ?? [];
    if (result === undefined || (uses.get(result) ?? 0) > 0) return true;
    add(uses, count, -1);
    return false;
  });
  const kept = results.filter(line => {
    const count = counted.exec(line)?.[1];
    return count === undefined || (uses.get(count) ?? 0) > 1;
  });
  return kept
    .join('\n')
    .replaceAll(emptyElse, '')
    .replaceAll(emptyTypeTest, '')
    .replaceAll(evaluated, 'if ($1 !== true) $1$2');
}

function add(uses: Map<string, number>, name: string | undefined, change: number): void {
  if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + change);
}
