// In: a tool (or a server with inline tools). Out: what is wrong with its parameters shorthand beyond the form of each key.

import type { Subject } from '../definitions.js';
import { type Diagnostic, diagnose } from '../diagnostics.js';
import { isMap, type Locator, type Path, printPath } from '../document.js';

export function checkShorthand(subject: Subject, value: unknown, at: Locator): Diagnostic[] {
  if (!isMap(value)) return [];
  const found: Diagnostic[] = [];
  if (subject === 'tool') checkTool(value, [], at, found);
  if (subject === 'server' && Array.isArray(value['tools'])) {
    for (const [index, tool] of value['tools'].entries()) if (isMap(tool)) checkTool(tool, ['tools', index], at, found);
  }
  return found;
}

function checkTool(tool: Readonly<Record<string, unknown>>, base: Path, at: Locator, found: Diagnostic[]): void {
  for (const key of ['parameters', 'output']) {
    const map = Object.hasOwn(tool, key) ? tool[key] : undefined;
    if (isMap(map) && Object.values(map).some(isContradictory)) checkMap(map, [...base, key], at, found);
  }
}

/** Nearly none is, so that no path is made before one is found. */
function isContradictory(parameter: unknown): boolean {
  if (!isMap(parameter)) return false;
  if (parameter['required'] === true && Object.hasOwn(parameter, 'default')) return true;
  const properties = Object.hasOwn(parameter, 'properties') ? parameter['properties'] : undefined;
  if (isMap(properties) && Object.values(properties).some(isContradictory)) return true;
  return Object.hasOwn(parameter, 'items') && isContradictory(parameter['items']);
}

function checkMap(map: Readonly<Record<string, unknown>>, path: Path, at: Locator, found: Diagnostic[]): void {
  for (const [name, parameter] of Object.entries(map)) checkParameter(parameter, [...path, name], at, found);
}

function checkParameter(parameter: unknown, path: Path, at: Locator, found: Diagnostic[]): void {
  if (!isMap(parameter)) return;
  const has = (key: string): boolean => Object.hasOwn(parameter, key);
  if (has('default') && parameter['required'] === true) {
    found.push(
      diagnose('validate/required-default', { where: printPath(path) }, at.site([...path, 'required'], 'key')),
    );
  }
  if (has('properties') && isMap(parameter['properties'])) {
    checkMap(parameter['properties'], [...path, 'properties'], at, found);
  }
  if (has('items')) checkParameter(parameter['items'], [...path, 'items'], at, found);
}
