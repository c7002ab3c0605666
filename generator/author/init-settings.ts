// The nouns of starting a pack, and what a folder says about them. In: a folder. Out: what is there already.
import type { Folder } from '../../runtime/load/folder.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { isMap } from '../../schema/document.js';
import { readText } from './change-book.js';
import type { ManagerChoice } from './manager-words.js';
import { findSource, isSkeleton } from './skeleton.js';

export const editors = ['vscode', 'jetbrains'] as const;
export type Editor = (typeof editors)[number];

export interface InitSettings {
  /** Of the npm package. */
  readonly name: string;
  readonly description: string;
  readonly language: 'ts' | 'js';
  readonly transport: 'stdio' | 'http';
  /** Without the tool and the prompt to start from. */
  readonly isEmpty: boolean;
  /** What package.json asks for: a range of versions, or where to find it. */
  readonly toolwright: string;
  readonly manager: ManagerChoice;
  readonly editors: readonly Editor[];
  /** The folder is the root of its repository, or in none: where workflows are found. */
  readonly isRepository: boolean;
}

export interface Found {
  readonly isPack: boolean;
  /** Undefined where there is none, or where it cannot be read. */
  readonly packageJson: Readonly<Record<string, unknown>> | undefined;
  /** There is no package, or nothing in it but what a package manager wrote. */
  readonly isNew: boolean;
  readonly hasTsconfig: boolean;
  /** A module of the author. */
  readonly source: string | undefined;
  /** Of which there are settings in the folder. */
  readonly editors: readonly Editor[];
}

export function findProjectFiles(folder: Folder): Found {
  const text = readText(folder, 'package.json');
  const packageJson = readMap(text);
  const isPack = folder.status(manifestFile) !== 'missing';
  const isNothing = text === undefined || text.replace(/^\uFEFF/, '').trim() === '';
  return {
    isPack,
    packageJson,
    isNew: isNothing || (!isPack && packageJson !== undefined && isSkeleton(packageJson, folder)),
    hasTsconfig: folder.status('tsconfig.json') === 'file',
    source: findSource(folder),
    editors: editors.filter(editor => folder.status(editorFolders[editor]) === 'folder'),
  };
}

const editorFolders: Readonly<Record<Editor, string>> = { vscode: '.vscode', jetbrains: '.idea' };

export function readMap(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text.replace(/^\uFEFF/, ''));
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function listsTypeScript(packageJson: Found['packageJson']): boolean {
  const listed = { ...(packageJson?.['devDependencies'] as object), ...(packageJson?.['dependencies'] as object) };
  return Object.hasOwn(listed, 'typescript');
}

const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** Why npm would not take a name; undefined where it would. */
export function packageNameProblem(name: string): string | undefined {
  if (name.length > 214) return 'it is longer than 214 characters';
  if (name === 'toolwright') return 'a package cannot depend on a package with its own name';
  if (name === 'node_modules' || name === 'favicon.ico') return 'npm has reserved it';
  return packageName.test(name) ? undefined : 'npm takes lower-case letters, digits, dots, dashes and underscores';
}

/**
 * A name that npm takes, from that of a folder.
 *
 * @example toPackageName('Mein Päckchen') // 'mein-packchen'
 */
export function toPackageName(folder: string): string {
  const plain = folder.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const name = plain
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replaceAll(/^[-._~]+|[-._~]+$/g, '')
    .slice(0, 100);
  return name === '' || packageNameProblem(name) !== undefined ? `my-${name || 'pack'}` : name;
}

/** The item name of the first server: the last part of the package's name. */
export function toServerName(name: string): string {
  const item = (name.split('/').at(-1) ?? '').replaceAll('~', '-').replaceAll(/^[^A-Za-z0-9]+/g, '');
  return item === '' ? 'main' : item;
}
