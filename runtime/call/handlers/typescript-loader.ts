// The hooks that Node 20 runs in a thread of their own: an entry of the package, named by `register-hooks.ts` only.
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import type { OwnModules } from '../../load/own-package.js';
import { compileSource } from './compile-source.js';
import { jsonModuleOf, moduleOf, resolveMissing, resolveOwn, sourceOf, withVersion } from './module-hooks.js';
import { createSourceProject } from './source-project.js';

const project = createSourceProject();
let own: OwnModules = {};

export const initialize: InitializeHook<{ readonly own: OwnModules }> = data => {
  own = data.own;
};

export const resolve: ResolveHook = async (specifier, context, next) => {
  try {
    return resolveOwn(specifier, own) ?? withVersion(await next(specifier, context), context);
  } catch (error) {
    return resolveMissing(error, specifier, context, project);
  }
};

export const load: LoadHook = async (url, context, next) => {
  const source = sourceOf(url, project);
  if (source !== undefined) return moduleOf(source, await compileSource(source, project));
  return jsonModuleOf(url, context) ?? next(url, context);
};
