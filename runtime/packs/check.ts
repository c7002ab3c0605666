// In: a loaded pack. Out: the report of `check`: everything that loading found, and whether defaults and examples fit.
import { type Kind, keyOf, kinds } from '../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, hasErrors, type Site, sortDiagnostics } from '../../schema/diagnostics.js';
import { asText, isMap, type Locator, type Path, pathOfPointer, printPath } from '../../schema/document.js';
import type { SchemaSource } from '../../schema/json-schema/check-context.js';
import type { Violation } from '../../schema/json-schema/reasons.js';
import { checkValues, makeValueCheck, openValueChecker, type ValueChecker } from '../../schema/json-schema/values.js';
import { printName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { findPlaceholders } from '../../schema/placeholders.js';
import { findStrayFiles } from '../load/discover.js';
import { startsOf } from '../load/find-pack.js';
import { type Folder, joinPath, type NotedFolder, nodeFolder, noteFiles, relativePath } from '../load/folder.js';
import { findLostPages, takesResources } from '../load/link-checks.js';
import { findDataRefs } from '../load/link-shared.js';
import type { LinkedTool } from '../load/link-tool.js';
import { type LoadedPack, type LoadOptions, load } from '../load/load.js';
import type { Prompt } from '../load/program.js';
import { type ComposedServer, composeServer, dependsOnOthers, foreignPacks, pickItems } from './compose.js';
import { checkLock, type Lock, readLock } from './lock.js';
import { checkPatches, makeLookup, type PackLookup } from './look-up.js';
import { toPack } from './open-pack.js';

export interface CheckReport {
  readonly ok: boolean;
  /** Null where there is no usable toolwright.yaml. */
  readonly pack: string | null;
  readonly version: string | null;
  readonly items: Readonly<Record<`${Kind}s`, readonly string[]>>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks a pack without running any of its code: everything wrong with it, in one run.
 *
 * @example
 * const report = await checkPack('packs/jira');
 * if (!report.ok) console.error(report.diagnostics);
 */
export async function checkPack(where: string | Folder, options: LoadOptions = {}): Promise<CheckReport> {
  const folder = typeof where === 'string' ? nodeFolder(where) : where;
  const noted = noteFiles(folder);
  const overlays = (options.overlays ?? []).map(one => noteFiles(typeof one === 'string' ? nodeFolder(one) : one));
  const loaded = load(noted.folder, { ...options, overlays: overlays.map(one => one.folder) });
  const root = loaded.manifest?.root;
  const strays = root === undefined ? [] : findStrayFiles({ folder, root, isUsed: noted.isNoted });
  const foreign = checkForeign(loaded, () => lookUpFor(loaded, options), {
    read: () => readLock(folder),
    plain: () => (options.overlays?.length ? lookUpFor(loaded, { ...options, overlays: [] }) : undefined),
  });
  const diagnostics = sortDiagnostics([
    ...loaded.diagnostics,
    ...strays,
    ...overlays.flatMap(one => findStrayPatches(one, loaded)),
    ...findShadowedEntries(loaded),
    ...findPlaceholderTexts(loaded),
    ...(await checkContents(loaded)),
    ...foreign,
  ]);
  const names = (kind: Kind): readonly string[] => loaded.catalog[kind].map(({ name }) => name);
  return {
    ok: !hasErrors(diagnostics),
    pack: loaded.manifest?.name ?? null,
    version: loaded.manifest?.version ?? null,
    items: Object.fromEntries(kinds.map(kind => [keyOf(kind), names(kind)])) as Record<`${Kind}s`, readonly string[]>,
    diagnostics,
  };
}

function findStrayPatches({ folder, isNoted }: NotedFolder, { catalog, program }: LoadedPack): readonly Diagnostic[] {
  const prefix = relativePath(program?.pack.folder ?? '', folder.path);
  const kindOf = (item: string): Kind | undefined =>
    kinds.find(kind => catalog[kind].some(({ name }) => name === item));
  const overlay = { shown: (path: string) => joinPath(prefix, path), kindOf };
  return findStrayFiles({ folder, root: '', isUsed: isNoted, overlay });
}

/** Other packs are found from the pack's own folder, as its code would find them. */
function lookUpFor({ program }: LoadedPack, { overlays, cache, open }: LoadOptions): PackLookup {
  const folder = program?.pack.folder ?? '';
  return makeLookup({
    starts: startsOf(folder, folder),
    project: folder,
    overlays,
    open,
    ...(cache === undefined ? {} : { cache }),
  });
}

/** Which definition wins is a rule that servers need not repeat; the author of the other one wants to know. */
function findShadowedEntries({ catalog }: LoadedPack): readonly Diagnostic[] {
  return kinds.flatMap(kind =>
    catalog[kind].flatMap(({ name: item, winner, file: used = '', shadowed }) =>
      shadowed
        // A broken file is reported as that.
        .filter(({ isEntry }) => isEntry && winner !== undefined)
        .map(({ file: ignored, site }) => diagnose('resolve/shadowed-entry', { kind, item, used, ignored }, site())),
    ),
  );
}

function findPlaceholderTexts(loaded: LoadedPack): readonly Diagnostic[] {
  return placeholdersOf(loaded).map(({ text, site }) => diagnose('text/placeholder', { text }, site));
}

/** The texts of a pack that its author has not written yet. */
export function placeholdersOf({ catalog }: LoadedPack): readonly { readonly text: string; readonly site: Site }[] {
  return kinds.flatMap(kind =>
    catalog[kind].flatMap(({ winner }) => {
      if (winner === undefined) return [];
      return findPlaceholders(kind, winner.definition).map(({ path, text }) => ({ text, site: winner.at.site(path) }));
    }),
  );
}

/** What only matters while authoring: a server starts without looking at defaults and examples. */
async function checkContents(loaded: LoadedPack): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const linked of loaded.tools) {
    const { input, output, hasSoundSchemas, hasValues } = linked;
    if (loaded.schemas.length > 0)
      for (const source of [input, output]) if (source !== undefined) addAll(found, findDataRefs(source));
    if (!hasValues && examplesOf(linked.tool).length === 0) continue;
    const checkers = { input: openValueChecker(input), output: output && openValueChecker(output) };
    const values = [
      ...(await checkValues(input, checkers.input)),
      ...(output === undefined ? [] : await checkValues(output, checkers.output)),
    ];
    // A wrong default would be wrong again in every example that leaves it out.
    const hasList = Array.isArray(linked.tool.definition.parameters);
    const isInputUsable = !hasList && !values.some(({ code }) => code === 'schema/invalid-default');
    checkExampleNames(linked.tool, found);
    const examples = await checkToolExamples(linked, isInputUsable, checkers);
    // Where something is wrong with the schemas already, that they cannot be used is nothing new.
    addAll(
      found,
      [...values, ...examples].filter(({ code }) => hasSoundSchemas || code !== 'schema/uncheckable'),
    );
  }
  for (const { source, hasValues } of loaded.schemas) {
    if (hasValues) addAll(found, await checkValues(source));
    addAll(found, findDataRefs(source));
  }
  for (const prompt of loaded.program?.prompts ?? []) {
    checkExampleNames(prompt, found);
    addAll(found, checkPromptExamples(prompt));
  }
  return found;
}

