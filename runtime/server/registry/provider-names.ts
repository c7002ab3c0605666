// In: the names that MCP clients see. Out: for each the name that model providers take, unique, the same in every run.
import { createHash } from 'node:crypto';

/** OpenAI takes 64 characters, Anthropic and others take at least as many. */
const longest = 64;
const allowed = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Names that fit stay as they are. In the others `_` stands for each character that does not fit; one that is too
 * long, or equal to another name, ends in a hash of the whole name. So a name never depends on the order of tools.
 *
 * @example providerNames(['get-issue', 'jira.search']) // Map { 'get-issue' => 'get-issue', 'jira.search' => 'jira_search' }
 */
export function providerNames(names: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  const uses = new Map<string, number>();
  for (const name of names) {
    const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
    given.set(name, plain);
    uses.set(plain, (uses.get(plain) ?? 0) + 1);
  }
  const taken = new Set(names.filter(name => allowed.test(name)));
  for (const [name, plain] of given) {
    if (allowed.test(name)) continue;
    const isFree = plain !== '' && plain.length <= longest && uses.get(plain) === 1;
    const final = isFree ? plain : withHash(name, plain, taken);
    taken.add(final);
    given.set(name, final);
  }
  return given;
}

function withHash(name: string, plain: string, taken: ReadonlySet<string>): string {
  // Eight digits collide with a tool's name only if somebody means them to.
  for (let round = 0; ; round++) {
    const hash = createHash('sha256')
      .update(round === 0 ? name : `${name}\n${round}`)
      .digest('hex')
      .slice(0, 8);
    const final = `${plain.slice(0, longest - hash.length - 1)}_${hash}`;
    if (!taken.has(final)) return final;
  }
}
