// Edits of package.json: one key changes, everything else keeps its bytes.
import { describe, expect, it } from 'vitest';
import { aroundMark } from '../../../generator/edit/byte-order-mark.js';
import { appendInJson, setInJson } from '../../../generator/edit/edit-json.js';

const setKey = (text: string, key: string, value: unknown): string =>
  aroundMark<never>(text, body => setInJson(body, [key], value));

describe('`setInJson`', () => {
  it.each([
    ['two spaces', '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "k": {\n    "x": [\n      1\n    ]\n  }\n}\n'],
    ['tabs, no line at the end', '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": {\n\t\t"x": [\n\t\t\t1\n\t\t]\n\t}\n}'],
    [
      'four spaces, CRLF',
      '{\r\n    "a": 1\r\n}\r\n',
      '{\r\n    "a": 1,\r\n    "k": {\r\n        "x": [\r\n            1\r\n        ]\r\n    }\r\n}\r\n',
    ],
    ['one line', '{"a":1}\n', '{"a":1,"k":{"x":[1]}}\n'],
    ['nothing in it', '{}\n', '{\n  "k": {\n    "x": [\n      1\n    ]\n  }\n}\n'],
    ['a BOM', '\ufeff{"a": 1}', '\ufeff{"a": 1, "k": {"x":[1]}}'],
    [
      'odd spaces elsewhere',
      '{\n  "a" :1 ,\n\n  "b": [1,2]}',
      '{\n  "a" :1 ,\n\n  "b": [1,2],\n  "k": {\n    "x": [\n      1\n    ]\n  }}',
    ],
  ])('`setInJson` keeps the form of text with %s', (_, before, after) => {
    expect(setKey(before, 'k', { x: [1] })).toBe(after);
    expect(JSON.parse(after.replace('\ufeff', ''))).toMatchObject({ k: { x: [1] } });
  });

  it('`setInJson` replaces a value in its place, whatever is around it', () => {
    const before = '{\n  "10": 1,\n  "k": {"old": "}\\"{"}, "z": "k",\n  "2": {"k": 5}\n}\n';
    expect(setKey(before, 'k', 7)).toBe(before.replace('{"old": "}\\"{"}', '7'));
    expect(setKey(setKey(before, 'new', 1), 'new', 2)).toBe(before.replace('{"k": 5}', '{"k": 5},\n  "new": 2'));
  });

  it('`setInJson` changes nothing when the value is already set', () => {
    const text = setKey('{\n  "a": 1\n}\n', 'k', { x: ['\u2028', '</script>', '\ud800'] });
    expect(setKey(text, 'k', { x: ['\u2028', '</script>', '\ud800'] })).toBe(text);
  });
});

describe('`appendInJson`', () => {
  it.each([
    ['{"files": ["dist"]}', '{"files": ["dist", "x", "y"]}'],
    ['{"files": ["a","b"]}', '{"files": ["a","b","x","y"]}'],
    ['{"files": [ "a", "b" ]}', '{"files": [ "a", "b", "x", "y" ]}'],
    ['{\n  "files": [\n    "a"\n  ]\n}', '{\n  "files": [\n    "a",\n    "x",\n    "y"\n  ]\n}'],
    [
      '{\r\n\t"files": [\r\n\t\t"a",\r\n\t\t"b"\r\n\t]\r\n}',
      '{\r\n\t"files": [\r\n\t\t"a",\r\n\t\t"b",\r\n\t\t"x",\r\n\t\t"y"\r\n\t]\r\n}',
    ],
    ['{\n  "files": []\n}', '{\n  "files": [\n    "x",\n    "y"\n  ]\n}'],
    ['{\n  "a": 1\n}', '{\n  "a": 1,\n  "files": [\n    "x",\n    "y"\n  ]\n}'],
  ])('`appendInJson` turns %j into %j', (before, after) => {
    expect(['x', 'y'].reduce((text, item) => appendInJson(text, ['files'], item), before)).toBe(after);
  });
});
