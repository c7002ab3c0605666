// The reference of a pack: regions of a README, Markdown, one HTML page. Texts of manifests never become more than texts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printHtml } from '../../../generator/docs/html.js';
import { fillRegions, printMarkdown, printRegion } from '../../../generator/docs/markdown.js';
import { makeReference, type Reference } from '../../../generator/docs/reference.js';
import { fieldsOf } from '../../../generator/docs/schema-fields.js';
import { createTemplates } from '../../../generator/render/templates.js';
import { load } from '../../../runtime/load/load.js';
import type { Program } from '../../../runtime/load/program.js';
import { writeFiles } from '../../harness/files.js';
import { hostile } from '../compile/hostile-texts.js';

function program(): Program {
  const loaded = load(join(import.meta.dirname, '../../../examples/jira'), {});
  if (loaded.program === undefined) throw new Error('no program');
  return loaded.program;
}

const command = join(import.meta.dirname, '../../../dist/cli/main.js');
const jira: Reference = makeReference(program());

describe('P22 `makeReference`', () => {
  it('a reference has the parameters, errors and examples of a tool, and all servers', () => {
    const tool = jira.tools.find(({ item }) => item === 'create-issue');
    expect(tool?.input.map(({ name }) => name)).toContain('origin');
    expect(tool?.input.find(({ name }) => name === 'origin')?.fields.map(({ name }) => name)).toEqual([
      'channel',
      'reference',
    ]);
    expect(tool?.errors.map(({ code }) => code)).toContain('UNKNOWN_PROJECT');
    expect(tool?.examples.length).toBeGreaterThan(0);
    expect(jira.servers.map(({ name }) => name)).toEqual(['project-management', 'reporting']);
  });

  it('a reference shows the names of tools as clients see them', () => {
    expect(JSON.stringify(jira)).not.toContain('{{tool:');
  });
});

describe('P22 Markdown reference', () => {
  it('the Markdown has a section for each tool and a row for each nested parameter', () => {
    const text = printMarkdown(jira);
    for (const { name } of jira.tools) expect(text).toContain(`### \`${name}\``);
    expect(text).toContain('| `origin.channel` |');
  });

  it('the Markdown shows the values that a variable may have without breaking the table', () => {
    const [row] = makeReference({
      ...program(),
      pack: {
        ...program().pack,
        config: { UNITS: { type: 'string', enum: ['metric', 'imperial'], default: 'metric' } },
      },
    }).config;
    expect(row?.type).toBe('"metric" | "imperial"');
    expect(printRegion('config', { ...jira, config: row === undefined ? [] : [row] })).toContain(
      '| `UNITS` | `"metric" \\| "imperial"` | `"metric"` |',
    );
  });

  it('the Markdown says so when a pack has no prompts', () => {
    const empty = { ...jira, prompts: [] };
    expect(printRegion('prompts', empty)).toBe('This pack has no prompts.');
  });

  it.each(hostile)('the Markdown keeps its table whole whatever a description says: %j', text => {
    const [tool] = jira.tools;
    if (tool === undefined) throw new Error('no tool');
    const lines = (description: string): readonly string[] => {
      const page = {
        ...tool,
        description: `${description}.`,
        tags: [],
        input: [],
        output: [],
        errors: [],
        examples: [],
        guidelines: [],
      };
      return printRegion('tools', { ...jira, tools: [page] })
        .split('\n')
        .slice(0, 3);
    };
    const columns = (line: string): number => line.replaceAll(/\\\\|\\\|/g, '').split('|').length;
    const [head = '', rule = '', row = ''] = lines(text);
    expect(columns(head)).toBe(columns(rule));
    expect(columns(row)).toBe(columns(head));
    expect(row).not.toMatch(/(?<!\\)</);
  });
});

describe('P22 `fillRegions`', () => {
  const print = (section: string): string => `the ${section}`;

  it('`fillRegions` fills each region and keeps everything around it', () => {
    const text = '# Mine\n\n<!-- toolwright:tools -->\nold\n<!-- /toolwright -->\n\nafter\n';
    const filled = fillRegions(text, print);
    expect(filled).toMatchObject({ regions: ['tools'], problems: [] });
    expect(filled.text).toBe('# Mine\n\n<!-- toolwright:tools -->\n\nthe tools\n\n<!-- /toolwright -->\n\nafter\n');
    expect(fillRegions(filled.text, print).text).toBe(filled.text);
  });

  it('`fillRegions` keeps CRLF and leaves examples in fences alone', () => {
    const text = '```\r\n<!-- toolwright:tools -->\r\n```\r\n<!-- toolwright:config -->\r\n<!-- /toolwright -->\r\n';
    const { text: after, regions } = fillRegions(text, print);
    expect(regions).toEqual(['config']);
    expect(after).not.toMatch(/[^\r]\n/);
  });

  it.each([
    ['<!-- toolwright:tols -->\n<!-- /toolwright -->', 1, /there is no region "tols"/],
    ['a\n<!-- toolwright:tools -->\n', 2, /has no end/],
    ['a\nb\n<!-- /toolwright -->\n', 3, /never opened/],
    ['<!-- toolwright:tools -->\n<!-- toolwright:config -->\n<!-- /toolwright -->', 1, /has no end/],
  ])('`fillRegions` reports a wrong region and changes nothing: %j', (text, line, problem) => {
    const filled = fillRegions(text, print);
    expect(filled.text).toBe(text);
    expect(filled.problems[0]).toMatchObject({ line });
    expect(filled.problems[0]?.problem).toMatch(problem);
  });
});

