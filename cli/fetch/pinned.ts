// In: a lockfile, and a package that was fetched. Out: whether the lockfile has this version of it: a package manager picks another one
// where package.json and the lockfile disagree, and that is for a person to decide.
import { isMap } from '../../schema/document.js';

export interface FetchedPackage {
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
  const { packages, dependencies } = readJson(text);
  const found = Object.entries(isMap(packages) ? packages : {})
    .filter(([path]) => path === `node_modules/${alias}` || path.endsWith(`/node_modules/${alias}`))
    .map(([, entry]) => entry);
  const old = isMap(dependencies) ? dependencies[alias] : undefined;
  return [...found, old].flatMap(entry => (isMap(entry) ? [entry['version']] : []));
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? value : {};
  } catch {
    return {};
  }
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
