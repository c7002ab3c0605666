// In: a package, by its name or folder, or a version. Out: where it is installed, what its package.json says of itself; which of two
// versions is newer.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMap } from '../../schema/document.js';
import { upwards } from '../load/find-pack.js';
import { nodeFolder } from '../load/folder.js';
import { createReader } from '../load/read.js';

export type PackageData = Readonly<Record<string, unknown>>;

/** Undefined where there is no package, or one that cannot be read. */
export function readPackage(folder: string): PackageData | undefined {
  const inside = nodeFolder(folder);
  if (inside.status('package.json') !== 'file') return undefined;
  const value = createReader(inside).documents('package.json', 'json').value?.[0]?.value;
  return isMap(value) ? value : undefined;
}

export function versionOf(data: PackageData | undefined): string | undefined {
  const version = data?.['version'];
  return typeof version === 'string' && /^\d[\w.+-]{0,60}$/.test(version) ? version : undefined;
}

/** @example isVersion('0.1.0') // true; pre-releases count as what they lead to */
export function isVersion(text: string): boolean {
  return /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.]+)?$/.test(text);
}

/** Negative where `a` came before `b`. */
export function compareVersions(a: string, b: string): number {
  const [left = [], right = []] = [a, b].map(one => one.split('.').map(part => Number.parseInt(part, 10)));
  return [0, 1, 2].map(at => (left[at] ?? 0) - (right[at] ?? 0)).find(difference => difference !== 0) ?? 0;
}

/** @example isAtLeast('20.19.1', '20.19') // true */
export function isAtLeast(version: string, least: string): boolean {
  return compareVersions(version, least) >= 0;
}

/** The copies of a package that modules of a folder can import, the nearest first. */
export function copiesOf(name: string, start: string): readonly string[] {
  const places = upwards(start).map(folder => join(folder, 'node_modules', name));
  return places.filter(folder => existsSync(join(folder, 'package.json')));
}
