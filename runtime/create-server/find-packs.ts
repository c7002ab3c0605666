// In: folders of packs that code names, and a place to look for others. Out: each pack by name, opened once.
import { type Diagnostic, diagnose, startOf } from '../../schema/diagnostics.js';
import { findPack } from './find-pack.js';
import {
  describeErrors,
  type OpenOptions,
  type OpenPack,
  openPack,
  type PackSource,
  type UnusablePack,
} from './open-pack.js';
import type { PackLookup } from './pick-items.js';

export interface Packs {
  /** Those that code has listed, in its order. */
  readonly listed: readonly OpenPack[];
  /** Of those that code has listed and that are no packs. */
  readonly diagnostics: readonly Diagnostic[];
  readonly lookUp: PackLookup;
}

export interface FindOptions extends OpenOptions {
  readonly sources: readonly PackSource[];
  readonly report: (text: string) => void;
}

export function findPacks({ sources, report, ...options }: FindOptions): Packs {
  const open = (source: PackSource): OpenPack | UnusablePack => {
    const pack = openPack(source, options);
    const leftOut = 'unusable' in pack ? undefined : describeErrors(pack);
    if (leftOut !== undefined) report(leftOut);
    return pack;
  };
  const opened = sources.map(open);
  const listed = opened.flatMap(pack => ('unusable' in pack ? [] : [pack]));
  const known = new Map<string, ReturnType<PackLookup>>(listed.map(pack => [pack.program.pack.name, pack]));
  return {
    listed,
    diagnostics: [...opened.flatMap(pack => ('unusable' in pack ? pack.unusable : [])), ...namedTwice(listed)],
    lookUp(name) {
      const found = known.get(name) ?? find(name);
      known.set(name, found);
      return found;
    },
  };

  function find(name: string): ReturnType<PackLookup> {
    const found = findPack(name, options.cwd);
    return 'folder' in found ? open(found.folder) : found;
  }
}

function namedTwice(packs: readonly OpenPack[]): readonly Diagnostic[] {
  const names = packs.map(({ program }) => program.pack.name);
  const again = names.filter((name, index) => names.indexOf(name) < index);
  return again.map(item => diagnose('resolve/duplicate-item', { kind: 'pack', item }, startOf('options.packs')));
}
