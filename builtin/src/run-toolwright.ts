// In: words of a command line. Out: the JSON that the command prints. A process of its own, so that nothing of a pack ever runs
// inside this server, and the same program that authors run themselves.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type CommandResult =
  | { readonly data: Readonly<Record<string, unknown>> }
  /** What it said instead, on stderr. */
  | { readonly problem: string };

export interface CommandPlace {
  /** The folder of the pack. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** What it reads from stdin. */
  readonly input?: string | undefined;
}

export async function runToolwright(
  words: readonly string[],
  { folder, signal, input }: CommandPlace,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [commandPath(), ...words, '--format', 'json'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
  });
  // A command that refuses its words ends before it has read.
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const stdout: string[] = [];
  const stderr: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void stdout.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void stderr.push(text));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  try {
    return { data: JSON.parse(stdout.join('')) as Readonly<Record<string, unknown>> };
  } catch {
    return { problem: stderr.join('').trim() || 'toolwright said nothing' };
  }
}

/** Of the very package that this pack comes with. */
function commandPath(): string {
  const manifest = createRequire(import.meta.url).resolve('toolwright/package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly bin: { readonly toolwright: string } };
  return join(dirname(manifest), bin.toolwright);
}
