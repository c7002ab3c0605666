// The smallest YAML: lines of `key: word` and comments, as most toolwright.yaml are. The YAML library, which takes longer
// to load than a small pack to check, is not needed for them.
// In: a text. Out: its value, or undefined where it has anything more in it.

/** Longer texts are no such files. */
const mostCharacters = 2000;

/** What is left of YAML where nothing can mean anything else: no quotes, brackets, tabs, anchors, numbers, colons, hashes. */
const line = /(?:#[ -~]*|([A-Za-z][A-Za-z0-9_]*): ([A-Za-z](?:[A-Za-z0-9 ,./_-]*[A-Za-z0-9._])?|\d+\.\d+\.\d+)|)\n/y;

/** Words that stand for other values than themselves, in one version of YAML or another. */
const otherwise = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

export function readPlainMap(text: string): Readonly<Record<string, string>> | undefined {
  if (text.length > mostCharacters) return undefined;
  const map: Record<string, string> = {};
  line.lastIndex = 0;
  while (line.lastIndex < text.length) {
    const [, key, word] = line.exec(text) ?? ['', '', ''];
    if (key === '') return undefined;
    if (key === undefined || word === undefined) continue;
    if (otherwise.test(key) || otherwise.test(word) || key in map) return undefined;
    map[key] = word;
  }
  return Object.keys(map).length === 0 ? undefined : map;
}
