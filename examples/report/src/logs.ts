// Log files, and the report on them.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pack = fileURLToPath(new URL('..', import.meta.url));

/** What one file says. */
export interface Counts {
  readonly name: string;
  readonly lines: number;
  /** By level. */
  readonly levels: Readonly<Record<string, number>>;
  /** The lines with errors. */
  readonly errors: readonly string[];
}

export async function listLogs(folder: string): Promise<{ name: string; bytes: number }[]> {
  const names = (await readdir(join(pack, folder))).filter(name => name.endsWith('.log')).sort();
  return await Promise.all(names.map(async name => ({ name, bytes: (await stat(join(pack, folder, name))).size })));
}

export async function countLevels(folder: string, name: string): Promise<Counts> {
  const lines = (await readFile(join(pack, folder, name), 'utf8')).split('\n').filter(line => line !== '');
  const levels: Record<string, number> = {};
  for (const line of lines) {
    const level = line.split(/\s+/)[1] ?? 'OTHER';
    levels[level] = (levels[level] ?? 0) + 1;
  }
  return { name, lines: lines.length, levels, errors: lines.filter(line => / ERROR /.test(line)) };
}

/** Writes the same file where it is done twice. */
export async function writeReport(
  folder: string,
  { title, detail, counts }: { title: string; detail: string; counts: readonly Counts[] },
): Promise<string> {
  const rows = counts.map(({ name, lines, levels }) => {
    const { ERROR = 0, WARN = 0 } = levels;
    return `| ${name} | ${lines} | ${WARN} | ${ERROR} |`;
  });
  const errors =
    detail === 'full' ? ['', '## Errors', '', ...counts.flatMap(one => one.errors.map(line => `- ${line}`))] : [];
  const text = [`# ${title}`, '', '| file | lines | warnings | errors |', '|---|---|---|---|', ...rows, ...errors, ''];
  const name = `${
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'report'
  }.md`;
  await mkdir(join(pack, folder), { recursive: true });
  await writeFile(join(pack, folder, name), text.join('\n'));
  return `${folder}/${name}`;
}
