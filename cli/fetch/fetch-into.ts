// In: an empty folder, a project and names of packages. Out: these are in its node_modules, with what they need, fetched by the project's
// own package manager; or why not.

import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFolder } from '../../runtime/load/folder.js';
import type { Project } from '../../runtime/packs/package-manager.js';
import { readMap } from '../../runtime/packs/workspaces.js';
import { printReport } from '../../runtime/serve/print-report.js';
import { asMap, isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { findProgram } from '../programs/find-program.js';
import { managerEnvironment, runManager } from '../programs/run-manager.js';
import { fetchWords, type Refused } from './fetch-words.js';
import { readLock, stageFiles } from './stage-files.js';

export async function fetchInto(
  stage: string,
  project: Project,
  names: readonly string[],
): Promise<Refused | undefined> {
  const { manager, lockfile, folder, listed } = project;
  const words = fetchWords(project);
  if ('reason' in words) return words;
  const wanted = Object.fromEntries(names.map(name => [name, listed.get(name) ?? '*']));
  const files = stageFiles(project, wanted);
  if (files === undefined) return { reason: `its ${lockfile?.file} cannot be used for this` };
  const program = findProgram(manager, folder);
  if (program === undefined) return { reason: `there is no ${manager} on PATH (those in node_modules are not used)` };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(stage, file), text);
  shareSettings(lockfile?.folder ?? folder, stage);
  printReport(`installing ${names.join(', ')} with ${manager}, without scripts; nothing else changes (in ${folder})`);
  const problem = await runManager(program, words.args, stage, { ...managerEnvironment(), ...words.env });
  if (problem !== undefined) return { reason: `${manager} ${problem}` };
  return names.map(name => fetchProblem(stage, project, name)).find(one => one !== undefined);
}

/** Registries and tokens of the project; a link keeps them where they are. */
function shareSettings(root: string, stage: string): void {
  for (const file of ['.npmrc', 'bunfig.toml']) {
    if (nodeFolder(root).status(file) !== 'file') continue;
    try {
      symlinkSync(join(root, file), join(stage, file));
    } catch {
      copyFileSync(join(root, file), join(stage, file));
    }
  }
}

function fetchProblem(stage: string, { lockfile, manager }: Project, alias: string): Refused | undefined {
  const { name, version } = readMap(join(stage, 'node_modules', alias), 'package.json');
  if (typeof name !== 'string' || typeof version !== 'string') return { reason: `${manager} did not fetch ${alias}` };
  if (lockfile === undefined) return undefined;
  const text = readLock(lockfile) ?? '';
  const isLocked = isPinned(lockfile.file, text, { alias, name, version });
  return isLocked ? undefined : { reason: `${lockfile.file} does not have ${alias} ${version}` };
}

// In: a lockfile, and a package that was fetched. Out: whether the lockfile has this version of it: a package manager picks another one
// where package.json and the lockfile disagree, and that is for a person to decide.

interface FetchedPackage {
  /** By which it is installed: an alias may stand for another package. */
  readonly alias: string;
  readonly name: string;
  readonly version: string;
}

/** @example isPinned('yarn.lock', 'jira@^1.0.0:\n  version "1.0.0"\n', { alias: 'jira', name: 'jira', version: '1.0.0' }) // true */
export function isPinned(file: string, text: string, { alias, name, version }: FetchedPackage): boolean {
  switch (file) {
    case 'package-lock.json':
    case 'npm-shrinkwrap.json':
      return npmVersions(text, alias).includes(version);
    case 'pnpm-lock.yaml':
      return [`${name}@${version}`, `/${name}/${version}`].some(key => hasWord(text, key));
    case 'yarn.lock':
      return yarnVersions(text, alias).includes(version);
    default:
      return hasWord(text, `${name}@${version}`);
  }
}

function npmVersions(text: string, alias: string): readonly unknown[] {
  const { packages, dependencies } = asMap(parseJson(text));
  const found = Object.entries(isMap(packages) ? packages : {})
    .filter(([path]) => path === `node_modules/${alias}` || path.endsWith(`/node_modules/${alias}`))
    .map(([, entry]) => entry);
  const old = isMap(dependencies) ? dependencies[alias] : undefined;
  return [...found, old].flatMap(entry => (isMap(entry) ? [entry['version']] : []));
}

/** Both generations of yarn: a line of descriptors, then lines with what they were resolved to. */
function yarnVersions(text: string, alias: string): readonly string[] {
  return text.split(/\r?\n(?=\S)/).flatMap(entry => {
    const [head = '', ...lines] = entry.split(/\r?\n/);
    const isIt = head.split(/,\s*/).some(one => one.replace(/^"/, '').startsWith(`${alias}@`));
    return isIt ? lines.flatMap(line => /^ {2}version:? "?([^"\s]+)"?$/.exec(line)?.[1] ?? []) : [];
  });
}

/** Not as a part of a longer name or version. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + word.length] ?? ' '}`;
    if (!/[\w.+-]/.test(around) && text[at - 1] !== '/' && !(text[at - 1] === '@' && !word.startsWith('@')))
      return true;
  }
  return false;
}
