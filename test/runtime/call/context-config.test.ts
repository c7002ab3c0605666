// Configuration from the environment: typed, all mistakes at once, and secrets that never show.
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../runtime/call/context/config.js';
import { createRedact } from '../../../runtime/call/context/secret-forms.js';
import type { ConfigEntry } from '../../../schema/definitions.js';
import { programOf } from './context-round.js';

const read = (config: Readonly<Record<string, ConfigEntry>>, env: Readonly<Record<string, string | undefined>>) => {
  const { settings, diagnostics } = readConfig(config, env);
  return { values: settings.values, messages: diagnostics.map(({ message }) => message), redact: settings.redact };
};

describe('values of the environment', () => {
  it('W97 strings, integers, numbers and booleans come from the environment', () => {
    const config = {
      NAME: { type: 'string' },
      COUNT: { type: 'integer' },
      RATE: { type: 'number' },
      ON: { type: 'boolean' },
      OFF: { type: 'boolean' },
    } as const;
    const { values, messages } = read(config, { NAME: ' a ', COUNT: ' -7 ', RATE: '1.5e3', ON: 'YES', OFF: '0' });
    expect(values).toEqual({ NAME: ' a ', COUNT: -7, RATE: 1500, ON: true, OFF: false });
    expect(messages).toEqual([]);
    expect(Object.isFrozen(values)).toBe(true);
  });

  it('W97 an absent value has its default, else no key, and is never a mistake', () => {
    const config = { A: { type: 'string' }, B: { type: 'integer', default: 50 }, C: { type: 'boolean' } } as const;
    expect(read(config, { C: undefined })).toMatchObject({ values: { B: 50 }, messages: [] });
    expect(Object.keys(read(config, {}).values)).toEqual(['B']);
  });

  it('W97 an empty variable counts as absent, except for strings', () => {
    const config = {
      A: { type: 'string' },
      B: { type: 'integer', default: 5 },
      C: { type: 'string', enum: ['x', 'y'], default: 'x' },
      D: { type: 'string', enum: ['', 'y'], default: 'y' },
    } as const;
    expect(read(config, { A: '', B: ' ', C: '', D: '' }).values).toEqual({ A: '', B: 5, C: 'x', D: '' });
  });

  it.each([
    ['integer', '1.5'],
    ['integer', '0x10'],
    ['integer', '1e3'],
    ['integer', '9007199254740993'],
    ['integer', '12 apples'],
    ['number', 'NaN'],
    ['number', 'Infinity'],
    ['number', '1e999'],
    ['number', '.'],
    ['boolean', 'maybe'],
    ['boolean', '2'],
  ] as const)('W97 a value of the wrong type is reported: %s is not %j', (type, text) => {
    const { values, messages } = read({ X: { type } }, { X: text });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('X must be');
    expect(messages[0]).toContain(JSON.stringify(text));
    expect(values).toEqual({});
  });

  it('W97 all mistakes are reported at once, each at its entry in toolwright.yaml', () => {
    const { pack } = programOf(
      'config:\n  A: { type: integer }\n  B: { type: string, enum: [x, y] }\n  C: { type: boolean }\n',
      'description: T.\n',
    );
    const { diagnostics } = readConfig(pack.config, { A: 'one', B: 'z', C: 'true' }, pack.at);
    expect(
      diagnostics.map(({ code, file, line, column, message }) => [code, `${file}:${line}:${column}`, message]),
    ).toEqual([
      ['config/wrong-type', 'toolwright.yaml:2:3', 'A must be an integer, not "one"'],
      ['config/not-allowed', 'toolwright.yaml:3:3', 'B must be one of "x", "y", not "z"'],
    ]);
    expect(diagnostics.every(({ severity }) => severity === 'error')).toBe(true);
  });

  it('W97 a variable may have a name like __proto__', () => {
    const config = Object.fromEntries([['__proto__', { type: 'integer' }]]) as Record<string, ConfigEntry>;
    const env = Object.fromEntries([['__proto__', '3']]);
    expect(Object.entries(read(config, env).values)).toEqual([['__proto__', 3]]);
    expect(read(Object.fromEntries([['toString', { type: 'string' as const }]]), {}).values).toEqual({});
  });
});