/** Of a malformed item too. */
function checkExampleNames(
  { definition, at }: { readonly definition: { readonly examples?: unknown }; readonly at: Locator },
  found: Diagnostic[],
): void {
  const seen = new Map<string, number>();
  for (const [index, example] of examplesOf({ definition }).entries()) {
    const name = isMap(example) ? example['name'] : undefined;
    if (typeof name !== 'string') continue;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, index);
    else {
      const related = [{ ...at.site(['examples', first, 'name']), message: 'the first one' }];
      found.push(diagnose('link/duplicate-example', { name }, at.site(['examples', index, 'name']), { related }));
    }
  }
}

async function checkToolExamples(
  { tool, input, output }: LinkedTool,
  isInputUsable: boolean,
  checkers: { readonly input: ValueChecker; readonly output: ValueChecker | undefined },
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  const uncheckable = (source: SchemaSource) => (reason: string) =>
    found.push(diagnose('schema/uncheckable', { reason }, source.site([])));
  const checkInput = makeValueCheck(input.schema, input.filling, uncheckable(input), checkers.input);
  const checkOutput = output && makeValueCheck(output.schema, output.filling, uncheckable(output), checkers.output);
  for (const [index, example] of examplesOf(tool).entries()) {
    if (!isMap(example)) continue;
    // What is not a string has its diagnostic already, and may have no form that can be printed.
    const name = asText(example['name']) || String(index + 1);
    const given = example['input'] ?? {};
    // An example of a refused call is meant to have a bad input; one that is not a map has its diagnostic already.
    const isMeant = !isInputUsable || example['error'] === 'BAD_ARGUMENTS' || !isMap(given);
    report(
      'example/input',
      ['examples', index, 'input'],
      given,
      isMeant ? [] : await checkInput(given, typedAt('input', given)),
    );
    const { output: result } = example;
    if (result === undefined || checkOutput === undefined) continue;
    report(
      'example/output',
      ['examples', index, 'output'],
      result,
      await checkOutput(result, typedAt('output', result)),
    );

    function typedAt(key: 'input' | 'output', value: unknown) {
      return (pointer: string): string | undefined =>
        tool.at.source(['examples', index, key, ...pathOfPointer(pointer, value)]);
    }

    function report(
      code: 'example/input' | 'example/output',
      base: Path,
      value: unknown,
      wrong: readonly Violation[],
    ): void {
      for (const { pointer, reason, property, hint } of wrong) {
        const inside = [...pathOfPointer(pointer, value), ...(property === undefined ? [] : [property])];
        const site = tool.at.site([...base, ...inside], property === undefined && inside.length > 0 ? 'value' : 'key');
        const where = pointer === '' ? 'it' : printPath(pathOfPointer(pointer, value));
        found.push(diagnose(code, { example: name, reason: `${where} ${reason}` }, site, { hint }));
      }
    }
  }
  return found;
}

