// In: a folder. Out: the project around it: its own pack, and the folders of its package and of all workspaces beside it
// (package.json of npm and yarn, pnpm-workspace.yaml). Reads manifests only.

import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { makePattern } from '../../schema/names.js';
import { upwards } from '../load/find-pack.js';
import { nodeFolder, readTextIn, relativePath } from '../load/folder.js';
import { manifestFile } from '../load/manifest.js';
import { createReader } from '../load/read.js';

export interface Project {
  /** The pack that the folder is in; it need not be a package. */
  readonly pack: string | undefined;
  /** The package that the folder is in, its workspace root and all members; each once, the nearest first. */
  readonly packages: readonly string[];
}

/**
 * The project around a folder.
 *
 * @example findProject('/app/packages/jira') // { pack: '/app/packages/jira', packages: ['/app/packages/jira', '/app'] }
 */
export function findProject(cwd: string): Project {
  const ways = upwards(realOf(cwd));
  const own = ways.find(folder => isThere(folder, 'package.json'));
  const pack = ways
    .slice(0, own === undefined ? undefined : ways.indexOf(own) + 1)
    .find(folder => isThere(folder, manifestFile));
  if (own === undefined) return { pack, packages: [] };
  for (const root of upwards(own)) {
    const patterns = workspacePatterns(root);
    if (patterns === undefined) continue;
    const members = expand(root, patterns);
    if (root === own || members.includes(own)) return { pack, packages: [...new Set([own, root, ...members])] };
  }
  return { pack, packages: [own] };
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

function isThere(folder: string, name: string): boolean {
  return nodeFolder(folder).status(name) !== 'missing';
}

/**
 * What a file of JSON or YAML says, where it is a map; whatever is wrong with it, it says nothing.
 *
 * @example readMap('/app', 'package.json')['dependencies']
 */
export function readMap(path: string, file: string): Readonly<Record<string, unknown>> {
  const folder = nodeFolder(path);
  if (folder.status(file) !== 'file') return {};
  const value = file.endsWith('.json')
    ? // As package managers read it, who know best what it says.
      parseJson(readTextIn(folder, file) ?? '')
    : createReader(folder).documents(file, 'yaml').value?.[0]?.value;
  return isMap(value) ? value : {};
}

/** Undefined where the folder is not a root of workspaces. */
function workspacePatterns(root: string): readonly string[] | undefined {
  const { workspaces } = readMap(root, 'package.json');
  const listed = isMap(workspaces) ? workspaces['packages'] : workspaces;
  const patterns = Array.isArray(listed) ? listed : readMap(root, 'pnpm-workspace.yaml')['packages'];
  return Array.isArray(patterns) ? patterns.filter(one => typeof one === 'string') : undefined;
}

/** Folders with a package.json that a pattern names, but none that a pattern with `!` names. */
function expand(root: string, patterns: readonly string[]): readonly string[] {
  const choices = patterns.flatMap(expandBraces);
  const isLeftOut = makeFilter(choices.filter(one => one.startsWith('!')).map(one => one.slice(1)));
  const found = choices.filter(one => !one.startsWith('!')).flatMap(pattern => walk(root, stepsOf(pattern)));
  return [...new Set(found)]
    .filter(folder => !isLeftOut(relativePath(root, folder)) && isThere(folder, 'package.json'))
    .sort();
}

/** `{a,b}/*` -> `a/*`, `b/*`; the first level only, and not without end. */
function expandBraces(pattern: string): readonly string[] {
  const [, before = '', inner, after = ''] = /^([^{]*)\{([^{}]*)\}([^{}]*)$/.exec(pattern) ?? [];
  return inner === undefined ? [pattern] : inner.split(',').map(choice => `${before}${choice}${after}`);
}

function stepsOf(pattern: string): readonly string[] {
  return pattern.split('/').filter(step => step !== '' && step !== '.');
}

function makeFilter(patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map(pattern => makePattern(stepsOf(pattern).join('/').replaceAll('**', '*')));
  return path => tests.some(test => test(path));
}

/** Never out of the root, and not through links, which may lead in circles. */
function walk(folder: string, [step, ...rest]: readonly string[]): readonly string[] {
  if (step === undefined) return [folder];
  if (step === '..') return [];
  if (!step.includes('*')) return walk(join(folder, step), rest);
  const inner = foldersIn(folder).map(name => ({ name, path: join(folder, name) }));
  if (step === '**') return [...walk(folder, rest), ...inner.flatMap(({ path }) => walk(path, [step, ...rest]))];
  const fits = makePattern(step);
  return inner.filter(({ name }) => fits(name)).flatMap(({ path }) => walk(path, rest));
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
