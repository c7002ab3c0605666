// In: the words of a command, an address, names of variables. Out: what in them is a secret, which must not get into files.
import { type Diagnostic, diagnose, type Site } from '../../../schema/diagnostics.js';

/** Where a server is: a command that is started, or an address. */
export type ServerPlace =
  | { readonly command: readonly string[]; readonly cwd?: string | undefined }
  | { readonly url: string };

const secretName =
  /(?:^|[_-])(?:api[_-]?key|access[_-]?key|key|token|secrets?|pass(?:word|wd|phrase)?|pwd|auth|authorization|bearer|credentials?|private|cookie|jwt|pat|dsn|headers?|database[_-]?url|connection[_-]?string)(?:$|[_-])/i;

/** `--token-file`, `TOKEN_LIMIT`: about one, but none. */
const aboutSecret = /[_-](?:files?|paths?|dirs?|folder|type|name|header|ttl|limits?|lengths?|counts?|sizes?)$/i;

/**
 * Whether what has this name is most likely a secret.
 *
 * @example isSecretName('GITHUB_TOKEN') // true
 */
export function isSecretName(name: string): boolean {
  // `apiKey`, as flags are written, too.
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
  return secretName.test(words) && !aboutSecret.test(words);
}

/** Tokens by how they begin; each needs so many characters more that no plain word is one. */
const tokens: readonly (readonly [what: string, form: RegExp])[] = [
  ['a token', /(?:^|[^A-Za-z0-9])(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}/],
  ['a token of GitHub', /(?:^|[^A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/],
  ['a token of GitLab', /(?:^|[^A-Za-z0-9])glpat-[A-Za-z0-9_-]{16,}/],
  ['a token of Slack', /(?:^|[^A-Za-z0-9])xox[abeprs]-[A-Za-z0-9-]{10,}/],
  ['a token of Notion', /(?:^|[^A-Za-z0-9])(?:ntn_|secret_)[A-Za-z0-9]{20,}/],
  ['a key of AWS', /(?:^|[^A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/],
  ['a key of Google', /(?:^|[^A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}/],
  ['a token', /(?:^|[^A-Za-z0-9])ctx7sk-[A-Za-z0-9-]{10,}/],
  ['a token', /(?:^|[^A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\./],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['credentials', /\b(?:Bearer|Basic)\s+[A-Za-z0-9+/_.~=-]{8,}/i],
  ['an address with a password', /[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i],
];

/**
 * What it looks like where it is a secret by itself; undefined for any other text.
 *
 * @example whatSecret('postgres://app:hunter2@localhost/main') // 'an address with a password'
 */
export function whatSecret(text: string): string | undefined {
  return tokens.find(([, form]) => form.test(text))?.[0];
}

/** Secrets in what names a server; nothing may be started, asked or written while there is one. */
export function findSecrets(place: ServerPlace, site: Site): readonly Diagnostic[] {
  return 'url' in place ? inAddress(place.url, site) : inWords(place.command, site);
}

/** The message never has the secret itself. */
export function inWords(words: readonly string[], site: Site): readonly Diagnostic[] {
  return words.flatMap((word, index) => {
    const what = whatSecret(word) ?? namedSecret(word, words[index - 1], index);
    return what === undefined ? [] : [diagnose('import/secret-word', { where: `word ${index + 1}`, what }, site)];
  });
}

/** `--token=x`, `--token x`, `API_KEY=x`. The first word is the program. */
function namedSecret(word: string, before: string | undefined, index: number): string | undefined {
  const [, name = '', value = ''] = /^(?:-{0,2})([A-Za-z][\w-]*)=([\s\S]*)$/.exec(word) ?? [];
  if (isSecretName(name) && isValue(value)) return `the value of ${name}`;
  const [, flag = ''] = /^--([A-Za-z][\w-]*)$/.exec(before ?? '') ?? [];
  return index > 1 && isSecretName(flag) && !word.startsWith('-') && isValue(word)
    ? `the value of --${flag}`
    : undefined;
}

/** A switch such as `--no-auth=true` or a placeholder gives nothing away. */
function isValue(text: string): boolean {
  return text !== '' && !/^(?:true|false|yes|no|on|off|none|null|\d{1,3}|\$\{?\w+\}?|\{config\.\w+\})$/i.test(text);
}

function inAddress(url: string, site: Site): readonly Diagnostic[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const found = [...(parsed?.searchParams ?? [])].flatMap(([name, value]) =>
    (isSecretName(name) && isValue(value)) || whatSecret(value) !== undefined ? [`the value of ${name}`] : [],
  );
  const hasUser = parsed !== undefined && (parsed.username !== '' || parsed.password !== '');
  if (hasUser || (found.length === 0 && whatSecret(url) !== undefined)) found.push('credentials');
  const hint = 'give the token as --bearer NAME, the name of an environment variable';
  return found.map(what => diagnose('import/secret-word', { where: 'a part of the address', what }, site, { hint }));
}
