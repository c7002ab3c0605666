// In: package.json and the summary that it should have. Out: what is wrong with it for publishing, each with its safe change.

import { findPack, startsOf } from '../../runtime/load/find-pack.js';
import { nameOf, parentOf } from '../../runtime/load/folder.js';
import { refsInside } from '../../runtime/load/link-shared.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import type { Program, Server } from '../../runtime/load/program.js';
import { type PackSummary, summaryKey } from '../../runtime/packs/pack-summary.js';
import { findProject, installCommand } from '../../runtime/packs/package-manager.js';
import { packKeyword } from '../../runtime/packs/remote-packs.js';
import { type Diagnostic, diagnose, type Site, startOf } from '../../schema/diagnostics.js';
import { type Document, isMap } from '../../schema/document.js';
import { own } from '../../schema/json-schema/keywords.js';
import { packageOfPack, packOf, parseName } from '../../schema/names.js';
import { marker } from '../build/output-names.js';
import { aroundMark } from '../edit/byte-order-mark.js';
import { appendInJson, setInJson } from '../edit/edit-json.js';

export const packageFile = 'package.json';

export interface Finding {
  readonly diagnostic: Diagnostic;
  /** Changes the text of package.json, and what it changes in words. */
  readonly fix?: { readonly what: string; edit(text: string): string };
}

type Manifest = Readonly<Record<string, unknown>>;

/** `summary`: undefined where the pack is not fit to be summarised. */
export function checkManifest(document: Document, summary: PackSummary | undefined): readonly Finding[] {
  const manifest = isMap(document.value) ? document.value : {};
  return [
    ...checkIdentity(manifest, document),
    ...checkKeyword(manifest, document),
    ...(summary === undefined ? [] : checkSummary(manifest, document, summary)),
    ...checkDependency(manifest, document),
    ...checkRanges(manifest, document),
  ];
}

function checkIdentity(manifest: Manifest, document: Document): readonly Finding[] {
  const missing = ['name', 'version'].filter(key => typeof own(manifest, key) !== 'string');
  const findings = missing.map((key): Finding => {
    const site = Object.hasOwn(manifest, key) ? document.site([key]) : startOf(packageFile);
    return { diagnostic: diagnose('publish/incomplete', { key }, site) };
  });
  if (own(manifest, 'private') !== true) return findings;
  return [...findings, { diagnostic: diagnose('publish/private', {}, document.site(['private'], 'key')) }];
}

function checkKeyword(manifest: Manifest, document: Document): readonly Finding[] {
  const keywords = own(manifest, 'keywords');
  if (Array.isArray(keywords) && keywords.includes(packKeyword)) return [];
  const site = keywords === undefined ? startOf(packageFile) : document.site(['keywords'], 'key');
  const hint = `add "${packKeyword}" to "keywords"`;
  return [{ diagnostic: diagnose('publish/missing-keyword', { keyword: packKeyword }, site, { hint }) }];
}

const fixed = 'toolwright check --publish --fix writes it';

function checkSummary(manifest: Manifest, document: Document, summary: PackSummary): readonly Finding[] {
  const fix = {
    what: 'the summary',
    edit: (text: string) => aroundMark<never>(text, body => setInJson(body, [summaryKey], summary)),
  };
  const given = own(manifest, summaryKey);
  if (given === undefined)
    return [{ diagnostic: diagnose('publish/no-summary', {}, startOf(packageFile), { hint: fixed }), fix }];
  const before = isMap(given) ? given : {};
  const keys = new Set([...Object.keys(summary), ...Object.keys(before)]);
  const wanted: Manifest = { ...summary };
  const differs = [...keys].filter(key => JSON.stringify(own(wanted, key)) !== JSON.stringify(own(before, key)));
  if (differs.length === 0) return [];
  const site = document.site([summaryKey], 'key');
  return [{ diagnostic: diagnose('publish/stale-summary', { differs }, site, { hint: fixed }), fix }];
}

/** Of package.json: what is installed with the pack. */
const installedLists = ['dependencies', 'peerDependencies', 'optionalDependencies'];

/** Whether those who install the package get toolwright with it, or only who develops it, or nobody. */
export function howToolwrightIsListed(manifest: Manifest): 'installed' | 'dev' | 'nowhere' {
  const isIn = (key: string): boolean => {
    const list = own(manifest, key);
    return isMap(list) && Object.hasOwn(list, 'toolwright');
  };
  return installedLists.some(isIn) ? 'installed' : isIn('devDependencies') ? 'dev' : 'nowhere';
}

