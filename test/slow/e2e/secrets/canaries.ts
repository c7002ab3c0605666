// Values that must be seen nowhere, and how they are looked for: in whatever way a service has encoded them, and in pieces.
import { createHash } from 'node:crypto';

/** Letters and digits that occur nowhere by chance and look the same in most encodings. */
function core(name: string): string {
  const number = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`);
  return `q${number.toString(36).slice(0, 16)}`;
}

const piecesOf = (value: string): readonly string[] => value.match(/^\d+$|q[0-9a-z]{16}/g) ?? [];

/** Every sign that some encoding writes in another way, between two pieces of which neither may be seen. */
const signs = ` !"#$%&'()*+,/:;<=>?@[\\]^_\`{|}~é+/=`;
const odd = (name: string): string => core(`${name} begin`) + signs + core(`${name} end`);
const plain = (name: string): string => core(name);
const key = (name: string): string =>
  [
    '-----BEGIN PRIVATE KEY-----',
    ...[1, 2, 3].map(line => core(`${name} ${line}`) + core(`${name} ${line} end`)),
    '-----END PRIVATE KEY-----',
    '',
  ].join('\n');

/** Keys of `config` that are secret. */
export const secrets: Readonly<Record<string, string>> = {
  BEARER: odd('bearer'),
  PASSWORD: odd('password'),
  HEADER_KEY: odd('header'),
  QUERY_KEY: odd('query'),
  CLIENT_SECRET: odd('client secret'),
  BACKEND_HEADER: odd('backend header'),
  TOOL_HEADER: odd('tool header'),
  PIN: '4821390716',
  DATABASE_PASSWORD: odd('database password'),
  CHILD_TOKEN: odd('child token'),
  CHILD_KEY: key('child key'),
  REMOTE_TOKEN: odd('remote token'),
  REMOTE_HEADER: odd('remote header'),
  PROGRAM_TOKEN: odd('program token'),
  PROGRAM_KEY: key('program key'),
  HANDLER_TOKEN: odd('handler'),
};

/** Keys of `config` that anybody may see. */
export const settings: Readonly<Record<string, string>> = {
  USER_NAME: plain('user'),
  CLIENT_ID: plain('client id'),
  TENANT: plain('tenant'),
  SCOPE: plain('scope'),
  ARGUMENT: plain('argument'),
};

/** Secrets that no key of `config` has. */
export const proxyPassword = odd('proxy');
export const accessToken = core('access token a') + core('access token b');
/** Of who calls: it goes to the services that it was made for. */
export const callerToken = `${core('caller a')}.${core('caller b')}-_${core('caller c')}`;
export const audience = 'https://told.example';

const pieces: readonly (readonly [name: string, piece: string])[] = [
  ...Object.entries({
    ...secrets,
    PROXY: proxyPassword,
    'access token': accessToken,
    'caller token': callerToken,
  }).flatMap(([name, value]) => piecesOf(value).map(piece => [name, piece] as const)),
];

/** The names of the secrets that are in a text, or in a piece, in any of the usual encodings. */
export function findSecrets(text: string): readonly string[] {
  const seen = readings(text).join('\n').toLowerCase();
  return [...new Set(pieces.flatMap(([name, piece]) => (seen.includes(piece) ? [name] : [])))];
}

/** What somebody would read in it. Base64 may begin anywhere in a run of its letters. */
function readings(text: string): readonly string[] {
  const unescaped = text
    .replace(/\\+u00([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#x([0-9a-f]{2,4});/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#(\d{2,4});/g, (_, code: string) => String.fromCharCode(Number(code)));
  const joined = text.replace(/[\s",\\\0]|\\+[nr]/g, '');
  const hidden = [...new Set([text, unescaped, joined])].flatMap(one => [
    ...(one.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []).flatMap(run =>
      [0, 1, 2, 3].map(start => Buffer.from(run.slice(start), 'base64').toString('latin1')),
    ),
    ...(one.match(/(?:[0-9a-f]{2}){8,}/gi) ?? []).flatMap(run =>
      [0, 1].map(start =>
        Buffer.from(run.slice(start, run.length - ((run.length - start) % 2)), 'hex').toString('latin1'),
      ),
    ),
  ]);
  return [text, unescaped, joined, ...hidden];
}

/** What a service has received, by the names of the secrets and settings: in the form in which it is meant to come. */
export function findReceived(text: string): readonly string[] {
  const seen = readings(text).join('\n');
  const named = [...pieces, ...Object.entries(settings)];
  return [...new Set(named.flatMap(([name, piece]) => (seen.includes(piece) ? [name] : [])))].sort();
}
