// In: a reference. Out: Markdown: a table per kind, then a section per tool. Texts of manifests stay texts.
import { groupPages, otherGroup, type Reference, type ToolPage } from './reference.js';
import type { Field } from './schema-fields.js';

const sections = ['servers', 'tools', 'prompts', 'resources', 'config'] as const;
type Section = (typeof sections)[number];
/** A region: one section, or whatever the pack has. */
type Region = Section | 'all';

/** One section, without a heading of its own: what stands around a region is the author's. All sections have theirs. */
export function printRegion(region: Region, reference: Reference): string {
  return region === 'all' ? printSections(reference).join('\n\n') : printSection(region, reference);
}

/** Of what the pack has, what none of these regions shows. */
export function missingRegions(regions: readonly Region[], reference: Reference): readonly Section[] {
  return sections.filter(
    section => reference[section].length > 0 && !regions.includes(section) && !regions.includes('all'),
  );
}

function printSection(section: Section, reference: Reference): string {
  const text = printers[section](reference);
  return text === '' ? `This pack has no ${section === 'config' ? 'configuration' : section}.` : text;
}

/** All sections that have something, with headings. */
export function printMarkdown(reference: Reference): string {
  const { name, version, description } = reference;
  const intro = description === '' ? [] : [paragraph(description)];
  return `${[`# ${inline(name)} ${inline(version)}`, ...intro, ...printSections(reference)].join('\n\n')}\n`;
}

function printSections(reference: Reference): readonly string[] {
  return sections
    .filter(section => reference[section].length > 0)
    .map(section => `## ${headings[section]}\n\n${printSection(section, reference)}`);
}

const headings: Readonly<Record<Section, string>> = {
  servers: 'Servers',
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
  config: 'Configuration',
};

const printers: Readonly<Record<Section, (reference: Reference) => string>> = {
  servers: ({ servers }) =>
    table(
      ['Server', 'Description', 'Transport', 'Tools', 'Prompts', 'Resources'],
      servers.map(({ name, description, transport, tools, prompts, resources }) => [
        code(name),
        inline(description),
        transport,
        ...[tools, prompts, resources].map(list => list.map(code).join(', ')),
      ]),
    ),
  tools: ({ tools }) =>
    grouped(tools, (list, level) => {
      const overview = table(
        ['Tool', 'What it does', 'Effect'],
        list.map(({ name, description, effect }) => [code(name), inline(firstSentence(description)), effect]),
      );
      return [overview, ...list.map(tool => printTool(tool, level))].filter(text => text !== '').join('\n\n');
    }),
  prompts: ({ prompts }) =>
    grouped(prompts, list =>
      table(
        ['Prompt', 'Description', 'Arguments'],
        list.map(({ name, description, arguments: all }) => [
          code(name),
          inline(description),
          all.map(({ name: argument, required }) => code(required ? argument : `${argument}?`)).join(', '),
        ]),
      ),
    ),
  resources: ({ resources }) =>
    grouped(resources, list =>
      table(
        ['Resource', 'URI', 'Type', 'Description'],
        list.map(({ name, uri, mimeType, description }) => [
          code(name),
          code(uri),
          inline(mimeType),
          inline(description),
        ]),
      ),
    ),
  config: ({ config }) =>
    table(
      ['Variable', 'Type', 'Default', 'Description'],
      config.map(({ name, words, type, default: value, secret, description }) => [
        words === '' ? code(name) : `${code(name)}, ${code(words)}`,
        secret ? `${code(type)}, secret` : code(type),
        value === '' ? '' : code(value),
        inline(description),
      ]),
    ),
};

/** X12: a heading for each tag, where anything has one. */
function grouped<T extends { readonly tags: readonly string[] }>(
  pages: readonly T[],
  print: (list: readonly T[], level: string) => string,
): string {
  const groups = groupPages(pages);
  if (groups.every(({ tag }) => tag === '')) return print(pages, '###');
  return groups
    .map(({ tag, items }) => `### ${tag === '' ? otherGroup : inline(tag)}\n\n${print(items, '####')}`)
    .join('\n\n');
}

function printTool(
  { name, description, guidelines, input, output, errors, requires, examples }: ToolPage,
  level: string,
): string {
  return [
    `${level} ${code(name)}`,
    paragraph(description),
    ...guidelines.map(({ title, text }) => `**${title}:**${text.startsWith('- ') ? '\n\n' : ' '}${paragraph(text)}`),
    ...(requires.length === 0 ? [] : [`Needs ${requires.map(inline).join(', ')}.`]),
    fieldTable('Parameter', input),
    ...(output.length === 0 ? [] : [fieldTable('Result', output)]),
    table(
      ['Error', 'Meaning', 'What to do'],
      errors.map(({ code: error, message, fix }) => [code(error), inline(message), inline(fix)]),
    ),
    ...examples.map(({ name: title, description: about, input: given, output: result, error }) =>
      [
        `${inline(title)}:`,
        ...(about === '' ? [] : [paragraph(about)]),
        fence(given),
        ...(result === undefined ? [] : ['gives', fence(result)]),
        ...(error === undefined ? [] : [`fails with ${code(error)}.`]),
      ].join('\n\n'),
    ),
  ]
    .filter(text => text !== '')
    .join('\n\n');
}

