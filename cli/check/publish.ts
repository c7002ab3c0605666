// toolwright check --publish [--fix]. In: the folder of a pack. Out: what is wrong with it as a package, after what can be
// fixed safely was written, where that is wanted.
import { chmodSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../../generator/compile/apply-disk.js';
import { makeWriter } from '../../generator/compile/apply-writer.js';
import { hashText } from '../../generator/compile/ledger.js';
import { checkPublish, type PackageFix } from '../../generator/publish/check-publish.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { build } from '../memory/build-id.js';
import { packedFiles } from '../programs/npm-client.js';
import type { CommonFlags } from '../terminal/flags.js';

export interface Published {
  readonly diagnostics: readonly Diagnostic[];
  /** What was written, in words; only where that was asked for. */
  readonly fixed?: readonly string[];
}

export async function checkPublishing(
  pack: string,
  flags: CommonFlags & { readonly fix?: boolean },
): Promise<Published> {
  const { diagnostics, fix } = await checkPublish(pack, { packedFiles, build });
  if (!flags.fix) return { diagnostics };
  if (fix === undefined) return { diagnostics, fixed: [] };
  const problem = await writePackage(pack, fix);
  if (problem !== undefined) return { diagnostics: [...diagnostics, problem], fixed: [] };
  if (!flags.quiet) process.stderr.write(`toolwright: package.json: wrote ${fix.what.join(', ')}\n`);
  // What was listed may still be left out by an ignore file: only npm knows.
  const after = await checkPublish(pack, { packedFiles, build });
  return { diagnostics: after.diagnostics, fixed: fix.what };
}

/** In one step, and only where the file is still what was looked at. A link is followed, and stays one. */
async function writePackage(pack: string, { before, after }: PackageFix): Promise<Diagnostic | undefined> {
  const file = realpathSync(join(pack, 'package.json'));
  const { mode } = statSync(file);
  const writer = makeWriter(dirname(file), nodeDisk);
  const seen = hashText(before);
  const written = await writer.perform({ op: 'replace', path: 'package.json', role: 'generated', text: after, seen });
  if (!written.isDone) return written.diagnostic;
  if (statSync(file).mode !== mode) chmodSync(file, mode);
  return undefined;
}