describe('secrets of the environment', () => {
  it('W97 a wrong secret is reported without its value', () => {
    const config = {
      PIN: { type: 'integer', secret: true },
      MODE: { type: 'string', secret: true, enum: ['alpha-mode', 'beta-mode'] },
    } as const;
    const { messages } = read(config, { PIN: 'hunter22', MODE: 'gamma-mode' });
    expect(messages).toEqual([
      'PIN must be an integer, which its value is not (it is secret)',
      'MODE must be one of its allowed values, which its value is not (it is secret)',
    ]);
  });

  it('W97 a secret too short to be redacted is a warning and is left in', () => {
    const { settings, diagnostics } = readConfig({ PIN: { type: 'string', secret: true } }, { PIN: 'abc' });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['config/short-secret', 'warning']]);
    expect(diagnostics[0]?.message).not.toContain('abc');
    expect(settings.redact('the abc of it')).toBe('the abc of it');
  });

  it('W97 a secret number is redacted as it is printed, too', () => {
    const { redact, values } = read({ PIN: { type: 'integer', secret: true } }, { PIN: '0012345' });
    expect(values).toEqual({ PIN: 12345 });
    expect(redact('12345 and 0012345')).toBe('[secret PIN] and [secret PIN]');
  });

  it('W97 a value that is not secret is not redacted', () => {
    expect(read({ A: { type: 'string' } }, { A: 'public' }).redact('public')).toBe('public');
  });

  const secret = 'p@ss "word"\\n/ü+?(!)';
  const redact = createRedact([['TOKEN', secret]]);
  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ token: secret })],
    ['in JSON in JSON', JSON.stringify({ body: JSON.stringify({ token: secret }) })],
    ['in a URL', `https://x.test/?t=${encodeURIComponent(secret)}`],
    [
      'in a URL in lower case',
      `https://x.test/?t=${encodeURIComponent(secret).replace(/%../g, hex => hex.toLowerCase())}`,
    ],
    ['in a form', new URLSearchParams({ t: secret }).toString()],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['behind a user name', `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`],
    ['behind another one', `Basic ${Buffer.from(`you:${secret}`).toString('base64')}`],
    ['before more', Buffer.from(`${secret}:and more`).toString('base64')],
    ['in HTML', secret.replaceAll('"', '&quot;')],
    ['in HTML with numbers', secret.replaceAll('"', '&#34;')],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in hex in upper case', Buffer.from(secret).toString('hex').toUpperCase()],
    ['in upper case', secret.toUpperCase()],
    ['in upper case in JSON', JSON.stringify(secret.toUpperCase())],
    ['in JSON with slashes escaped', JSON.stringify(secret).replaceAll('/', '\\/')],
    [
      'in JSON of .NET',
      JSON.stringify(secret)
        .replace(/\\"/g, '\\u0022')
        .replace(/[+ü]/g, sign => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    ],
    ['in a strict URL', encodeURIComponent(secret).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16)}`)],
    ['in a URL in a URL', encodeURIComponent(encodeURIComponent(secret))],
    ['in base64 in a form', encodeURIComponent(Buffer.from(`me:${secret}`).toString('base64'))],
    ['in base64 of Latin 1', Buffer.from(secret, 'latin1').toString('base64')],
    ['in Latin 1 that was taken for UTF-8', Buffer.from(secret, 'latin1').toString('utf8')],
    ['in UTF-8 that was taken for Latin 1', Buffer.from(secret, 'utf8').toString('latin1')],
    ['in wrapped text', secret.replace(' ', '\n')],
    ['in HTML of Go', secret.replaceAll('"', '&#34;').replaceAll('+', '&#43;')],
    ['in JSON of ASCII', JSON.stringify(secret).replaceAll('ü', '\\u00fc')],
    ['escaped as a whole', [...secret].map(sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ])('W97 fix-A14 a secret is redacted %s', (_, text) => {
    const clean = redact(`before ${text} after`);
    expect(clean).toContain('[secret TOKEN]');
    expect(clean.startsWith('before ')).toBe(true);
    expect(clean.endsWith(' after')).toBe(true);
    for (const part of ['p@ss', 'p%40ss', 'word', Buffer.from(secret).toString('base64').slice(4, 16)]) {
      expect(clean).not.toContain(part);
    }
  });

  it('B8 each long word of a secret of several lines is redacted, since lines come back one by one', () => {
    const lines = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvQIBADANBgkqhkiG9w0BAQEF',
      'AASCBKcwggSjAgEAAoIBAQC7+/8=',
      'end',
    ];
    const clean = createRedact([['KEY', `${lines.join('\n')}\n`]]);
    expect(clean(lines.join('\r\n'))).toBe('[secret KEY]');
    expect([lines[1], lines[2], lines[3]].map(line => clean(line ?? ''))).toEqual([
      '[secret KEY]',
      '[secret KEY]',
      'end',
    ]);
  });

  it('B8 the password in an address is redacted by itself, as it is written there and as it is used', () => {
    const clean = createRedact([['URL', 'postgres://app:p%40ss%2Fword@localhost/main']]);
    expect(['p@ss/word', 'p%40ss%2Fword'].map(clean)).toEqual(['[secret URL]', '[secret URL]']);
    expect(clean('app at localhost')).toBe('app at localhost');
  });

  it('B8 the password of a proxy is redacted, whether or not the pack has secrets of its own', () => {
    const { settings } = readConfig(
      {},
      { HTTPS_PROXY: 'http://me:pr%26xy@127.0.0.1:3128', http_proxy: 'you:p-r-o-x-y@host' },
    );
    const basic = Buffer.from('me:pr&xy').toString('base64');
    expect(['pr&xy', 'pr%26xy', basic, 'p-r-o-x-y'].map(text => settings.redact(text))).toEqual([
      '[secret HTTPS_PROXY]',
      '[secret HTTPS_PROXY]',
      expect.stringContaining('[secret HTTPS_PROXY]'),
      '[secret http_proxy]',
    ]);
    expect(settings.hasSecrets).toBe(true);
    expect(readConfig({}, { HTTPS_PROXY: 'http://127.0.0.1:3128' }).settings.hasSecrets).toBe(false);
  });

  it('W97 a secret with a line break at its end is found without it', () => {
    expect(createRedact([['KEY', 'abcdefgh\n']])('got abcdefgh.')).toBe('got [secret KEY].');
  });

  it('fix-A14 a secret is redacted in HTML however its signs are escaped, and the case of short ones counts', () => {
    const page = createRedact([['KEY', `a&b<c>d"e'f`]]);
    for (const quote of ['&#39;', '&#x27;', '&apos;', "'"]) {
      expect(page(`<p>a&amp;b&lt;c&gt;d&quot;e${quote}f</p>`)).toBe('<p>[secret KEY]</p>');
    }
    expect(page(`<p>a&amp;b&lt;c&gt;d"e'f</p>`)).toBe('<p>[secret KEY]</p>');
    const short = createRedact([['KEY', 'Test']]);
    expect(short('a test, a Test')).toBe('a test, a [secret KEY]');
    expect(createRedact([['KEY', 'Straße-İ-1']])('STRASSE straße-İ-1')).toBe('STRASSE [secret KEY]');
  });

  it('W97 overlapping secrets leave nothing behind', () => {
    const both = createRedact([
      ['A', 'abcdef'],
      ['B', 'defghijkl'],
    ]);
    expect(both('x abcdefghijkl y')).toBe('x [secret B] y');
    expect(both('abcdef defghijkl')).toBe('[secret A] [secret B]');
    expect(
      createRedact([
        ['A', 'abcd'],
        ['B', 'abcdefgh'],
      ])('abcdefgh abcd'),
    ).toBe('[secret B] [secret A]');
  });

  it('W97 a secret full of signs is not read as a pattern', () => {
    const odd = createRedact([['A', '(a+)+$.*[x]{2}|^-/']]);
    expect(odd('(a+)+$.*[x]{2}|^-/')).toBe('[secret A]');
    expect(odd('aaaa')).toBe('aaaa');
  });

  it('B8 a secret that is mostly signs with several notations is searched for in reasonable time', () => {
    const odd = createRedact([['A', '\\"%25&amp;\\\\"%%&&\\"<+ +>'.repeat(4)]]);
    for (const part of ['\\', '%25', '&amp;', '\\"', '&', '% +'])
      expect(odd(part.repeat(100_000))).toBe(part.repeat(100_000));
  });

  it('W97 a megabyte that almost matches everywhere is redacted in reasonable time', () => {
    const near = createRedact([
      ['A', `${'a'.repeat(40)}b`],
      ['B', 'a'.repeat(50)],
    ]);
    const text = 'a'.repeat(1_000_000);
    expect(near(text)).toBe('[secret B]'.repeat(20_000));
    expect(near('a'.repeat(49).concat(' ').repeat(20_000))).not.toContain('secret');
  });
});
