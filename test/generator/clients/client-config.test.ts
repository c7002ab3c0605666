// Editing the configuration of MCP clients: entries go in and out, every other byte stays.
import { describe, expect, it } from 'vitest';
import {
  type ConfigWriter,
  isRefusal,
  putEntry,
  type Target,
  takeEntry,
} from '../../../generator/clients/config-edit.js';
import { jsonConfig } from '../../../generator/clients/json-config.js';
import { tomlConfig } from '../../../generator/clients/toml-config.js';
import { yamlConfig } from '../../../generator/clients/yaml-config.js';

const entry = { type: 'stdio', command: 'node', args: ['/a b/"x".mjs'], env: { TOKEN: 'ünïcode' } };
const map: Target = { path: ['mcpServers'], holds: 'map', name: 'jira' };

function put(writer: ConfigWriter, text: string, target: Target, value: object = entry): string {
  const edited = putEntry(writer, { text, target, entry: value as typeof entry });
  if (isRefusal(edited)) throw new Error(edited.problem);
  return edited.text;
}

function take(writer: ConfigWriter, text: string, target: Target): string {
  const edited = takeEntry(writer, { text, target });
  if (isRefusal(edited)) throw new Error(edited.problem);
  return edited.text;
}

/** Whether everything in `before` is in `after`, in order: strings, comments, brackets. */
function keeps(before: string, after: string): boolean {
  const tokens = (text: string): readonly string[] =>
    text.match(/"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\/|[^\s,]/g) ?? [];
  const all = tokens(after);
  let at = 0;
  return tokens(before).every(token => {
    at = all.indexOf(token, at) + 1;
    return at > 0;
  });
}

describe('P25 JSON settings with comments', () => {
  const files: Record<string, string> = {
    'two spaces':
      '{\n  "theme": "dark",\n  "mcpServers": {\n    "other": { "command": "x" }\n  },\n  "last": [1, 2]\n}\n',
    tabs: '{\n\t"mcpServers": {\n\t\t"other": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}',
    'four spaces and CRLF': '{\r\n    "mcpServers": {\r\n        "other": {}\r\n    }\r\n}\r\n',
    comments:
      '// top\n{\n  // servers\n  "mcpServers": {\n    "other": { "command": "x" } // mine\n    /* end */\n  } // after\n}\n// bottom\n',
    'trailing commas': '{\n  "mcpServers": {\n    "other": { "a": [1, 2,], },\n  },\n}\n',
    'a comma after a comment': '{\n  "mcpServers": {\n    "other": 1 /* one */ , // two\n  }\n}\n',
    'one line': '{"a":1,"mcpServers":{"other":{"command":"x"}},"b":2}',
    'an empty map': '{\n  "a": 1,\n  "mcpServers": {}\n}\n',
    'no key': '{\n  "a": "x // no comment",\n  "b": "\\"}"\n}\n',
    'an empty object': '{}',
    'a byte order mark': '\uFEFF{\n  "a": 1\n}\n',
    'a map with a comment only': '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
    null: '{\n  "mcpServers": null\n}\n',
  };

  for (const [title, before] of Object.entries(files)) {
    it(`\`putEntry\` adds an entry once to a JSON file with ${title}`, () => {
      const after = put(jsonConfig, before, map);
      const read = jsonConfig.read(after.replace('\uFEFF', ''), map);
      expect(read).toMatchObject({ value: { mcpServers: { jira: entry } } });
      expect(put(jsonConfig, after, map)).toBe(after);
      if (!before.includes('null')) expect(keeps(before, after)).toBe(true);
      expect(after.includes('\r\n')).toBe(before.includes('\r\n'));
      if (before.includes('\r\n')) expect(after).not.toMatch(/[^\r]\n/);
    });

    it(`\`takeEntry\` removes the entry again from a JSON file with ${title}`, () => {
      const after = take(jsonConfig, put(jsonConfig, before, map), map);
      const servers = (value: unknown): unknown => (value as { mcpServers?: object | null }).mcpServers ?? {};
      const was = jsonConfig.read(before.replace('\uFEFF', ''), map);
      const is = jsonConfig.read(after.replace('\uFEFF', ''), map);
      expect(after.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'));
      if (isRefusal(was) || isRefusal(is)) throw new Error('unreadable');
      expect(servers(is.value)).toEqual(servers(was.value));
      expect(after).not.toContain('jira');
    });
  }

  it('`takeEntry` removes the first, a middle and the last entry and leaves the others as they are', () => {
    const text = '{\n  "mcpServers": {\n    "a": 1,\n    "b": 2,\n    "c": 3\n  }\n}\n';
    expect(take(jsonConfig, text, { ...map, name: 'a' })).toBe(
      '{\n  "mcpServers": {\n    "b": 2,\n    "c": 3\n  }\n}\n',
    );
    expect(take(jsonConfig, text, { ...map, name: 'b' })).toBe(
      '{\n  "mcpServers": {\n    "a": 1,\n    "c": 3\n  }\n}\n',
    );
    expect(take(jsonConfig, text, { ...map, name: 'c' })).toBe(
      '{\n  "mcpServers": {\n    "a": 1,\n    "b": 2\n  }\n}\n',
    );
  });

  it('`putEntry` replaces an entry of a JSON file in its place', () => {
    const text = '{\n  "mcpServers": {\n    "jira": { "old": true },\n    "c": 3\n  }\n}\n';
    const after = put(jsonConfig, text, map);
    expect(after.indexOf('"jira"')).toBeLessThan(after.indexOf('"c"'));
    expect(after).not.toContain('old');
  });

  it('`putEntry` and `takeEntry` edit a JSON list of entries by name', () => {
    const list: Target = { path: [], holds: 'list', name: 'jira' };
    const named = { name: 'jira', command: 'x' };
    const made = put(jsonConfig, '', list, named);
    expect(JSON.parse(made)).toEqual([named]);
    const two = put(jsonConfig, '[\n  { "name": "a" }\n]\n', list, named);
    expect(JSON.parse(two)).toEqual([{ name: 'a' }, named]);
    expect(JSON.parse(take(jsonConfig, two, list))).toEqual([{ name: 'a' }]);
  });

  it('`putEntry` refuses JSON that it cannot read, with the position', () => {
    const edited = putEntry(jsonConfig, { text: '{\n  "a": tru\n}\n', target: map, entry });
    expect(edited).toMatchObject({ problem: expect.stringMatching(/^it is not valid JSON: /), line: 2 });
    expect(putEntry(jsonConfig, { text: '{"mcpServers": []}', target: map, entry })).toMatchObject({
      problem: '"mcpServers" is not a map',
    });
    expect(putEntry(jsonConfig, { text: '[]', target: map, entry })).toMatchObject({
      problem: 'the file is not a map',
    });
  });
});

describe('P25 TOML settings', () => {
  const toml: Target = { path: ['mcp_servers'], holds: 'map', name: 'jira' };
  const value = { command: 'node', args: ['a"b', 'c\\d'], enabled: true, env: { TOKEN: 'x' } };
  const files: Record<string, string> = {
    nothing: '',
    'other keys': '# my settings\nmodel = "o3"\n\n[profiles.fast]\nmodel = "x" # quick\n',
    'other servers':
      'model = "o3"\n\n[mcp_servers.other]\ncommand = "x"\nargs = [\n  "[mcp_servers.jira]",\n  "y",\n]\n',
    'a text of several lines': 'notes = """\n[mcp_servers.jira]\ncommand = "no"\n"""\n\n[a]\nb = 1\n',
    CRLF: 'a = 1\r\n\r\n[b]\r\nc = 2\r\n',
    'no last newline': '[b]\nc = 2',
    'nested lists': 'grid = [\n  [1, 2],\n  [3],\n]\n[b]\nc = 2\n',
  };
  for (const [title, before] of Object.entries(files)) {
    it(`\`putEntry\` adds an entry once to a TOML file with ${title}, and \`takeEntry\` removes it`, () => {
      const after = put(tomlConfig, before, toml, value);
      expect(after.startsWith(before)).toBe(true);
      expect(tomlConfig.read(after, toml)).toMatchObject({ value: { mcp_servers: { jira: value } } });
      expect(put(tomlConfig, after, toml, value)).toBe(after);
      const out = take(tomlConfig, after, toml);
      expect(out.trimEnd()).toBe(before.trimEnd());
    });
  }

  it('`putEntry` replaces a TOML entry between others and keeps the comments of the next table', () => {
    const text =
      '[mcp_servers.jira]\ncommand = "old"\n\n[mcp_servers.jira.env]\nA = "1"\n\n# the next\n[mcp_servers.z]\ncommand = "z"\n';
    const after = put(tomlConfig, text, toml, value);
    expect(after).not.toContain('old');
    expect(after).toContain('# the next\n[mcp_servers.z]\ncommand = "z"\n');
    expect(after.indexOf('jira')).toBeLessThan(after.indexOf('mcp_servers.z'));
    expect(take(tomlConfig, after, toml)).toContain('# the next\n[mcp_servers.z]');
  });

  it('`putEntry` quotes TOML names that need it', () => {
    const odd = { ...toml, name: 'a.b "c"' };
    const after = put(tomlConfig, '', odd, value);
    expect(tomlConfig.read(after, odd)).toEqual({ value: { mcp_servers: { 'a.b "c"': value } } });
    expect(take(tomlConfig, after, odd).trim()).toBe('');
  });

  it('`putEntry` refuses a broken TOML file with the line, and inline tables', () => {
    expect(putEntry(tomlConfig, { text: 'a = 1\nb = = 2\n', target: toml, entry: value })).toMatchObject({ line: 2 });
    expect(
      putEntry(tomlConfig, { text: 'mcp_servers = { a = { command = "x" } }\n', target: toml, entry: value }),
    ).toMatchObject({
      problem: expect.stringContaining('by hand'),
    });
  });
});

describe('P25 YAML settings', () => {
  const yamlMap: Target = { path: ['extensions'], holds: 'map', name: 'jira' };
  const value = { name: 'jira', cmd: 'node', args: ['- x', '#y'], envs: { T: 'yes' }, enabled: true };
  const files: Record<string, string> = {
    'other keys': '# mine\nmodel: x # quick\nlist:\n  - 1\n',
    'other entries': 'extensions:\n  # builtin\n  developer:\n    enabled: true\n    name: developer\nGOOSE_MODEL: x\n',
    'deep indentation': 'extensions:\n      developer:\n            enabled: true\nlast: 1\n',
    'an empty map': 'a: 1\nextensions: {}\nb: 2\n',
    'no value': 'a: 1\nextensions:\nb: 2\n',
    'entries at the end': 'extensions:\n  developer:\n    enabled: true',
    CRLF: 'a: 1\r\nextensions:\r\n  dev:\r\n    x: 1\r\nz: 2\r\n',
    'a block text last': 'extensions:\n  dev:\n    text: |\n      one\n      two\nz: 2\n',
    'blank lines': 'extensions:\n  dev:\n    x: 1\n\n# about z\nz: 2\n',
  };
  for (const [title, before] of Object.entries(files)) {
    it(`\`putEntry\` adds an entry once to a YAML file with ${title}, and \`takeEntry\` removes it`, () => {
      const after = put(yamlConfig, before, yamlMap, value);
      expect(yamlConfig.read(after, yamlMap)).toMatchObject({ value: { extensions: { jira: value } } });
      expect(put(yamlConfig, after, yamlMap, value)).toBe(after);
      for (const comment of before.match(/#.*/g) ?? []) expect(after).toContain(comment.trimEnd());
      const out = take(yamlConfig, after, yamlMap);
      const was = yamlConfig.read(before, yamlMap);
      const is = yamlConfig.read(out, yamlMap);
      if (isRefusal(was) || isRefusal(is)) throw new Error('unreadable');
      const strip = ({ extensions, ...rest }: Record<string, unknown>): unknown => ({
        ...rest,
        extensions: extensions ?? {},
      });
      expect(strip(is.value as Record<string, unknown>)).toEqual(strip(was.value as Record<string, unknown>));
    });
  }

  it('`putEntry` and `takeEntry` edit a YAML list of entries by name', () => {
    const list: Target = { path: ['mcpServers'], holds: 'list', name: 'jira' };
    const before = 'name: mine\nmcpServers:\n  - name: a\n    command: x\nmodels: []\n';
    const after = put(yamlConfig, before, list, value);
    expect(yamlConfig.read(after, list)).toMatchObject({ value: { mcpServers: [{ name: 'a' }, value], models: [] } });
    expect(take(yamlConfig, after, list)).toBe(before);
  });

  it('`putEntry` refuses a YAML file that has several documents or is broken', () => {
    expect(putEntry(yamlConfig, { text: 'a: 1\n---\nb: 2\n', target: yamlMap, entry: value })).toHaveProperty(
      'problem',
    );
    expect(putEntry(yamlConfig, { text: 'a: 1\nb: [1,\n', target: yamlMap, entry: value })).toMatchObject({ line: 3 });
  });
});
