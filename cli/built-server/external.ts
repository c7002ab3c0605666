// What only a server with external definitions needs: the loader, and ajv for schemas that are not those of the build. An entry of
// its own, so that other builds do not carry it.
export { compileValidators } from '../../runtime/call/compile-validators.js';
export { load } from '../../runtime/load/load.js';
