// In: the folder of a pack. Out: what the rules of doctor look at. Nothing is run, written or remembered: a cache might be what is wrong.
import { nodeFolder, settingsFolder, settingsVariable } from '../../runtime/load/folder.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import { createReader } from '../../runtime/load/read.js';
import { checkPack } from '../../runtime/packs/check.js';
import { type ComposedServer, composeServer } from '../../runtime/packs/compose.js';
import { startsOf } from '../../runtime/packs/find-pack.js';
import { makeLookup } from '../../runtime/packs/look-up.js';
import { toPack } from '../../runtime/packs/open-pack.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { generate } from '../compile/generate.js';
import { detectProject, readTsconfig } from '../compile/project/project.js';
import type { ExaminedPack, Situation } from './finding.js';

export interface PackOptions extends Pick<Situation, 'env'> {
  readonly overlays: readonly string[];
  /** Of the compiler, as `generate` gets it: else everything that is generated would look old. */
  readonly build: string;
}

/** @example const pack = await readPack('packs/jira', { env: process.env, overlays: [], build }); */
export async function readPack(folder: string, { env, overlays, build }: PackOptions): Promise<ExaminedPack> {
  const report = await checkPack(folder, { overlays });
  const generated = await generate(folder, { build, handlers: true });
  const handlers = generated.loaded.manifest?.handlers;
  const inside = nodeFolder(folder);
  const diagnostics: Diagnostic[] = [];
  const options = handlers === undefined ? undefined : readTsconfig(createReader(inside), handlers, diagnostics);
  return {
    folder,
    report,
    generated,
    servers: composeAll(generated.loaded),
    settings: await checkSettings(folder, env[settingsVariable], overlays),
    project: handlers === undefined ? undefined : detectProject(inside, handlers).value,
    tsconfig: { options, diagnostics },
  };
}

function composeAll(loaded: LoadedPack): readonly ComposedServer[] {
  const own = toPack(loaded);
  if ('unusable' in own) return [];
  const { folder } = own.program.pack;
  const lookUp = makeLookup({ starts: startsOf(folder, folder), project: folder });
  return own.program.servers.map(server => composeServer(own, server, lookUp));
}

async function checkSettings(
  folder: string,
  text: string | undefined,
  overlays: readonly string[],
): Promise<readonly Diagnostic[]> {
  const settings = settingsFolder(text, folder);
  if (settings === undefined) return [];
  const { diagnostics } = await checkPack(folder, { overlays: [...overlays, settings] });
  return diagnostics.filter(({ file }) => file.includes(settingsVariable));
}
