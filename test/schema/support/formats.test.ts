// The formats of toolwright/support against those of ajv-formats: the same texts pass, the same are refused.
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { describe, expect, it } from 'vitest';
import { formats } from '../../../schema/support.js';
import { makeRandom } from '../../harness/random.js';

const seeds: Readonly<Record<string, readonly [string, ...string[]]>> = {
  date: [
    '2024-02-29',
    '2023-02-29',
    '1900-02-29',
    '2000-02-29',
    '2026-12-31',
    '2026-04-31',
    '2026-00-10',
    '2026-13-01',
  ],
  time: ['10:00:00Z', '23:59:60Z', '15:59:60-08:00', '00:29:60+00:30', '24:00:00Z', '10:00:00.25z', '10:00:00+0130'],
  duration: ['P1Y2M3DT4H5M6S', 'P4W', 'PT1H', 'P', 'PT', 'P1YT', 'P1W2D'],
  uri: [
    'https://user:pw@example.com:80/a/b?c=d#e',
    'urn:isbn:1',
    'http://[::1]/',
    'http://[v1.a]/',
    'mailto:a@b',
    '//x/y',
  ],
  'uri-reference': ['/a/b', '../x?y#z', '#frag', '', 'http://[1:2::3:1.2.3.4]', 'a"b', 'http://%zz', 'a%20b'],
  'uri-template': ['/a/{b}', '{+x,y:3}/{z*}', '{', '{?a,b}', '{a:0}', 'a%20{_x1}', '<a>'],
  url: [
    'https://example.com/a',
    'ftp://10.1.1.1/',
    'http://8.8.8.8:8080/x',
    'http://é.example',
    'http://172.16.0.1',
    'http://a',
  ],
  email: ['ada@example.com', "o'hara+x@sub.example.co", 'a..b@c.d', 'a@b', 'a@-b.c', 'a@b-.c'],
  hostname: ['example.com', 'a', 'a-b.c.', '-a', 'a_b', `${'a'.repeat(63)}.b`, `${'a'.repeat(64)}.b`, 'a.'.repeat(127)],
  ipv4: ['10.0.0.1', '255.255.255.255', '256.1.1.1', '01.1.1.1', '1.1.1'],
  ipv6: [
    '::1',
    '1:2:3:4:5:6:7:8',
    '1::8',
    'fe80::1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
    '1:2:3:4:5:6:7::',
    '::',
    '1:2:3:4:5:6:7:8:9',
  ],
  regex: ['^a+$', '(', '\\Z', 'a\\Z', '[a-z]{2,1}', '\\p{L}'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', 'urn:uuid:123E4567-e89b-12d3-a456-426614174000', '123e4567'],
  'json-pointer': ['', '/a/b~0~1', '/a~2', 'a', '/'],
  'json-pointer-uri-fragment': ['#', '#/a%20b', '#/a~1', '#a', '#/a b'],
  'relative-json-pointer': ['0', '1/a', '01', '2#', '0#/a', '1/~1'],
  byte: ['YWJj', 'YQ==', 'YWI=', 'YWJ', '', '!!!!\nYWJj', 'YWJj\n'],
};

/** The alphabet that the formats are written in, and some of what is in none of them. */
const pieces = [
  ...'0123456789abfzTZPWMSt:.-+/@#?%~[]{}_ =*,;\'"\\<é\n',
  '::',
  '//',
  '%20',
  '60',
  '日',
  '\u2028',
  '-00:00',
];

const withSeeds: Readonly<Record<string, readonly string[]>> = {
  ...seeds,
  'date-time': (seeds['date'] ?? []).flatMap(date =>
    (seeds['time'] ?? []).flatMap(time => [`${date}T${time}`, `${date} ${time}`]),
  ),
  'iso-time': [...(seeds['time'] ?? []), '10:00:00', '23:59:60'],
  'iso-date-time': ['2026-11-16T10:00:00', '2026-11-16t10:00:00Z', '2026-11-16 10:00:00', '2026-11-16T10:00'],
  password: ['x'],
  binary: ['x'],
};

function mutate(text: string, random: ReturnType<typeof makeRandom>): string {
  const characters = [...text];
  for (let edits = 1 + random.below(2); edits > 0; edits -= 1) {
    const at = random.below(characters.length + 1);
    const piece = pieces[random.below(pieces.length)] ?? '';
    characters.splice(at, random.below(2), ...(random.chance(0.8) ? [piece] : []));
  }
  return characters.join('');
}

function accepts(name: string, value: unknown): boolean {
  const format: unknown = (fullFormats as Readonly<Record<string, unknown>>)[name];
  if (format === true) return true;
  if (format instanceof RegExp) return format.test(String(value));
  if (typeof format === 'function') return format(value) === true;
  const { validate } = format as { validate: ((value: unknown) => boolean) | RegExp };
  return validate instanceof RegExp ? validate.test(String(value)) : validate(value);
}

const own = (name: string, value: string): boolean => {
  const format = formats[name];
  return format === undefined || (format.type === 'string' && format.validate(value));
};

describe('formats of toolwright/support', () => {
  it.each(Object.entries(withSeeds))(
    'P21 the format %s accepts and refuses the same strings as ajv-formats',
    (name, texts) => {
      const random = makeRandom(name.length * 7 + 1);
      const values = [
        ...texts,
        ...Array.from({ length: 600 }, (_, index) => mutate(texts[index % texts.length] ?? '', random)),
      ];
      // Also every text that another format is about.
      values.push(...Object.values(seeds).flat());
      const differing = values.filter(value => own(name, value) !== accepts(name, value));
      expect(differing).toEqual([]);
      const passing = values.filter(value => own(name, value));
      expect(passing.length).toBeGreaterThan(3);
      if (formats[name] !== undefined) expect(passing.length).toBeLessThan(values.length);
    },
  );

  it.each(['int32', 'int64', 'float', 'double'])(
    'P21 the format %s accepts and refuses the same numbers as ajv-formats',
    name => {
      const numbers = [0, -1, 1.5, 2 ** 31, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53, 1e300, 0.1];
      const format = formats[name];
      const accepted = (value: number): boolean =>
        format === undefined || (format.type === 'number' && format.validate(value));
      expect(numbers.map(accepted)).toEqual(numbers.map(value => accepts(name, value)));
    },
  );

  it('P21 every format of ajv-formats is supported, or accepts everything there', () => {
    const absent = Object.keys(fullFormats).filter(name => !Object.hasOwn(formats, name));
    expect(absent.sort()).toEqual(['binary', 'double', 'float', 'password']);
    expect(Object.keys(formats).filter(name => !Object.hasOwn(fullFormats, name))).toEqual([]);
  });
});
