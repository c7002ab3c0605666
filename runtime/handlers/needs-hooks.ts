// In: a JavaScript module. Out: whether Node can import it as it is. A failed import cannot be tried again in the same
// process, so that this must be known before.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isTypeScript } from './find-handler.js';
import { modulesBehind, targetOf } from './module-graph.js';
import { isFile } from './tsconfig.js';

/** True where a module of the project imports TypeScript, or this package where Node would not find it. */
export function needsHooks(entry: string): boolean {
  for (const { path, specifiers } of modulesBehind(entry)) {
    for (const specifier of specifiers) {
      if (/^toolwright(\/|$)/.test(specifier) && !isInstalledFor(path)) return true;
      const target = targetOf(specifier, path);
      if (target !== undefined && leadsToTypeScript(target)) return true;
    }
  }
  return false;
}

function leadsToTypeScript(target: string): boolean {
  if (isTypeScript(target)) return true;
  const source = target.replace(/\.([cm]?)js$/, '.$1ts');
  return source !== target && !isFile(target) && isFile(source);
}

function isInstalledFor(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', 'toolwright', 'package.json'))) return true;
    if (dirname(folder) === folder) return false;
  }
}
