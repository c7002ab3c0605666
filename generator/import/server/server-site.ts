// In: the command or the address of a server. Out: what stands in the place of a file where diagnostics say where they come from.
import { type Site, startOf } from '../../../schema/diagnostics.js';
import { visible } from '../../../schema/print/visible.js';
import { type ServerPlace, whatSecret } from './secrets.js';

const longest = 60;

/** Without what could be a secret: arguments and queries are left out. */
export function serverSite(place: ServerPlace): Site {
  return startOf(visible('url' in place ? addressOf(place.url) : nameOf(place.command)).slice(0, longest));
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'server';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** `npx -y @playwright/mcp --caps=vision` is known as `@playwright/mcp`, `node /x/index.js` as `index.js`. */
function nameOf([program = 'server', ...args]: readonly string[]): string {
  const isRunner = /(?:^|[\\/])(?:npx|node|bunx?|deno|uvx?|python3?|pnpm|yarn|npm|docker)(?:\.\w+)?$/.test(program);
  const named = isRunner ? args.find(isName) : undefined;
  const word = named ?? (isName(program) ? program : 'server');
  return word.startsWith('@') ? word : (word.split(/[\\/]/).findLast(part => part !== '') ?? 'server');
}

/** Neither a flag, nor a word that a package manager does something with, nor what has a value in it. */
function isName(word: string): boolean {
  return !/^-|=|:\/\//.test(word) && !/^(?:x|dlx|exec|run)$/.test(word) && whatSecret(word) === undefined;
}
