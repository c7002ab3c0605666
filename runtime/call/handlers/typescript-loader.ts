// The hooks that Node 20 runs in a thread of their own: an entry of the package, named by `register-hooks.ts` only.
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import type { OwnModules } from '../../load/own-package.js';
import { compileSource } from './compile-source.js';
import { isNotFound, jsonModuleOf, locate, moduleOf, sourceOf, withVersion } from './module-hooks.js';
import { createSourceProject } from './source-project.js';

const project = createSourceProject();
let own: OwnModules = {};

export const initialize: InitializeHook<{ readonly own: OwnModules }> = data => {
  own = data.own;
};

export const resolve: ResolveHook = async (specifier, context, next) => {
  const running = Object.hasOwn(own, specifier) ? own[specifier] : undefined;
  if (running !== undefined) return { url: running, shortCircuit: true };
  try {
    const found = await next(specifier, context);
    return { ...found, url: withVersion(found.url, context.parentURL) };
  } catch (error) {
    const url = isNotFound(error) ? locate(specifier, context.parentURL, project) : undefined;
    if (url === undefined) throw error;
    return { url: withVersion(url, context.parentURL), shortCircuit: true };
  }
};

export const load: LoadHook = async (url, context, next) => {
  const source = sourceOf(url, project);
  if (source !== undefined) {
    const code = await compileSource(source, project);
    return { format: 'module', source: moduleOf(source, code), shortCircuit: true };
  }
  const json = jsonModuleOf(url, context.importAttributes?.['type']);
  return json === undefined ? next(url, context) : { format: 'module', source: json, shortCircuit: true };
};
