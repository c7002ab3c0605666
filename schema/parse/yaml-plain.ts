// The smallest YAML: lines of `key: word`, `key: [word, word]` and `key:` with a list below it, and comments, as most
// toolwright.yaml and servers are. The YAML library, which takes longer to load than a small pack to check, is not needed for them.
// In: the text of a file. Out: its value, or undefined where it has anything more in it.

export type PlainMap = Readonly<Record<string, PlainValue>>;
type PlainValue = string | readonly (string | readonly string[])[];

/** Longer files are not of this kind. */
const mostCharacters = 2000;

// What is left of YAML where nothing can mean anything else: ASCII, one line each, no tabs, escapes, anchors, numbers, colons
// and hashes; inside of brackets no commas and brackets either.
const word = '[A-Za-z](?:[ -"$-9;-~]*[!"$-9;-~])?';
const wordInList = '[A-Za-z](?:[ !$-+.-9;-Z\\\\^-z|~-]*[!$-+.-9;-Z\\\\^-z|~-])?';
const quoted = `"[ !#-\\[\\]-~]*"|'[ -&(-~]*'`;
const member = `(?:${wordInList}|${quoted})`;
const list = `\\[ ?(?:${member}(?:, ?${member})*)? ?\\]`;
const value = `${list}|${quoted}|${word}`;

const note = /(?:#[ -~]*)?\n/y;
const pair = new RegExp(`([A-Za-z][A-Za-z0-9_]*):(?: (${value}|\\d+\\.\\d+\\.\\d+))?\\n`, 'y');
const dash = new RegExp(` {2}- (${value})\\n`, 'y');
const members = new RegExp(member, 'g');

/** Words that stand for other values than themselves, in one version of YAML or another. */
const otherwise = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/** @example readPlainMap('name: acme/jira\ntools: [get, "list-*"]\n') // { name: 'acme/jira', tools: ['get', 'list-*'] } */
export function readPlainMap(text: string): PlainMap | undefined {
  if (text.length > mostCharacters) return undefined;
  const map: Record<string, PlainValue> = {};
  for (let at = 0; at < text.length; ) {
    const skipped = matchAt(note, text, at);
    if (skipped !== undefined) {
      at += skipped[0].length;
      continue;
    }
    const [line = '', key = '', typed] = matchAt(pair, text, at) ?? [];
    if (line === '' || otherwise.test(key) || key in map) return undefined;
    at += line.length;
    const below = typed === undefined ? readBelow(text, at) : undefined;
    at = below?.end ?? at;
    const found = typed === undefined ? below?.items : readValue(typed);
    if (found === undefined) return undefined;
    map[key] = found;
  }
  return Object.keys(map).length === 0 ? undefined : map;
}

/** The list that begins at a line; undefined where there is none. */
function readBelow(text: string, start: number): { readonly items: PlainValue; readonly end: number } | undefined {
  const items: (string | readonly string[])[] = [];
  let end = start;
  for (let line = matchAt(dash, text, end); line !== undefined; line = matchAt(dash, text, end)) {
    const item = readValue(line[1] ?? '');
    if (item === undefined) return undefined;
    items.push(item);
    end += line[0].length;
  }
  return items.length === 0 ? undefined : { items, end };
}

function readValue(typed: string): string | readonly string[] | undefined {
  if (!typed.startsWith('[')) return readScalar(typed);
  const items = Array.from(typed.matchAll(members), ([one]) => readScalar(one));
  return items.every(one => one !== undefined) ? items : undefined;
}

function readScalar(typed: string): string | undefined {
  if (typed.startsWith('"') || typed.startsWith("'")) return typed.slice(1, -1);
  return otherwise.test(typed) ? undefined : typed;
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}
