// In: a server that a client is to run by `toolwright start`. Out: nothing where it can start: packs that it takes items from are there,
// installed as `start` installs them; else an exit code, the reasons having been said.
import type { Diagnostic } from '../schema/diagnostics.js';
import type { EntryPlace, InstallFlags } from './client-settings.js';
import { composeForeign } from './entry-tools.js';
import type { ChosenServer } from './install-server.js';
import { installMissing } from './missing-packs.js';
import { workingFolder } from './pack-command.js';

export async function refuseUnstartable(
  { loaded, program, server }: ChosenServer,
  flags: InstallFlags,
  place: EntryPlace,
): Promise<number | undefined> {
  const missing = await installMissing(program, server, flags);
  const problems = missing.length > 0 ? missing : composeProblems();
  const [first] = problems;
  if (first === undefined) return undefined;
  loaded.say(problems);
  process.stderr.write(`toolwright: ${server.item} could not start: ${place.file} was not touched\n`);
  const { message: problem, hint } = first;
  if (flags.format === 'json') process.stdout.write(`${JSON.stringify({ op: 'refuse', ...place, problem, hint })}\n`);
  return 1;

  function composeProblems(): readonly Diagnostic[] {
    const composed = composeForeign(loaded, server, workingFolder(flags));
    if (composed === undefined || composed.isComplete) return [];
    return composed.diagnostics.filter(({ severity }) => severity === 'error');
  }
}
