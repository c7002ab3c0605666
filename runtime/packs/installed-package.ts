// In: the folder of a package, or a version. Out: what its package.json says of itself; which of two versions is newer.

import { isMap } from '../../schema/document.js';
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

/** By the first two numbers: no rule needs more. @example isAtLeast('20.19.1', '20.19') // true */
export function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = numbersOf(version);
  const [leastMajor = 0, leastMinor = 0] = numbersOf(least);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function numbersOf(version: string): readonly number[] {
  return version.split('.').map(part => Number.parseInt(part, 10));
}
