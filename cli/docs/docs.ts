// toolwright docs: a reference from manifests: regions of a README, a whole Markdown text, one HTML page.
import { join, resolve } from 'node:path';
import { readText, writeText } from '../../generator/clients/client-file.js';
import { knownReasonOf } from '../../generator/compile/apply-disk.js';
import {
  fillRegions,
  missingRegions,
  printMarkdown,
  printRegion,
  regionExample,
} from '../../generator/docs/markdown.js';
import { makeReference, type Reference } from '../../generator/docs/reference.js';
import { codeOf, relativePath } from '../../runtime/load/folder.js';
import { load } from '../../runtime/load/load.js';
import { hasErrors } from '../../schema/diagnostics.js';
import { openMemory } from '../memory/memory.js';
import { findPack } from '../pack/find-pack.js';
import {
  findPackAround,
  overlaysOf,
  type PackFlags,
  printDiagnostics,
  rebaseDiagnostics,
  workingFolder,
} from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';

export interface DocsFlags extends PackFlags {
  readonly readme?: string;
  readonly html?: boolean | string;
  readonly stdout?: boolean;
  readonly check?: boolean;
  readonly force?: boolean;
}

/** A file as it should be. */
interface Page {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string;
  /** Sections that it has no region for. */
  readonly missing: readonly string[];
}

export async function docs(typed: string | undefined, flags: DocsFlags): Promise<number> {
  const cwd = workingFolder(flags);
  const pack = typed === undefined ? findPackAround(cwd) : findPack(typed, cwd);
  const cache = openMemory(pack);
  const overlays = overlaysOf(flags, cwd);
  const { program, diagnostics } = load(pack, { overlays, cache });
  cache.save();
  // A reference that leaves broken items out in silence would be wrong.
  if (program === undefined || hasErrors(diagnostics)) {
    const found = rebaseDiagnostics(diagnostics, pack, cwd);
    if (flags.format === 'json') printData({ ok: false, operations: [], diagnostics: found });
    else process.stderr.write(printDiagnostics(found, flags, cwd, [pack, ...overlays]));
    return found.some(({ code }) => code === 'discover/no-manifest') ? 2 : 1;
  }
  const reference = makeReference(program);
  if (flags.stdout) {
    process.stdout.write(
      flags.format === 'json' ? `${JSON.stringify(reference, undefined, 2)}\n` : printMarkdown(reference),
    );
    return 0;
  }
  const pages = [
    ...(flags.html === undefined || flags.readme !== undefined
      ? [readmePage(reference, resolve(pack, flags.readme ?? 'README.md'), cwd)]
      : []),
    ...(flags.html === undefined ? [] : [await htmlPage(reference, htmlFile(flags.html, pack, cwd), { cwd, flags })]),
  ];
  return settle(pages, flags, cwd);
}

function htmlFile(typed: boolean | string, pack: string, cwd: string): string {
  return typeof typed === 'string' ? resolve(cwd, typed) : join(pack, 'docs', 'index.html');
}

function readmePage(reference: Reference, file: string, cwd: string): Page {
  const shown = pathFrom(cwd, file);
  const before = readPage(file, shown);
  if (before === undefined) throw new UsageError(`${shown} does not exist: write one with a region\n${regionExample}`);
  const { text, regions, problems } = fillRegions(before, region => printRegion(region, reference));
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(`${shown}:${problem.line}:${problem.column} ${problem.problem}`);
  if (regions.length === 0)
    throw new UsageError(
      `${shown} has no region to fill: write\n${regionExample}\nwhere the reference belongs, or use --html or --stdout`,
    );
  return { file, before, after: text, missing: missingRegions(regions, reference) };
}

async function htmlPage(
  reference: Reference,
  file: string,
  { cwd, flags }: { readonly cwd: string; readonly flags: DocsFlags },
): Promise<Page> {
  const [{ printHtml }, { createTemplates }] = await Promise.all([
    import('../../generator/docs/html.js'),
    import('../../generator/render/templates.js'),
  ]);
  const shown = pathFrom(cwd, file);
  const before = readPage(file, shown);
  // A folder docs/ is often the site of a project.
  if (before !== undefined && !isOurPage(before) && !flags.force)
    throw new UsageError(
      `${shown} was not written by toolwright docs: name another file with --html, or add --force to replace it`,
    );
  return { file, before, after: printHtml(reference, createTemplates()), missing: [] };
}

/** A string in another encoding would come back with its letters broken. */
function readPage(file: string, shown: string): string | undefined {
  try {
    return readText(file);
  } catch (error) {
    const code = codeOf(error);
    const why = code?.startsWith('ERR_ENCODING') ? 'it is not UTF-8 text' : (knownReasonOf(error) ?? code);
    throw new UsageError(`${shown} cannot be read: ${why}. It was not changed`);
  }
}

function pathFrom(cwd: string, file: string): string {
  return relativePath(cwd, file);
}

function printData(data: object): void {
  process.stdout.write(`${JSON.stringify(data, undefined, 2)}\n`);
}

function settle(pages: readonly Page[], flags: DocsFlags, cwd: string): number {
  const changed = pages.filter(({ before, after }) => !isSame(before, after));
  if (!flags.check) for (const { file, after } of changed) writeText(file, after, { mode: 0o644 });
  const name = ({ file }: Page): string => pathFrom(cwd, file);
  if (flags.format === 'json') {
    const operations = pages.map(page => {
      const op = changed.includes(page) ? (page.before === undefined ? 'create' : 'replace') : 'keep';
      return { op, path: name(page), ...(page.missing.length === 0 ? {} : { missing: page.missing }) };
    });
    printData({ ok: !flags.check || changed.length === 0, operations });
  } else if (!flags.quiet || flags.check) {
    const again = flags.html === undefined ? 'toolwright docs' : 'toolwright docs --html';
    const what = flags.check ? `is out of date (run ${again})` : 'written';
    for (const page of changed) process.stderr.write(`${name(page)} ${what}\n`);
    if (changed.length === 0 && !flags.quiet) process.stderr.write('the reference is up to date\n');
    if (!flags.quiet) for (const page of pages) process.stderr.write(printMissing(page, name(page)));
  }
  return flags.check && changed.length > 0 ? 1 : 0;
}

function printMissing({ missing }: Page, shown: string): string {
  if (missing.length === 0) return '';
  return `${shown} has no region for ${missing.join(', ')}: add <!-- toolwright:${missing[0]} -->, or one <!-- toolwright:all -->\n`;
}

/** A checkout may have turned line ends. */
function isSame(before: string | undefined, after: string): boolean {
  return before?.replaceAll('\r\n', '\n') === after.replaceAll('\r\n', '\n');
}

const mark = '<meta name="generator" content="toolwright docs">';

/** Whether a string was written by `toolwright docs --html`. */
function isOurPage(text: string): boolean {
  return text.includes(mark);
}