/** Of a malformed tool too, so that nothing about their form is taken for granted. */
function examplesOf({ definition }: { readonly definition: { readonly examples?: unknown } }): readonly unknown[] {
  return Array.isArray(definition.examples) ? definition.examples : [];
}

function checkPromptExamples(prompt: Prompt): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const known = prompt.arguments.map(({ name }) => name);
  for (const [index, example] of (prompt.definition.examples ?? []).entries()) {
    const given = example.input ?? {};
    const path = ['examples', index, 'input'];
    const name = example.name ?? String(index + 1);
    for (const key of Object.keys(given)) {
      if (known.includes(key)) continue;
      const params = { example: name, reason: `the prompt has no argument "${key}"` };
      const hint = didYouMean(key, known);
      found.push(diagnose('example/input', params, prompt.at.site([...path, key], 'key'), { hint }));
    }
    const missing = prompt.arguments.filter(one => one.required === true && !Object.hasOwn(given, one.name));
    if (missing.length > 0 && example.error === undefined) {
      const reason = `the argument ${missing.map(one => `"${one.name}"`).join(', ')} is required`;
      found.push(diagnose('example/input', { example: name, reason }, prompt.at.site(path, 'key')));
    }
  }
  return found;
}

interface LockToCheck {
  /** The lock of the pack. */
  read(): Lock;
  /** Other packs without overlays, where there are any. */
  plain(): PackLookup | undefined;
}

/** Nothing is looked up for a pack that stands alone. */
function checkForeign(loaded: LoadedPack, lookUp: () => PackLookup, locked: LockToCheck): readonly Diagnostic[] {
  const { mentions, foreignPatches } = loaded;
  const { program } = loaded;
  const servers = program === undefined ? [] : loaded.servers.filter(one => dependsOnOthers(one, program));
  if (servers.length === 0 && mentions.length === 0 && foreignPatches.length === 0) return [];
  const own = toPack(loaded);
  if ('unusable' in own) return [];
  const packs = lookUp();
  const found: Diagnostic[] = [];
  const lock = servers.length === 0 ? undefined : locked.read();
  addAll(found, lock?.diagnostics ?? []);
  const plain = lock?.state === 'read' ? locked.plain() : undefined;
  /** Anyone who installs a pack has cured everything that was missing for it. */
  const told = new Set<string>();
  const composedServers = servers.map(server => composeServer(own, server, packs));
  addAll(found, findForeignPages(loaded, composedServers));
  for (const composed of composedServers) {
    addAll(found, composed.diagnostics);
    for (const { pack } of composed.missing) told.add(pack);
    if (lock !== undefined) addAll(found, checkLock(composed, lock, plain));
  }
  for (const { reference, site } of mentions) {
    const wrong: Diagnostic[] = [];
    const { pack, missing } = pickItems('tool', { name: reference, site }, packs, wrong);
    if (missing !== undefined && told.has(missing)) continue;
    if (missing !== undefined) told.add(missing);
    if (pack === undefined) addAll(found, wrong);
    // A tool with a mistake is there all the same: the mistake is reported by the server that uses it, and by its own pack.
    const unknown = wrong.find(({ code }) => code === 'pack/unknown-item');
    if (unknown !== undefined) {
      const { hint } = unknown;
      found.push(diagnose('link/unknown-tool', { name: printName(reference) }, site(), { hint }));
    }
  }
  addAll(found, checkPatches(foreignPatches, packs, servers.flatMap(foreignPacks)));
  return found;
}

/** Pages of tools, where a server has resources of other packs. Silent where one of these packs cannot be read. */
function findForeignPages(loaded: LoadedPack, composed: readonly ComposedServer[]): readonly Diagnostic[] {
  const { program, servers, tools, catalog } = loaded;
  if (program === undefined || !servers.some(takesResources)) return [];
  if (composed.some(({ isComplete, missing }) => !isComplete || missing.length > 0)) return [];
  const own = catalog.resource.flatMap(({ winner }) => winner ?? []);
  const listed = composed.flatMap(({ resources }) => resources.map(({ item }) => item));
  return findLostPages(
    tools.map(({ tool }) => tool),
    [...own, ...program.resources, ...listed],
  );
}
