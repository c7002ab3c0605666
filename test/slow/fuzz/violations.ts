// What must hold for every pack, however broken. In: its files. Out: the rules that do not hold.
import { checkPack } from '../../../runtime/index.js';
import { explainLoaded } from '../../../runtime/load/explain.js';
import { nodeFolder } from '../../../runtime/load/folder.js';
import { load } from '../../../runtime/load/load.js';
import { makeIsBuiltIn } from '../../../runtime/load/resolve.js';
import { codes } from '../../../schema/codes.js';
import { kinds } from '../../../schema/definitions.js';
import { type Diagnostic, type Site, sortDiagnostics } from '../../../schema/diagnostics.js';
import { formatDiagnostics } from '../../../schema/print/diagnostics.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import type { PackFiles } from './seed-packs.js';

/** It is the same for all packs, and reading it would be a third of the time. */
const isBuiltIn = makeIsBuiltIn(nodeFolder);

/** Whether a definition without an error fits the published schema of its kind. */
export type SchemaTest = (kind: string, definition: unknown) => boolean;

export async function findViolations(files: PackFiles, fitsSchema: SchemaTest): Promise<readonly string[]> {
  const report = await checkPack(memoryFolder(files), { isBuiltIn });
  const found = [
    ...checkPlaces(report.diagnostics, files),
    ...checkFormats(report.diagnostics, files),
    ...checkExplanations(files),
  ];
  const [filling, cached] = await checkWithCache(files);
  const text = JSON.stringify(report);
  if (JSON.stringify(filling) !== text) found.push('a second run, which fills the cache, says something else');
  if (JSON.stringify(cached) !== text) found.push('with the cache the report is another');
  if (JSON.stringify(sortDiagnostics(report.diagnostics)) !== JSON.stringify(report.diagnostics))
    found.push('the order is wrong');
  if (report.ok) found.push(...checkAgainstSchemas(files, fitsSchema));
  if (Object.keys(Object.prototype).length > 0 || 'polluted' in {}) found.push('Object.prototype is polluted');
  return found;
}

async function checkWithCache(files: PackFiles): Promise<readonly unknown[]> {
  const stored = new Map<string, string>();
  // Through JSON, as on disk.
  const cache = {
    get: (hash: string): unknown[] | undefined => {
      const text = stored.get(hash);
      return text === undefined ? undefined : JSON.parse(text);
    },
    set: (hash: string, values: readonly unknown[]) => void stored.set(hash, JSON.stringify(values)),
  };
  return [
    await checkPack(memoryFolder(files), { cache, isBuiltIn }),
    await checkPack(memoryFolder(files), { cache, isBuiltIn }),
  ];
}

function checkPlaces(diagnostics: readonly Diagnostic[], files: PackFiles): readonly string[] {
  return diagnostics.flatMap(diagnostic => {
    const { code, message, hint, related = [] } = diagnostic;
    const wrong: string[] = [];
    if (!Object.hasOwn(codes, code)) wrong.push('has no known code');
    if (message.trim() === '' || hint === '') wrong.push('says nothing');
    if (/undefined|NaN|\[object Object\]/.test(`${message} ${hint ?? ''}`)) wrong.push(`says ${message} ${hint}`);
    for (const site of [diagnostic, ...related]) wrong.push(...checkSite(site, files));
    return wrong.map(one => `${code} ${one}`);
  });
}

function checkSite(site: Site, files: PackFiles): readonly string[] {
  const { file, line, column, endLine, endColumn } = site;
  const place = `${file}:${line}:${column}-${endLine}:${endColumn}`;
  if (endLine < line || (endLine === line && endColumn < column)) return [`ends before it starts: ${place}`];
  if (!Object.hasOwn(files, file)) return line === 1 && column === 1 ? [] : [`is in no file: ${place}`];
  const lines = (files[file] ?? '').replace(/^\ufeff/, '').split('\n');
  const isInside = (at: number, unit: number): boolean =>
    at >= 1 && at <= lines.length && unit >= 1 && unit <= (lines[at - 1] ?? '').length + 1;
  return isInside(line, column) && isInside(endLine, endColumn) ? [] : [`lies outside of the text: ${place}`];
}

function checkFormats(diagnostics: readonly Diagnostic[], files: PackFiles): readonly string[] {
  const textOf = (file: string): string | undefined =>
    Object.hasOwn(files, file) ? files[file]?.replace(/^\ufeff/, '') : undefined;
  return (['text', 'json', 'github', 'sarif'] as const).flatMap(format => {
    const printed = formatDiagnostics(diagnostics, { format, textOf });
    const wrong: string[] = [];
    if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]|\p{Surrogate}/u.test(printed))
      wrong.push(`${format} has a control character`);
    if ((format === 'json' || format === 'sarif') && typeof JSON.parse(printed) !== 'object')
      wrong.push(`${format} is not JSON`);
    if (printed !== '' && !printed.endsWith('\n')) wrong.push(`${format} does not end its last line`);
    return wrong;
  });
}

function checkExplanations(files: PackFiles): readonly string[] {
  const loaded = load(memoryFolder(files), { isBuiltIn });
  const entries = kinds.flatMap(kind => loaded.catalog[kind]);
  return entries.flatMap(({ kind, name }) => {
    const result = explainLoaded(loaded, `${kind}:${name}`);
    if ('problem' in result) return [`explain ${kind}:${name}: ${result.problem}`];
    const { fields, winner, shadowed } = result.explanation;
    const sites = [...Object.values(fields), ...shadowed, ...(winner === null ? [] : [winner])];
    return sites.flatMap(({ file, line }) =>
      checkSite({ file, line, column: 1, endLine: line, endColumn: 1 }, files).map(one => `explain ${name} ${one}`),
    );
  });
}

function checkAgainstSchemas(files: PackFiles, fitsSchema: SchemaTest): readonly string[] {
  const { catalog } = load(memoryFolder(files), { isBuiltIn });
  return kinds.flatMap(kind =>
    catalog[kind].flatMap(({ name, winner }) =>
      winner === undefined || fitsSchema(kind, winner.definition) ? [] : [`${kind} ${name} breaks its own schema`],
    ),
  );
}
