// W48, W52 from code. In: where to list, and which packs. Out: what `toolwright list --remote` says. It is asked as a command, so that
// code and people share one registry client, one cache of what registries said, and one `--refresh`.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { packageFile } from '../load/own-package.js';
import { collectOutput } from './child-output.js';
import type { ListedServer } from './list-servers.js';

export interface RemoteListOptions {
  readonly cwd: string;
  /** Of the command, without `--remote` and `--format`. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Warnings, such as a registry that does not answer. */
  report(text: string): void;
}

/** Rejects with what the command says where it fails. */
export async function listRemote({ cwd, words, env, report }: RemoteListOptions): Promise<readonly ListedServer[]> {
  const command = fileURLToPath(packageFile('dist/cli/main.js'));
  const args = [command, 'list', '--remote', '--format', 'json', '--no-color', ...words];
  const child = spawn(process.execPath, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const { status, stdout, stderr } = await collectOutput(child);
  const said = stderr.trim().replaceAll(/^toolwright: (?:warning: )?/gm, '');
  const answer = status === 0 ? parseJson(stdout) : undefined;
  if (!isMap(answer) || !Array.isArray(answer['servers']))
    throw new Error(said === '' ? `The registry could not be asked (exit code ${status})` : said);
  if (said !== '') report(said);
  return answer['servers'] as readonly ListedServer[];
}
