// In: a folder as it would be with the pack. Out: in words why its handlers are written as they are; and its tsconfig.json, such that
// an existing build goes on as before.
import type { Folder } from '../../runtime/load/folder.js';
import { createReader } from '../../runtime/load/read.js';
import { isMap } from '../../schema/document.js';
import { toJson } from '../../schema/parse/json.js';
import { detectProject, readTsconfig, type TsconfigOptions } from '../compile/project/project.js';
import { readText } from './change-book.js';
import type { Extender } from './extend-files.js';
import { type Places, printTsconfig } from './init-package.js';
import { type Found, type InitSettings, listsTypeScript } from './init-settings.js';

const tsconfigFile = 'tsconfig.json';

/** @example explainChoice(folder, found, 'src') // 'JavaScript, CommonJS: because package.json has no "type" and there is src/index.js; ...' */
export function explainChoice(folder: Folder, found: Found, handlers: string): string {
  const { language, moduleFormat } = detectProject(folder, handlers).value;
  const names = { ts: 'TypeScript', js: 'JavaScript' };
  const words = `${names[language]}, ${moduleFormat === 'esm' ? 'ES modules' : 'CommonJS'}`;
  const other = language === 'js' ? '; use --language ts for TypeScript' : '';
  const reasons = [reasonOfFormat(folder, found, handlers), reasonOfLanguage(found, language)];
  // What is read in tsconfig.json is there.
  const why = reasons[0]?.startsWith(tsconfigFile) && language === 'ts' ? reasons.slice(0, 1) : reasons;
  return `${words}: because ${why.join(' and ')}${other}`;
}

/** Of a package.json that a package manager wrote: what the pack is written in, and each of its keys that is another now. */
export function explainSkeleton(
  before: PackageJson,
  after: PackageJson,
  language: InitSettings['language'],
): readonly string[] {
  const [words, other] = language === 'ts' ? ['TypeScript', 'js for JavaScript'] : ['JavaScript', 'ts for TypeScript'];
  const changes = ['type', 'main', 'description'].flatMap(key => {
    if (before[key] === undefined || before[key] === after[key]) return [];
    return after[key] === undefined
      ? [`"${key}" is removed, because there is no ${before[key]}`]
      : [`"${key}" is now "${after[key]}"`];
  });
  return [
    `${words}, ES modules: because there is no code yet; use --language ${other}`,
    ...(changes.length === 0 ? [] : [`package.json: ${changes.join('; ')}`]),
  ];
}

type PackageJson = Readonly<Record<string, unknown>>;

function reasonOfFormat(folder: Folder, { packageJson, hasTsconfig }: Found, handlers: string): string {
  const module = hasTsconfig ? tsconfigOf(folder, handlers)?.module : undefined;
  if (module !== undefined && !/^node/i.test(module)) return `tsconfig.json has "module": "${module}"`;
  const type = packageJson?.['type'];
  return typeof type === 'string' ? `package.json has "type": "${type}"` : 'package.json has no "type"';
}

function reasonOfLanguage({ hasTsconfig, source, packageJson }: Found, language: 'ts' | 'js'): string {
  if (language === 'ts' && hasTsconfig) return 'there is tsconfig.json';
  const isOfLanguage = source !== undefined && /\.[cm]?tsx?$/.test(source) === (language === 'ts');
  if (isOfLanguage) return `there is ${source}`;
  if (language === 'js') return 'there is no tsconfig.json';
  return listsTypeScript(packageJson) ? 'package.json lists typescript' : '--language says so';
}

function tsconfigOf(folder: Folder, handlers: string): TsconfigOptions | undefined {
  return readTsconfig(createReader(folder), handlers, []);
}

/** Makes one where TypeScript needs it. An existing one stays, but where it would compile generated JavaScript. Out: what is left to do. */
export function extendTsconfig(
  extend: Extender,
  { language }: InitSettings,
  { folder, places }: { readonly folder: Folder; readonly places: Places },
): readonly string[] {
  const text = readText(folder, tsconfigFile);
  if (text === undefined) {
    if (language === 'ts') extend.create(tsconfigFile, () => printTsconfig(places));
    return [];
  }
  const own = readOwn(text);
  const { allowJs, checkJs, outDir } = tsconfigOf(folder, '') ?? {};
  const takesScripts = allowJs ?? checkJs ?? false;
  const { generated } = places;
  if (own === undefined || !takesScripts || !isIncluded(own, generated)) {
    if (language === 'ts') extend.keep(tsconfigFile);
    return [];
  }
  const excluded = own['exclude'];
  if (excluded === undefined && own['extends'] !== undefined) {
    extend.keep(tsconfigFile);
    return [
      `tsconfig.json compiles JavaScript: add "${generated}" to its "exclude", or your build compiles generated code too`,
    ];
  }
  // These are what it leaves out as long as it lists nothing.
  const usual = ['node_modules', 'bower_components', 'jspm_packages', ...(outDir === undefined ? [] : [outDir])];
  const listed = Array.isArray(excluded) ? excluded : usual;
  const value = listed.some(one => isFolder(one, generated)) ? listed : [...listed, generated];
  extend.json(tsconfigFile, [{ path: [], key: 'exclude', value }], { mayReplace: () => true });
  return [];
}

function readOwn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(toJson(text.replace(/^\uFEFF/, '')));
    return isMap(value) ? value : undefined;
  } catch {
    // The compiler of the project reports it.
    return undefined;
  }
}

/** Whether the files of a folder are among the sources: all are where nothing is listed. */
function isIncluded({ files, include }: Readonly<Record<string, unknown>>, folder: string): boolean {
  if (!Array.isArray(include)) return !Array.isArray(files);
  return include.some(pattern => {
    const [first = ''] = String(pattern)
      .replace(/^(?:\.\/)+/, '')
      .split('/');
    return first === '' || first === '.' || first.includes('*') || first === folder.split('/')[0];
  });
}

function isFolder(pattern: unknown, folder: string): boolean {
  return (
    String(pattern)
      .replace(/^(?:\.\/)+/, '')
      .replace(/\/(?:\*\*(?:\/\*)?)?$/, '') === folder
  );
}
