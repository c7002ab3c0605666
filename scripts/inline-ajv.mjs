// ajv as a part of dist/: one file in place of eighty, loaded only where validators are made.
import { createRequire } from 'node:module';

/** With what it is made of. Their licenses go along. */
export const ajvPackages = ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'];

/** An esbuild plugin, for a build that leaves packages outside. */
export const inlineAjv = {
  name: 'inline-ajv',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^(?:${ajvPackages.join('|')})(?:/|$)`) }, ({ path, importer }) => ({
      path: createRequire(importer).resolve(path),
    }));
  },
};
