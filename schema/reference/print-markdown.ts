// In: the reference of a kind. Out: its page in docs/reference/: the keys in a table, then a section per key.
import { type Key, type KindReference, listKeys } from './read-kind.js';
import { firstSentence, listRows, type Part } from './rows.js';
import { createSlugger } from './slug.js';

/** Where the definitions of a kind are written. */
const places: Readonly<Record<string, string>> = {
  pack: "`toolwright.yaml`, in the pack's folder",
  server: '`mcp/servers/<name>.yaml`, or an entry in `mcp/servers.yaml`',
  tool: '`mcp/tools/<name>.yaml`, or an entry in `mcp/tools.yaml`',
  prompt: '`mcp/prompts/<name>.yaml`, or an entry in `mcp/prompts.yaml`',
  resource: '`mcp/resources/<name>.yaml`, or an entry in `mcp/resources.yaml`',
  overlay: "`tools/<name>.yaml` and the like in an overlay's folder, or an entry in `tools.yaml` there",
};

/**
 * The page of a kind.
 *
 * @example printMarkdown(readKind('tool', schema)).startsWith('# Tool')
 */
export function printMarkdown(reference: KindReference): string {
  const { kind, title, description, example, keys } = reference;
  const link = linksOf(reference);
  const rows = keys.map(
    key => `| ${link({ key: key.path })} | ${key.type} | ${cell(escapeText(firstSentence(key.description)))} |`,
  );
  return [
    `# ${title}`,
    `${escapeText(description)} It is written in ${places[kind]}. In a terminal: \`toolwright schema ${kind}\`.`,
    fence(example),
    '## Keys',
    ['| key | type | meaning |', '|---|---|---|', ...rows].join('\n'),
    ...listKeys(keys).map(key => printKey(key, link)),
    `*Made from the schema of this kind of file, \`schema/${kind}.schema.json\`.*`,
  ]
    .join('\n\n')
    .concat('\n');
}

function printKey(key: Key, link: (part: Part) => string): string {
  const isTop = !/[.[]/.test(key.path);
  const rows = listRows(key).map(({ label, parts }) => `- **${label}**: ${parts.map(link).join('')}`);
  const values = key.values.map(({ value, meaning }) => `| \`${value}\` | ${cell(escapeText(meaning))} |`);
  return [
    `${isTop ? '##' : '###'} \`${key.path}\``,
    escapeText(key.description),
    rows.join('\n'),
    ...(values.length === 0 ? [] : [['| value | meaning |', '|---|---|', ...values].join('\n')]),
    fence(key.example),
  ].join('\n\n');
}

/** Path of a key -> its anchor on the page: what viewers make of the headings, in their order. */
export function anchorsOf({ title, keys }: KindReference): ReadonlyMap<string, string> {
  const slug = createSlugger();
  for (const heading of [title, 'Keys']) slug(heading);
  return new Map(listKeys(keys).map(({ path }) => [path, slug(`\`${path}\``)]));
}

function linksOf(reference: KindReference): (part: Part) => string {
  const anchors = anchorsOf(reference);
  return part => {
    if (typeof part === 'string') return escapeText(part);
    if ('code' in part) return `\`${part.code}\``;
    if ('page' in part) return `[${part.page}](${part.page}.md)`;
    if ('diagnostic' in part) return `[${part.diagnostic}](diagnostics.md#${createSlugger()(part.diagnostic)})`;
    if ('guide' in part) return `[${nameOfPage(part.guide)}](../${part.guide})`;
    const anchor = anchors.get(part.key) ?? anchors.get(part.key.replace(/(?:\.<name>|\[\])$/, ''));
    if (anchor === undefined) throw new Error(`the page has no key ${part.key}`);
    return `[\`${part.key}\`](#${anchor})`;
  };
}

/** `guides/inputs-and-outputs.md` -> `Inputs and outputs`. */
function nameOfPage(path: string): string {
  const words = path.replace(/^.*\/|\.md$/g, '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Words that are not code, so that viewers show `<name>` and `*` as they are.
 *
 * @example escapeText('the header Mcp-Param-<name>') // 'the header Mcp-Param-\\<name>'
 */
export function escapeText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[<*[\]]/g, '\\$&')))
    .join('');
}

/** A cell of a table, in which a line ends a row. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function fence(example: string): string {
  return `\`\`\`yaml\n${example}\n\`\`\``;
}
