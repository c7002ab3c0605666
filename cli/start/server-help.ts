// What `toolwright start main --help` says of that server. Whatever is wrong with it is said when it starts.
import type { PackFlags } from '../pack/pack-command.js';
import { printWordsHelp } from './apply-words.js';
import { chooseServer } from './choose-server.js';
import { loadServerPack } from './load-server.js';

/** Empty where the server takes no words, or where nobody knows which one is meant. Nothing is installed for it. */
export async function serverHelp(typed: string | undefined, flags: PackFlags): Promise<string> {
  try {
    const { loaded, item } = await loadServerPack(typed, { ...flags, install: false });
    if (loaded.program === undefined) return '';
    const ignored = { line: () => '', note: () => undefined };
    const server = chooseServer(item, loaded, loaded.program, ignored);
    return server === undefined ? '' : printWordsHelp(loaded.program.pack.config, server.item);
  } catch {
    return '';
  }
}
