// What is used of ajv, in one module: it is loaded late, and the build makes it one file. Always ask for this one: of a
// package that is part of dist, `import()` gives no names.
import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Dialect } from './keywords.js';

export { _, Name, stringify } from 'ajv';
export { ValueScope } from 'ajv/dist/compile/codegen/index.js';
export { compileSchema, SchemaEnv } from 'ajv/dist/compile/index.js';

/** The compiler of a dialect. */
export function makeAjv(dialect: Dialect, options: Options): Ajv | Ajv2019 | Ajv2020 {
  switch (dialect) {
    case 'draft-07':
      return new Ajv(options);
    case '2019-09':
      return new Ajv2019(options);
    case '2020-12':
      return new Ajv2020(options);
    default:
      return dialect satisfies never;
  }
}
