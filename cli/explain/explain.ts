// toolwright explain <item>
import { resolve } from 'node:path';
import {
  type ExplainResult,
  type Explanation,
  explainLoaded,
  findField,
  type Place,
  pathOfField,
} from '../../runtime/load/explain.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { builtinPack } from '../../runtime/load/own-package.js';
import { makeIsBuiltIn } from '../../runtime/load/resolve.js';
import type { Code } from '../../schema/codes.js';
import { type Kind, kinds } from '../../schema/definitions.js';
import { type Diagnostic, hasErrors } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { packOf, parseName } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { namedPack } from '../pack/find-pack.js';
import {
  colors,
  findPackAround,
  type PackFlags,
  printDiagnostics,
  rebaseDiagnostics,
  workingFolder,
} from '../pack/pack-command.js';
import { type LoadedFolder, loadFolder } from '../start/load-server.js';
import { UsageError } from '../terminal/usage-error.js';

export interface ExplainFlags extends PackFlags {
  readonly field?: string;
}

/** One absurdly long name must not push all places off the screen. */
const widestField = 60;

type Found = Extract<ExplainResult, { entry: unknown }>;

export async function explainItem(item: string, flags: ExplainFlags): Promise<number> {
  const cwd = workingFolder(flags);
  const { loaded, query, pack: foreign } = findItem(item, flags, cwd);
  const { folder: pack, overlays } = loaded;
  const folders = [pack, ...overlays];
  if (loaded.manifest === undefined) {
    process.stderr.write(
      printDiagnostics(rebaseDiagnostics(loaded.diagnostics, pack, cwd), { ...flags, format: 'text' }, cwd, folders),
    );
    return 2;
  }
  const result = explainLoaded(loaded, query);
  if ('problem' in result) {
    const named = result.candidates.map(one => (foreign === undefined ? one : one.replace(':', `:${foreign}/`)));
    const choice = named.length === 0 ? '' : `: write ${named.join(' or ')}`;
    throw new UsageError(`${result.problem}${choice}`);
  }
  const explanation = move(only(flags.field, result), pack, cwd);
  const mine = rebaseDiagnostics(diagnosticsOf(result, loaded.diagnostics), pack, cwd);
  process.stdout.write(printExplanation(explanation, mine, flags, cwd, folders));
  if (!hasErrors(mine)) return 0;
  // The data has no place for them, and a failure without a reason is of no use.
  if (flags.format === 'json')
    process.stderr.write(printDiagnostics(mine, { ...flags, format: 'text', color: false, quiet: true }, cwd, folders));
  return 1;
}

/** The pack that has the item: the one that a qualified name names, else the own one, else the built-in one. */
function findItem(
  item: string,
  flags: ExplainFlags,
  cwd: string,
): { readonly loaded: LoadedFolder; readonly query: string; readonly pack?: string } {
  const [, prefix = '', name = item] = /^(server:|tool:|prompt:|resource:|schema:)(.*)$/s.exec(item) ?? [];
  const own = loadFolder(findPackAround(cwd), flags);
  if (!name.includes('/')) {
    const isBuiltIn = makeIsBuiltIn(nodeFolder);
    const isKind = (kind: Kind): boolean => prefix === '' || prefix === `${kind}:`;
    const isOwn = kinds.some(kind => isKind(kind) && own.catalog[kind].some(entry => entry.name === name));
    if (isOwn || !kinds.some(kind => isKind(kind) && isBuiltIn(kind, name))) return { loaded: own, query: item };
    return { loaded: loadFolder(builtinPack(), flags, 'builtin'), query: item };
  }
  const parsed = parseName(name);
  if ('problem' in parsed) throw new UsageError(`"${name}" is not a valid item name: ${parsed.problem}`);
  const pack = packOf(parsed.name);
  if (pack === undefined || pack === own.manifest?.name) return { loaded: own, query: item };
  return {
    loaded: loadFolder(namedPack(pack, cwd, name), flags, 'foreign', pack),
    query: `${prefix}${parsed.name.item}`,
    pack,
  };
}

/** Mistakes that concern every item of a pack, since they belong to none. */
const ofNoItem: readonly Code[] = ['overlay/not-found', 'discover/package-json'];

/** What concerns the item: everything in the files that define it, and its declaration where nothing does. */
function diagnosticsOf({ explanation, entry }: Found, all: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = new Set([entry.file, ...Object.values(explanation.fields).map(({ file }) => file)]);
  const declared = explanation.winner === null ? entry.declaration?.site() : undefined;
  return all.filter(
    ({ code, file, line }) =>
      ofNoItem.includes(code) || files.has(file) || (file === declared?.file && line === declared.line),
  );
}