function fieldTable(title: string, fields: readonly Field[]): string {
  const rows = (list: readonly Field[], path: string): readonly (readonly string[])[] =>
    list.flatMap(({ name, type, required, default: value, description, fields: below }) => [
      [
        code(`${path}${name}`),
        inlineType(type),
        required ? 'yes' : '',
        value === '' ? '' : code(value),
        inline(description),
      ],
      ...rows(below, `${path}${name}.`),
    ]);
  return table([title, 'Type', 'Required', 'Default', 'Description'], rows(fields, ''));
}

/** Empty without rows; columns without any value are left out. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const used = titles.map((_, column) => column === 0 || rows.some(row => row[column] !== ''));
  const line = (cells: readonly string[]): string => `| ${cells.filter((_, column) => used[column]).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

function fence(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  const ticks = '`'.repeat(Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return `${ticks}json\n${text}\n${ticks}`;
}

function inlineType(type: string): string {
  return code(type);
}

/** Code in a table: a bar would end the cell even there. */
function code(text: string): string {
  const plain = oneLine(text).replaceAll('|', '\\|');
  const ticks = '`'.repeat(Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return ticks.length === 1 ? `\`${plain}\`` : `${ticks} ${plain} ${ticks}`;
}

/** A string inside a line: nothing in it starts a table cell, a tag, a heading or a region of ours. */
export function inline(text: string): string {
  return escapeMarkdown(oneLine(text));
}

/** A string of several lines: paragraphs stay, the rest is escaped likewise. */
function paragraph(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map(block =>
      block
        .split(/\n(?=- )/)
        .map(item => (item.startsWith('- ') ? `- ${inline(item.slice(2))}` : inline(item)))
        .join('\n'),
    )
    .join('\n\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\u2028\u2029]+/g, ' ').trim();
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\|<>]/g, '\\$&').replace(/^(#|[-+*] |\d+\. )/, '\\$1');
}

function firstSentence(text: string): string {
  const [sentence = text] = /^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim()) ?? [text];
  return sentence.split(/\n\s*\n/)[0] ?? sentence;
}

// In: a Markdown text and what belongs in its regions. Out: the text with them filled, everything else as it was; or what is wrong.

interface RegionProblem {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

interface Filled {
  readonly text: string;
  /** The regions that the text has. */
  readonly regions: readonly Region[];
  readonly problems: readonly RegionProblem[];
}

/** What an author writes around a region. */
export const regionExample = '<!-- toolwright:tools -->\n<!-- /toolwright -->';

const marks = /^[ \t]*<!--\s*(?:toolwright:([^\s>]*)|(\/toolwright))\s*-->[ \t]*$/gm;

const regionNames: readonly Region[] = [...sections, 'all'];

/** Regions stand between `<!-- toolwright:tools -->` and `<!-- /toolwright -->`, each mark on a line of its own. */
export function fillRegions(text: string, print: (region: Region) => string): Filled {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const problems: RegionProblem[] = [];
  const regions: Region[] = [];
  const pieces: string[] = [];
  let copied = 0;
  /** Without a section where its name is unknown, which was said. */
  let open: { readonly section: Region | undefined; readonly start: number; readonly end: number } | undefined;
  for (const { 0: mark, 1: name, 2: closing, index } of text.matchAll(marks)) {
    if (isInFence(text, index)) continue;
    const end = index + mark.length;
    if (closing !== undefined) {
      if (open === undefined) report(index, 'this region was never opened');
      else if (open.section !== undefined) {
        pieces.push(
          text.slice(copied, open.end),
          newline,
          newline,
          print(open.section).replaceAll('\n', newline),
          newline,
          newline,
        );
        regions.push(open.section);
        copied = index;
      }
      open = undefined;
      continue;
    }
    if (open !== undefined) report(open.start, 'this region has no end: write <!-- /toolwright --> below it');
    const section = regionNames.find(one => one === name);
    if (section === undefined) report(index, `there is no region "${name}": there are ${regionNames.join(', ')}`);
    open = { section, start: index, end };
  }
  if (open !== undefined) report(open.start, 'this region has no end: write <!-- /toolwright --> below it');
  return { text: problems.length > 0 ? text : pieces.join('') + text.slice(copied), regions, problems };

  function report(offset: number, problem: string): void {
    const before = text.slice(0, offset);
    problems.push({ line: before.split('\n').length, column: offset - before.lastIndexOf('\n'), problem });
  }
}

/** Inside a fence of code a mark is an example. */
function isInFence(text: string, offset: number): boolean {
  const fences = text.slice(0, offset).match(/^(?:```|~~~)/gm) ?? [];
  return fences.length % 2 === 1;
}
