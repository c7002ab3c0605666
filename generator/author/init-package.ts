// In: what a new pack is to be. Out: the keys of its package.json, and its tsconfig.json.
import { joinPath } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { packKeyword } from '../../runtime/packs/remote-packs.js';
import { isMap } from '../../schema/document.js';
import type { Wanted } from './extend-files.js';
import type { Found, InitSettings } from './init-settings.js';
import { noTest } from './skeleton.js';

/** Folders of the pack, as its manifest names them. */
export interface Places {
  readonly root: string;
  readonly generated: string;
  readonly handlers: string;
  readonly dist: string;
}

export function wantedKeys(settings: InitSettings, { packageJson, isNew }: Found, places: Places): readonly Wanted[] {
  const { name, description, language, toolwright } = settings;
  const root = (key: string, value: unknown): Wanted => ({ path: [], key, value });
  return [
    ...(packageJson?.['name'] === undefined ? [root('name', name)] : []),
    ...(packageJson?.['version'] === undefined ? [root('version', '0.1.0')] : []),
    ...(isNew ? [root('description', description), root('keywords', [packKeyword]), root('type', 'module')] : []),
    // What a package holds, and what runs before it is published, is settled where there is one.
    ...(isNew ? [root('files', publishedFiles(settings, places))] : []),
    ...Object.entries(scripts(language)).flatMap(([key, value]) => wantedScript(key, value, packageJson)),
    ...(isNew ? [{ path: ['scripts'], key: 'prepack', value: prepack(language) }] : []),
    ...dependencies({ toolwright }, 'dependencies', packageJson),
    ...(language === 'ts' ? dependencies(compilers, 'devDependencies', packageJson) : []),
  ];
}

/** TypeScript is published as what it is compiled to. Schemas for editors are most of the generated code, and of use to no user of a pack. */
function publishedFiles({ language }: InitSettings, places: Places): readonly string[] {
  const code = language === 'ts' ? places.dist : places.handlers;
  const schemas = `!${joinPath(places.generated, 'schema')}`;
  return [code, places.generated, schemas, places.root, manifestFile].filter(path => path !== '');
}

function prepack(language: InitSettings['language']): string {
  const compile = language === 'ts' ? 'toolwright build --pack && ' : '';
  return `toolwright generate && ${compile}toolwright check --publish --fix`;
}

/** What is there is kept, but for what npm wrote for want of anything. */
export function isPlaceholder({ path, key }: Wanted, value: unknown): boolean {
  return path[0] === 'scripts' && key === 'test' && value === noTest;
}

const compilers = { typescript: '^5.9.0', '@types/node': '^20.19.0' };

/**
 * Each does all of its work itself: scripts such as `pretest` would run before somebody's own `test` too, and yarn runs none of them.
 * The last command gets what is typed behind a script, so that `npm test -- greet` is about one tool.
 */
export function scripts(language: InitSettings['language']): Readonly<Record<string, string>> {
  const types = language === 'ts' ? ' && toolwright typecheck' : '';
  return {
    generate: 'toolwright generate',
    check: `toolwright check --strict${types}`,
    dev: 'toolwright dev',
    test: `toolwright check --strict && toolwright generate --check${types} && toolwright test`,
    build: `toolwright generate${types} && toolwright build`,
    docs: 'toolwright docs',
  };
}

/** Where the name is taken by a script of the author, ours gets another one. Those of earlier versions of ours stay. */
function wantedScript(key: string, value: string, packageJson: Found['packageJson']): readonly Wanted[] {
  const written = writtenScript(key, packageJson);
  if (written?.startsWith('toolwright ')) return [];
  return [{ path: ['scripts'], key: scriptName(key, packageJson), value }];
}

function writtenScript(key: string, packageJson: Found['packageJson']): string | undefined {
  const scripts = packageJson?.['scripts'];
  const written = isMap(scripts) && Object.hasOwn(scripts, key) ? scripts[key] : undefined;
  return typeof written === 'string' && written !== noTest ? written : undefined;
}

/** What a script of ours is called in this package. */
export function scriptName(key: string, packageJson: Found['packageJson']): string {
  const written = writtenScript(key, packageJson);
  return written === undefined || written.startsWith('toolwright ') ? key : `mcp:${key}`;
}

/** Anyone who has a package already, in whatever kind of dependencies, has chosen a version. */
function dependencies(
  versions: Readonly<Record<string, string>>,
  kind: string,
  packageJson: Found['packageJson'],
): readonly Wanted[] {
  const listed = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(one =>
    Object.keys((packageJson?.[one] as object | undefined) ?? {}),
  );
  return Object.entries(versions)
    .filter(([name]) => !listed.includes(name))
    .map(([key, value]) => ({ path: [kind], key, value }));
}

/** `rootDir` and the generated folder beside it make `../../generated` right from sources and from the build. */
export function printTsconfig({ handlers, dist }: { handlers: string; dist: string }): string {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    rootDir: handlers === '' ? '.' : handlers,
    outDir: dist,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  };
  return `${JSON.stringify({ compilerOptions, include: [handlers === '' ? '.' : handlers] }, undefined, 2)}\n`;
}