describe('P22 HTML reference', () => {
  it('the HTML page has a card for each tool, a tree and a diagram, and loads nothing from the network', () => {
    const html = printHtml(jira, createTemplates());
    for (const { name } of jira.tools) expect(html).toContain(`id="tool-${name}"`);
    expect(html).toContain('<svg class="diagram"');
    expect(html).toContain('<ul class="tree">');
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(html).not.toMatch(/@import|url\(/);
  });

  it.each(hostile)('the HTML page shows text as text: %j', text => {
    const plain = printHtml(withText(jira, 'harmless'), createTemplates());
    const odd = printHtml(withText(jira, text), createTemplates());
    const tags = (html: string): readonly string[] =>
      (html.match(/<[a-z/!][^>]*>/gi) ?? []).map(tag => tag.replaceAll(/"[^"]*"/g, '""'));
    expect(tags(odd)).toEqual(tags(plain));
  });

  it('the HTML page is the same for the same pack', () => {
    expect(printHtml(jira, createTemplates())).toBe(printHtml(jira, createTemplates()));
  });
});

/** The same pack with a text wherever one can be. */
function withText(reference: Reference, text: string): Reference {
  const [tool, ...others] = reference.tools;
  if (tool === undefined) throw new Error('no tool');
  return {
    ...reference,
    description: 'x',
    tools: [
      {
        ...tool,
        title: `t${text}`,
        effect: `e${text}`,
        requires: [text],
        errors: [{ code: text, message: text, fix: `f${text}` }],
        examples: [{ description: '', name: text, input: { [text]: text } }],
      },
      ...others,
    ],
  };
}

describe('`fieldsOf`', () => {
  it('`fieldsOf` follows references and stops when a schema refers to itself', () => {
    const schema = {
      type: 'object',
      $defs: { node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } } },
      properties: {
        first: { $ref: '#/$defs/node', description: 'the first' },
        all: { type: 'array', items: { enum: ['a', 'b'] } },
      },
      required: ['first'],
    };
    const fields = fieldsOf(schema);
    expect(fields).toMatchObject([
      { name: 'first', type: 'object', required: true, description: 'the first' },
      { name: 'all', type: '("a" | "b")[]' },
    ]);
    expect(JSON.stringify(fields).length).toBeLessThan(10_000);
  });

  it('`fieldsOf` does not throw for odd schemas', () => {
    for (const schema of [
      true,
      {},
      { $ref: '#/nowhere' },
      { anyOf: [{ properties: { a: true } }, { properties: { a: {}, b: false } }] },
    ])
      expect(Array.isArray(fieldsOf(schema as never))).toBe(true);
  });
});

describe('P22 `toolwright docs`', () => {
  it('`docs` fills a README in place and notices when it is out of date', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright docs ü '));
    const write = (path: string, text: string) => writeFiles(folder, { [path]: text });
    const docs = (...args: string[]) =>
      spawnSync(process.execPath, [command, 'docs', '--format', 'json', ...args], { cwd: folder, encoding: 'utf8' });
    write('toolwright.yaml', 'name: mine\n');
    write('mcp/tools/hello.yaml', 'description: Says hello.\n');
    expect(docs()).toMatchObject({ status: 2, stderr: expect.stringContaining('README.md does not exist') });
    write('README.md', '# Mine\n');
    expect(docs()).toMatchObject({ status: 2, stderr: expect.stringContaining('has no region to fill') });
    write('README.md', '# Mine\n<!-- toolwright:tools -->\n<!-- /toolwright -->\n');
    expect(docs('--check').status).toBe(1);
    expect(JSON.parse(docs().stdout)).toEqual({ ok: true, operations: [{ op: 'replace', path: 'README.md' }] });
    expect(docs('--check').status).toBe(0);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('| `hello` | Says hello. |');
    write('mcp/tools/hello.yaml', 'description: Says goodbye.\n');
    expect(docs('--check').status).toBe(1);
    expect(JSON.parse(docs('--html').stdout).operations).toEqual([{ op: 'create', path: 'docs/index.html' }]);
    expect(JSON.parse(docs('--html').stdout).operations).toEqual([{ op: 'keep', path: 'docs/index.html' }]);
    write('mcp/tools/hello.yaml', 'description: [\n');
    const broken = docs();
    expect([broken.status, broken.stderr]).toEqual([1, '']);
    const [wrong] = JSON.parse(broken.stdout).diagnostics;
    expect(wrong).toMatchObject({ severity: 'error', file: 'mcp/tools/hello.yaml' });
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('Says hello.');
    rmSync(folder, { recursive: true });
  });

  it('`docs` replaces neither a page of somebody else nor a README that it cannot read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright docs ü '));
    const docs = (...args: string[]) =>
      spawnSync(process.execPath, [command, 'docs', ...args], { cwd: folder, encoding: 'utf8' });
    writeFileSync(join(folder, 'toolwright.yaml'), 'name: mine\n');
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'docs/index.html'), '<h1>My site</h1>\n');
    expect(docs('--html')).toMatchObject({ status: 2, stderr: expect.stringContaining('--force') });
    expect(readFileSync(join(folder, 'docs/index.html'), 'utf8')).toBe('<h1>My site</h1>\n');
    expect(docs('--html', '--force').status).toBe(0);
    expect(docs('--html', '--check').status).toBe(0);
    const latin = Buffer.from('Gr\xfc\xdfe\n<!-- toolwright:tools -->\n<!-- /toolwright -->\n', 'latin1');
    writeFileSync(join(folder, 'README.md'), latin);
    expect(docs()).toMatchObject({ status: 2, stderr: expect.stringContaining('it is not UTF-8 text') });
    expect(readFileSync(join(folder, 'README.md'))).toEqual(latin);
    rmSync(folder, { recursive: true });
  });
});
