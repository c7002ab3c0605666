// In: a tool's schemas. Out: ajv's compiled functions with their sources, which are never run here.
import { type Compile, loadCompiler as loadAnyCompiler } from '../../../schema/json-schema/compile-ajv.js';

export type { Compile, Mode } from '../../../schema/json-schema/compile-ajv.js';

/**
 * Loads ajv (some 70 ms the first time). What it returns starts a module: `start()` gives the compiler of one tool.
 *
 * @example
 * const start = await loadCompiler();
 * const validate = start()({ type: 'object' }, true, 'first');
 */
export function loadCompiler(): Promise<() => Compile> {
  return loadAnyCompiler(({ _ }) => ({
    source: true,
    esm: true,
    lines: true,
    formats: _`formats`,
    // See tidy.ts.
    optimize: false,
    // Only the source is wanted: what ajv makes a function of, and would have the engine parse, is this.
    process: () => 'return () => {}',
  }));
}