function move(explanation: Explanation, pack: string, cwd: string): Explanation {
  const moved = <P extends Place>(place: P): P => {
    const [site] = rebaseDiagnostics(
      [{ ...place, column: 1, endLine: 1, endColumn: 1, code: 'parse/empty', severity: 'info', message: '' }],
      pack,
      cwd,
    );
    return { ...place, file: site?.file ?? resolve(pack, place.file) };
  };
  return {
    ...explanation,
    winner: explanation.winner === null ? null : moved(explanation.winner),
    shadowed: explanation.shadowed.map(moved),
    ...(explanation.reaches?.backend === undefined
      ? {}
      : { reaches: { ...explanation.reaches, backend: moved(explanation.reaches.backend) } }),
    fields: Object.fromEntries(Object.entries(explanation.fields).map(([field, place]) => [field, moved(place)])),
  };
}

function only(field: string | undefined, found: Found): Explanation {
  const { explanation } = found;
  if (field === undefined) return explanation;
  const place = findField(found, field);
  const { kind, item, definition, fields } = explanation;
  if (place === undefined) {
    const hint = didYouMean(field, Object.keys(fields));
    const told = `the ${kind} "${item}" has no field "${field}"${hint === undefined ? '' : `: ${hint}`}`;
    throw new UsageError(`${told} (${listFields(definition)})`);
  }
  const [top = field] = pathOfField(definition, field) ?? [];
  return { ...explanation, fields: { [field]: place }, definition: { [top]: definition[top] } };
}

function listFields(definition: Explanation['definition']): string {
  const names = Object.keys(definition);
  if (names.length === 0) return 'it has none';
  const maps = Object.entries(definition).filter(([, value]) => isMap(value) && Object.keys(value).length > 0);
  const nested = maps.find(([name]) => name === 'parameters') ?? maps[0];
  const part =
    nested === undefined ? '' : `; a part of one: --field ${nested[0]}.${Object.keys(nested[1] as object)[0]}`;
  return `it has ${names.join(', ')}${part}`;
}

function printExplanation(
  one: Explanation,
  diagnostics: readonly Diagnostic[],
  flags: ExplainFlags,
  cwd: string,
  folders: readonly string[],
): string {
  if (flags.format === 'json') return `${visibleJson(one)}\n`;
  if (flags.format !== 'text') return printDiagnostics(diagnostics, flags, cwd, folders);
  const paint = colors(flags);
  const at = ({ file, line }: Place): string => `${visible(file)}:${line}`;
  const lines = [`${paint.bold(`${one.kind} ${one.item}`)}`];
  lines.push(`  defined   ${one.winner === null ? paint.red('nowhere') : paint.cyan(at(one.winner))}`);
  for (const shadow of one.shadowed)
    lines.push(`  shadows   ${paint.cyan(at(shadow))}  ${paint.dim(visible(shadow.why))}`);
  if (one.reaches !== undefined) {
    const { what, backend } = one.reaches;
    const place =
      backend === undefined ? '' : `  ${paint.cyan(at(backend))}  ${paint.dim(`backend ${visible(backend.name)}`)}`;
    lines.push(`  ${visible(what)}${place}`);
  }
  const fields = Object.entries(one.fields).map(([field, place]) => ({ field, shown: visible(field), place }));
  const width = fields.reduce((widest, { shown }) => Math.max(widest, Math.min(shown.length, widestField)), 0);
  if (fields.length > 0) lines.push('  fields');
  for (const { field, shown, place } of fields) {
    lines.push(
      `    ${shown.padEnd(width)}  ${paint.cyan(at(place))}  ${paint.dim(preview(fieldValue(one, field)))}`.trimEnd(),
    );
  }
  const problems = diagnostics.length === 0 ? '' : `\n${printDiagnostics(diagnostics, flags, cwd, folders)}`;
  return `${lines.join('\n')}\n${problems}`;
}

function fieldValue({ definition }: Explanation, field: string): unknown {
  const path = pathOfField(definition, field) ?? [];
  const value = path.reduce<unknown>((at, key) => (Array.isArray(at) ? at[Number(key)] : own(at, key)), definition);
  return path[0] === 'options' && path.length === 2 ? own(value, 'default') : value;
}

function own(value: unknown, key: string): unknown {
  return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function preview(value: unknown): string {
  const text = visible(JSON.stringify(value) ?? '');
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