function checkDependency(manifest: Manifest, document: Document): readonly Finding[] {
  const listed = howToolwrightIsListed(manifest);
  if (listed === 'installed') return [];
  const isDev = listed === 'dev';
  const site = isDev ? document.site(['devDependencies', 'toolwright'], 'key') : startOf(packageFile);
  const hint = isDev ? 'devDependencies are not installed with the pack' : 'npm install toolwright';
  return [{ diagnostic: diagnose('publish/no-dependency', {}, site, { hint }) }];
}

/** Packs that items here name, told once for each; those that are missing are reported by every check. */
export function checkPacks(
  document: Document,
  { servers, program }: Pick<LoadedPack, 'servers' | 'program'>,
  folder: string,
): readonly Finding[] {
  const manifest = isMap(document.value) ? document.value : {};
  const isListed = (key: string, name: string): boolean => {
    const list = own(manifest, key);
    return isMap(list) && Object.hasOwn(list, name);
  };
  const findings = new Map<string, Finding>();
  for (const { kind, item, pack, site } of [...listedPacks(servers), ...schemaPacks(program)]) {
    if (findings.has(pack)) continue;
    const name = packageOfPack(pack);
    if (installedLists.some(key => isListed(key, name)) || !('folder' in findPack(pack, startsOf(folder, folder))))
      continue;
    const hint = isListed('devDependencies', name)
      ? `devDependencies are not installed with the pack: move "${name}" to "dependencies"`
      : installCommand(pack, findProject(folder));
    const params = { kind, item, pack, package: name };
    findings.set(pack, { diagnostic: diagnose('publish/unlisted-pack', params, site(), { hint }) });
  }
  return [...findings.values()];
}

interface PackUse {
  readonly kind: string;
  readonly item: string;
  readonly pack: string;
  site(): Site;
}

/** Items without a pack are the built-in ones. */
function listedPacks(servers: readonly Server[]): readonly PackUse[] {
  return servers.flatMap(({ kind, item, at, tools, prompts, resources }) =>
    [...tools, ...prompts, ...resources].flatMap((one): PackUse[] => {
      const pack = one.from === 'foreign' ? packOf(one.reference) : undefined;
      return one.from !== 'foreign' || pack === undefined ? [] : [{ kind, item, pack, site: () => at.site(one.path) }];
    }),
  );
}

/** X1: packs whose shared schemas are referred to. */
function schemaPacks(program: Program | undefined): readonly PackUse[] {
  if (program?.foreignSchemas === undefined) return [];
  return [...program.tools, ...program.schemas].flatMap(({ kind, item, definition, at }) =>
    refsInside(definition, []).flatMap(({ name, path }): PackUse[] => {
      const parsed = parseName(name);
      const pack = 'problem' in parsed ? undefined : packOf(parsed.name);
      return pack === undefined || pack === program.pack.name ? [] : [{ kind, item, pack, site: () => at.site(path) }];
    }),
  );
}

/** `workspace:` is not among them: those who know it write the version in its place. */
const localRange = /^(?:git\+)?(?:file|link|portal):|^\.{0,2}\/|^~\//;

function checkRanges(manifest: Manifest, document: Document): readonly Finding[] {
  return installedLists.flatMap(key => {
    const list = own(manifest, key);
    return Object.entries(isMap(list) ? list : {}).flatMap(([name, range]): Finding[] => {
      if (typeof range !== 'string' || !localRange.test(range)) return [];
      return [{ diagnostic: diagnose('publish/local-dependency', { name, range }, document.site([key, name])) }];
    });
  });
}

/** A built server that the package has and nobody is led to. */
export function checkBuilds(document: Document, packed: ReadonlySet<string>): readonly Finding[] {
  const bin = own(isMap(document.value) ? document.value : {}, 'bin');
  const named = new Set((isMap(bin) ? Object.values(bin) : [bin]).map(path => String(path).replace(/^(?:\.\/)+/, '')));
  return [...packed].flatMap((path): Finding[] => {
    if (nameOf(path) !== marker) return [];
    const entry = `${parentOf(path)}.cjs`;
    if (named.has(entry) || !packed.has(entry)) return [];
    const beside = [entry, `${parentOf(path)}.licenses.txt`].filter(file => packed.has(file));
    const patterns = [parentOf(path), ...beside].map(one => `!${one}`);
    const hint = `add ${patterns.map(one => `"${one}"`).join(', ')} to "files" (--fix does), or name it under "bin"`;
    const isListed = isMap(document.value) && Array.isArray(document.value['files']);
    const site = isListed ? document.site(['files'], 'key') : startOf(packageFile);
    const diagnostic = diagnose('publish/unused-build', { path: entry }, site, { hint });
    if (!isListed) return [{ diagnostic }];
    const edit = (text: string): string =>
      aroundMark<never>(text, body => patterns.reduce((rest, one) => appendInJson(rest, ['files'], one), body));
    return [{ diagnostic, fix: { what: `entries in "files" that leave ${entry} out`, edit } }];
  });
}
