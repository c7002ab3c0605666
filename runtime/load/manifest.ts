// In: the pack's folder. Out: what toolwright.yaml and package.json say, with every default filled in.

import type { Backends } from '../../schema/backend/calls.js';
import {
  type BackendDefinition,
  type ConfigEntry,
  isBackendType,
  isConfigType,
  type Kind,
  keyOf,
  kinds,
  type ToolDefinition,
} from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, type Outcome, type Site, startOf } from '../../schema/diagnostics.js';
import { isMap, type Locator, type Path, within } from '../../schema/document.js';
import { isItemName, packNameOfPackage } from '../../schema/names.js';
import { checkTexts } from '../../schema/texts/check-texts.js';
import { hasUnsafeText } from '../../schema/texts/hidden.js';
import { typeName } from '../../schema/validate/errors.js';
import { readMeantKeys, validate } from '../../schema/validate/validate.js';
import { normalizePath } from './folder.js';
import type { Reader } from './read.js';

export const manifestFile = 'toolwright.yaml';

/** The entry in toolwright.yaml that makes an item exist. */
export interface Declaration {
  readonly name: string;
  readonly description?: string;
  /** W3: whatever else it says about the item (`parameters`, `tools`, `uri`), and where. */
  readonly more?: { readonly value: Readonly<Record<string, unknown>>; readonly at: Locator };
  site(): Site;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  /** Normalised folders; `root` is undefined where the manifest's root cannot be used. */
  readonly root: string | undefined;
  readonly rootIsGiven: boolean;
  readonly generated: string;
  readonly handlers: string;
  readonly dist: string;
  readonly context?: string;
  /** X10. */
  readonly isolate?: ToolDefinition['isolate'];
  readonly config: Readonly<Record<string, ConfigEntry>>;
  readonly backends: Backends;
  /** A kind that is absent is discovered from files; a kind that is present is a closed list. */
  readonly declarations: Readonly<Partial<Record<Kind, readonly Declaration[]>>>;
  readonly at: Locator;
}

const nowhere: Locator = {
  site: () => startOf(manifestFile),
  find: () => startOf(manifestFile),
  source: () => undefined,
};

export function readManifest(reader: Reader): Outcome<Manifest | undefined> {
  const diagnostics: Diagnostic[] = [];
  const status = reader.folder.status(manifestFile);
  if (status === 'missing') {
    const folder = reader.folder.path;
    const other = ['toolwright.yml', 'toolwright.json'].find(name => reader.folder.status(name) === 'file');
    const none = hasWorkspaces(reader)
      ? 'toolwright list shows the packs in the workspaces; go to one of their folders, or name it with --cwd'
      : `toolwright init starts a pack here; an empty ${manifestFile} will do, too`;
    const hint = other === undefined ? none : `rename ${other} to ${manifestFile}`;
    return {
      value: undefined,
      diagnostics: [diagnose('discover/no-manifest', { folder }, startOf(manifestFile), { hint })],
    };
  }
  if (status !== 'file') {
    const wrong = status === 'outside' ? 'resolve/path-escape' : 'read/not-a-file';
    return { value: undefined, diagnostics: [diagnose(wrong, { path: manifestFile }, startOf(manifestFile))] };
  }
  const read = reader.documents(manifestFile, 'yaml');
  // W10: an empty pack is valid.
  const isEmpty = read.diagnostics.length === 1 && read.diagnostics[0]?.code === 'parse/empty';
  if (!isEmpty) addAll(diagnostics, read.diagnostics);
  const [document, second] = read.value ?? [];
  if (second !== undefined) diagnostics.push(diagnose('parse/multiple-documents', {}, second.site([])));
  if (document === undefined && !isEmpty) return { value: undefined, diagnostics };
  const at = document ?? nowhere;
  const value = document?.value ?? {};
  const wrong = validate('pack', value, at);
  addAll(diagnostics, wrong);
  if (reader.mayHide()) addAll(diagnostics, checkTexts(value, at));
  const manifest = isMap(value) ? value : {};
  const meant = wrong.length === 0 ? { value, at } : readMeantKeys('pack', value, at);
  const named = readPackageJson(reader, diagnostics);
  const text = (key: string): string | undefined => {
    const found = Object.hasOwn(manifest, key) ? manifest[key] : undefined;
    return typeof found === 'string' ? found : undefined;
  };
  const name = text('name');
  if (name !== undefined && named.name !== undefined && name !== packNameOfPackage(named.name)) {
    const params = { manifest: name, packageName: named.name };
    diagnostics.push(
      diagnose('resolve/name-mismatch', params, at.site(['name']), {
        hint: `write ${packNameOfPackage(named.name)}, or remove the line`,
      }),
    );
  }
  const path = (key: string, fallback: string): string | undefined => {
    const given = text(key) ?? fallback;
    const inside = normalizePath(given);
    if (inside === undefined) diagnostics.push(diagnose('resolve/path-escape', { path: given }, at.site([key])));
    return inside;
  };
  const description = text('description');
  const context = text('context');
  const isolate = text('isolate');
  return {
    value: {
      name: name ?? (named.name === undefined ? folderName(reader.folder.path) : packNameOfPackage(named.name)),
      version: text('version') ?? named.version ?? '0.0.0',
      ...(description === undefined ? {} : { description }),
      // A root of the wrong type is not a root: looking into the default one would only add noise.
      root: Object.hasOwn(manifest, 'root') && text('root') === undefined ? undefined : path('root', 'mcp'),
      rootIsGiven: text('root') !== undefined,
      generated: path('generated', 'generated') ?? 'generated',
      handlers: path('handlers', 'src') ?? 'src',
      dist: path('dist', 'dist') ?? 'dist',
      ...(context === undefined ? {} : { context }),
      // Another value has its diagnostic already.
      ...(isolate === 'thread' || isolate === 'none' ? { isolate } : {}),
      // Tools that require what stands under a misspelt `config` are right.
      config: readConfig(isMap(meant.value) ? meant.value['config'] : undefined),
      backends: readBackends(isMap(meant.value) ? meant.value['backends'] : undefined),
      declarations: readDeclarations(manifest, at, diagnostics),
      at: meant.at,
    },
    diagnostics,
  };
}

