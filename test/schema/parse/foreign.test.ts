// Texts that somebody else wrote, such as documents of APIs, and places in large JSON texts.
import { describe, expect, it } from 'vitest';
import type { Format } from '../../../schema/document.js';
import { locateJson } from '../../../schema/parse/locate-json.js';
import { type Parsed, parse, parseForeign } from '../../../schema/parse/parse.js';
import { makeRandom, type Random } from '../../harness/random.js';

function foreign(text: string, format: Format): Parsed {
  return parseForeign({ path: `api.${format}`, format, text, hash: '' });
}

describe('texts of other authors', () => {
  it('P3 of equal keys one counts, with a warning', () => {
    const json = foreign('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}', 'json');
    expect(json.documents[0]?.value).toEqual({ a: 3, b: { c: 2 } });
    expect(json.diagnostics.map(({ severity, code, column }) => [severity, code, column])).toEqual([
      ['warning', 'parse/duplicate-key', 24],
      ['warning', 'parse/duplicate-key', 33],
    ]);
    const yaml = foreign('a: 1\nb: { c: 1, c: 2 }\na: 3\n', 'yaml');
    expect(yaml.documents[0]?.value).toEqual({ a: 1, b: { c: 1 } });
    expect(yaml.diagnostics.map(({ severity, line, column }) => [severity, line, column])).toEqual([
      ['warning', 2, 12],
      ['warning', 3, 1],
    ]);
    expect(yaml.documents[0]?.site(['a'], 'key')).toMatchObject({ line: 1, column: 1 });
    expect(json.documents[0]?.site(['a'], 'key')).toMatchObject({ line: 1, column: 33 });
  });

  it('P3 numbers that JSON does not have are null in YAML, with a warning', () => {
    const { documents, diagnostics } = foreign('a: .inf\nb: .nan\n', 'yaml');
    expect(documents[0]?.value).toEqual({ a: null, b: null });
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ['warning', 'parse/not-json'],
      ['warning', 'parse/not-json'],
    ]);
  });

  it('P3 a real mistake beside equal keys is an error, and there is no value', () => {
    const { documents, diagnostics } = foreign('{"a": 1, "a": 2, "__proto__": 1}', 'json');
    expect(documents).toEqual([]);
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ['error', 'parse/duplicate-key'],
      ['error', 'parse/forbidden-key'],
    ]);
  });

  it('P3 foreign text of any number of parts is read, and what looks cut is not reported', () => {
    const text = `[${'[],'.repeat(1_600_000)}1]`;
    expect(parse({ path: 'a.json', format: 'json', text, hash: '' }).documents).toEqual([]);
    expect(foreign(text, 'json').documents).toHaveLength(1);
    const cut = 'description: Get issue #42\n';
    expect(parse({ path: 'a.yaml', format: 'yaml', text: cut, hash: '' }).diagnostics).toHaveLength(1);
    expect(foreign(cut, 'yaml').diagnostics).toEqual([]);
  });
});

describe('places in JSON', () => {
  const words = [1, -2.5e10, true, false, null, 'a"b\\', '\\', '\\"', 'é😀', '', 'x,}]{[:', '\u0000\n'] as const;

  function make(random: Random, depth: number): unknown {
    if (depth === 0 || random.chance(0.4)) return random.pick(words);
    const size = random.below(4);
    const parts = Array.from({ length: size }, () => make(random, depth - 1));
    return random.chance(0.5) ? parts : Object.fromEntries(parts.map(part => [String(random.pick(words)), part]));
  }

  it('P3 every part of a JSON text is found where it stands', () => {
    const random = makeRandom(18);
    for (let round = 0; round < 300; round += 1) {
      const value = make(random, 5);
      const text = `${'\n'.repeat(random.below(3))}${JSON.stringify(value, null, random.below(3))}\n`;
      const visit = (place: ReturnType<typeof locateJson> | undefined, part: unknown): void => {
        if (place === undefined) throw new Error(`nothing found in ${text}`);
        expect(JSON.parse(text.slice(place.span.start, place.span.end))).toEqual(part);
        if (typeof part !== 'object' || part === null) {
          expect(place.scalar?.value).toBe(part);
          return;
        }
        const [first] = Object.keys(part);
        const key = place.firstKey();
        expect(key === undefined ? undefined : JSON.parse(text.slice(key.start, key.end))).toBe(
          Array.isArray(part) ? undefined : first,
        );
        for (const [name, one] of Object.entries(part)) {
          const child = place.child(name);
          if (!Array.isArray(part)) expect(JSON.parse(text.slice(child?.key?.start, child?.key?.end))).toBe(name);
          visit(child, one);
        }
        expect(place.child('nothing of this name')).toBeUndefined();
      };
      visit(locateJson(text), value);
    }
  });

  it('P3 a place in many megabytes of JSON is found without reading all of it into a tree', () => {
    const one = JSON.stringify({ get: { summary: 'x'.repeat(200), parameters: [{ name: 'a' }, { name: 'b' }] } });
    const text = `{"paths": {${Array.from({ length: 40_000 }, (_, at) => `"/p${at}": ${one}`).join(',\n')}}}`;
    const before = process.cpuUsage();
    const place = locateJson(text).child('paths')?.child('/p39999')?.child('get')?.child('parameters')?.child(1);
    expect(text.slice(place?.span.start, place?.span.end)).toBe('{"name":"b"}');
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  });
});
