// In: the name of a server that is nowhere. Out: the one among those of `toolwright list` that was probably meant. Only asked
// where a command has failed: it looks at everything that is installed.
import { discoverPacks } from '../../runtime/packs/discover-packs.js';
import { listServers } from '../../runtime/packs/list-servers.js';
import { didYouMean } from '../../schema/nearest.js';

/** @example suggestServer('desk', '/workspaces') // 'did you mean "acme/help/desk"?' */
export function suggestServer(typed: string, cwd: string): string | undefined {
  const names = listServers(discoverPacks({ cwd }).packs).servers.map(({ name }) => name);
  const [same] = names.filter(name => name.endsWith(`/${typed}`));
  return same === undefined ? didYouMean(typed, names) : `did you mean ${JSON.stringify(same)}?`;
}