function hasWorkspaces(reader: Reader): boolean {
  if (reader.folder.status('pnpm-workspace.yaml') === 'file') return true;
  const value =
    reader.folder.status('package.json') === 'file' && reader.documents('package.json', 'json').value?.[0]?.value;
  return isMap(value) && Object.hasOwn(value, 'workspaces');
}

function folderName(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter(step => step !== '')
      .at(-1) ?? 'pack'
  );
}

function readPackageJson(reader: Reader, diagnostics: Diagnostic[]): { name?: string; version?: string } {
  const file = 'package.json';
  const status = reader.folder.status(file);
  if (status === 'missing') return {};
  if (status !== 'file') {
    diagnostics.push(diagnose('discover/package-json', { reason: 'it is not a file in this pack' }, startOf(file)));
    return {};
  }
  const read = reader.documents(file, 'json');
  const broken = read.diagnostics.find(({ severity }) => severity === 'error');
  if (broken !== undefined) {
    diagnostics.push(diagnose('discover/package-json', { reason: broken.message }, broken));
    return {};
  }
  const [document] = read.value ?? [];
  const value = document?.value;
  if (document === undefined || !isMap(value)) return {};
  for (const key of ['name', 'version']) {
    if (!Object.hasOwn(value, key) || typeof value[key] === 'string') continue;
    const params = { key, actual: typeName(value[key]) };
    diagnostics.push(diagnose('discover/package-field', params, document.site([key])));
  }
  const { name, version } = value;
  return {
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(typeof version === 'string' ? { version } : {}),
  };
}

function readConfig(value: unknown): Readonly<Record<string, ConfigEntry>> {
  if (!isMap(value)) return {};
  const entries = Object.entries(value)
    .map(([name, entry]) => [name, typeof entry === 'string' ? { type: entry } : entry] as const)
    // What is not of this form has its diagnostic already.
    .filter(([, entry]) => isMap(entry) && isConfigType(entry['type']));
  return Object.fromEntries(entries) as Record<string, ConfigEntry>;
}

/** The well-formed ones; what is malformed has its diagnostic from `validate` already. */
function readBackends(value: unknown): Backends {
  if (!isMap(value)) return {};
  const entries = Object.entries(value).filter(([, one]) => isMap(one) && isBackendType(one['type']));
  return Object.fromEntries(entries) as Record<string, BackendDefinition>;
}

/** The well-formed declarations; what is malformed has its diagnostic from `validate` already. */
function readDeclarations(
  manifest: Readonly<Record<string, unknown>>,
  at: Locator,
  diagnostics: Diagnostic[],
): Partial<Record<Kind, readonly Declaration[]>> {
  const all: Partial<Record<Kind, readonly Declaration[]>> = {};
  for (const kind of kinds) {
    const key = keyOf(kind);
    const list = Object.hasOwn(manifest, key) ? manifest[key] : undefined;
    if (!Array.isArray(list)) continue;
    const seen = new Map<string, Declaration>();
    for (const [index, entry] of list.entries()) {
      const declaration = readDeclaration(entry, [key, index], at);
      if (declaration === undefined) continue;
      const first = seen.get(declaration.name);
      if (first === undefined) seen.set(declaration.name, declaration);
      else {
        const related = [{ ...first.site(), message: 'first declared here' }];
        const params = { kind, item: declaration.name };
        diagnostics.push(diagnose('resolve/duplicate-declaration', params, declaration.site(), { related }));
      }
    }
    all[kind] = [...seen.values()];
  }
  return all;
}

/** W1-W3: `x`, `[x, description]` or `{name: x, description, ...}`. */
function readDeclaration(entry: unknown, path: Path, at: Locator): Declaration | undefined {
  const [name, description, nameStep] = Array.isArray(entry)
    ? [entry[0], entry[1], 0]
    : isMap(entry)
      ? [entry['name'], entry['description'], 'name']
      : [entry, undefined, undefined];
  if (typeof name !== 'string' || !isItemName(name)) return undefined;
  return {
    name,
    // It would reach models where the definition has none.
    ...(typeof description === 'string' && !hasUnsafeText(description) ? { description } : {}),
    ...(isMap(entry) ? { more: { value: entry, at: within(at, path) } } : {}),
    site: () => at.site(nameStep === undefined ? path : [...path, nameStep]),
  };
}
