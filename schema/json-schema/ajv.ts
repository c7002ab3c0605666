// What is used of ajv, in one module: it is loaded late, and the build makes it one file. Always ask for this one: of a
// package that is part of dist, `import()` gives no names.
export { _, Ajv } from 'ajv';
export { Ajv2019 } from 'ajv/dist/2019.js';
export { Ajv2020 } from 'ajv/dist/2020.js';
export { ValueScope } from 'ajv/dist/compile/codegen/index.js';
export { compileSchema, SchemaEnv } from 'ajv/dist/compile/index.js';
