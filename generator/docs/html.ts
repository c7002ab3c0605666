// In: a reference. Out: one HTML page that needs nothing else: search, light and dark, schemas as trees, examples, a diagram.
import { Code, escapeHtml } from '../render/code.js';
import type { Templates } from '../render/templates.js';
import {
  groupPages,
  otherGroup,
  type PromptPage,
  type Reference,
  type ResourcePage,
  type ServerPage,
  type ToolPage,
} from './reference.js';
import type { Field } from './schema-fields.js';

/** Sections with something in them, in the order of the page. */
export function printHtml(reference: Reference, templates: Templates): string {
  const { name, version, description, servers, tools, prompts, resources, config } = reference;
  const groups = [
    { id: 'servers', title: 'Servers', cards: servers.map(server => card('server', server.name, printServer(server))) },
    { id: 'tools', title: 'Tools', cards: grouped(tools, tool => card('tool', tool.name, printTool(tool))) },
    { id: 'prompts', title: 'Prompts', cards: grouped(prompts, one => card('prompt', one.name, printPrompt(one))) },
    {
      id: 'resources',
      title: 'Resources',
      cards: grouped(resources, one => card('resource', one.name, printResource(one))),
    },
  ].filter(({ cards }) => cards.length > 0);
  return templates.render('docs-page.html', {
    title: `${name} ${version}`,
    name,
    version,
    description,
    diagram: new Code(drawDiagram(servers)),
    hasConfig: config.length > 0,
    config: new Code(config.map(printConfig).join('\n')),
    groups: groups.map(({ id, title, cards }) => ({
      id,
      title,
      count: `${cards.length}`,
      links: cards.map(({ id: target, label }) => ({ target, label })),
      body: new Code(cards.map(({ html }) => html).join('\n')),
    })),
  });
}

interface Card {
  readonly id: string;
  readonly label: string;
  readonly html: string;
}

/** X12: a heading before the first card of each tag, where anything has one. */
function grouped<T extends { readonly tags: readonly string[] }>(
  pages: readonly T[],
  print: (page: T) => Card,
): readonly Card[] {
  const groups = groupPages(pages);
  if (groups.every(({ tag }) => tag === '')) return pages.map(print);
  return groups.flatMap(({ tag, items }) => {
    const heading = `<h3 class="tag">${escapeHtml(tag === '' ? otherGroup : tag)}</h3>\n`;
    return items.map(print).map((one, index) => (index === 0 ? { ...one, html: heading + one.html } : one));
  });
}

/** The id is of plain letters, whatever the name: it stands in links. */
function card(kind: string, name: string, inner: string): Card {
  const id = `${kind}-${encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(/[^A-Za-z0-9_.-]/g, '_')}`;
  const heading = `<h3><a href="#${id}">${escapeHtml(name)}</a></h3>`;
  return {
    id,
    label: name,
    html: `<article id="${id}" class="card" data-kind="${kind}">\n${heading}\n${inner}\n</article>`,
  };
}

function printServer({ description, transport, instructions, tools, prompts, resources }: ServerPage): string {
  const list = (title: string, kind: string, names: readonly string[]): string =>
    names.length === 0
      ? ''
      : `<p><b>${title}</b> ${names.map(name => `<a href="#${card(kind, name, '').id}"><code>${escapeHtml(name)}</code></a>`).join(' ')}</p>`;
  return join(
    text(description),
    badge(transport),
    instructions === '' ? '' : details('Instructions', `<pre>${escapeHtml(instructions)}</pre>`),
    list('Tools', 'tool', tools),
    list('Prompts', 'prompt', prompts),
    list('Resources', 'resource', resources),
  );
}

function printTool({
  title,
  description,
  effect,
  guidelines,
  input,
  output,
  errors,
  requires,
  examples,
}: ToolPage): string {
  return join(
    title === '' ? '' : `<p class="subtitle">${escapeHtml(title)}</p>`,
    text(description),
    effect === '' ? '' : badge(effect),
    ...guidelines.map(({ title: heading, text: told }) => `<p><b>${escapeHtml(heading)}:</b> ${escapeHtml(told)}</p>`),
    requires.length === 0 ? '' : `<p><b>Needs</b> ${requires.map(escapeHtml).join(', ')}</p>`,
    input.length === 0 ? '<p class="quiet">No parameters.</p>' : details('Parameters', tree(input), true),
    output.length === 0 ? '' : details('Result', tree(output)),
    errors.length === 0
      ? ''
      : details(
          'Errors',
          `<dl>${errors.map(({ code, message, fix }) => `<dt><code>${escapeHtml(code)}</code></dt><dd>${escapeHtml(message)}${fix === '' ? '' : ` <i>${escapeHtml(fix)}</i>`}</dd>`).join('')}</dl>`,
        ),
    ...examples.map(({ name, description: about, input: given, output: result, error }) =>
      details(
        name,
        join(
          text(about),
          json(given),
          result === undefined ? '' : `<p class="quiet">gives</p>${json(result)}`,
          error === undefined ? '' : `<p class="quiet">fails with</p><pre>${escapeHtml(error)}</pre>`,
        ),
      ),
    ),
  );
}

function printPrompt({ description, arguments: list }: PromptPage): string {
  const rows = list.map(({ name, description: told, required }) => ({
    name,
    type: 'string',
    required,
    default: '',
    description: told,
    fields: [],
  }));
  return join(text(description), rows.length === 0 ? '' : details('Arguments', tree(rows), true));
}

function printResource({ description, uri, mimeType }: ResourcePage): string {
  return join(text(description), `<p><code>${escapeHtml(uri)}</code></p>`, mimeType === '' ? '' : badge(mimeType));
}

function printConfig({ name, words, type, default: value, secret, description }: Reference['config'][number]): string {
  const cells = [
    `<code>${escapeHtml(name)}</code>${words === '' ? '' : `, <code>${escapeHtml(words)}</code>`}`,
    escapeHtml(secret ? `${type}, secret` : type),
    escapeHtml(value),
    escapeHtml(description),
  ];
  return `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`;
}

/** A property with others below it opens and closes. */
function tree(fields: readonly Field[]): string {
  const items = fields.map(({ name, type, required, default: value, description, fields: below }) => {
    const mark = required ? '<span class="required">required</span>' : '';
    const initial = value === '' ? '' : `<span class="quiet">default ${escapeHtml(value)}</span>`;
    const line = `<code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(type)}</span> ${mark} ${initial}`;
    const told = description === '' ? '' : `<div class="told">${escapeHtml(description)}</div>`;
    if (below.length === 0) return `<li>${line}${told}</li>`;
    return `<li><details open><summary>${line}</summary>${told}${tree(below)}</details></li>`;
  });
  return `<ul class="tree">${items.join('')}</ul>`;
}

function details(title: string, inner: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary>${inner}</details>`;
}

function json(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, undefined, 2))}</pre>`;
}

function badge(label: string): string {
  return `<span class="badge">${escapeHtml(label)}</span>`;
}

function text(description: string): string {
  return description
    .trim()
    .split(/\n\s*\n/)
    .filter(block => block !== '')
    .map(block => `<p>${escapeHtml(block)}</p>`)
    .join('\n');
}

function join(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('\n');
}

const row = 26;
const left = { x: 8, width: 200 };
const right = { x: 380, width: 300 };
/** Beyond it a picture tells less than the list. */
const maxItems = 60;

function drawDiagram(servers: readonly ServerPage[]): string {
  if (servers.length === 0) return '';
  const items = new Map<string, { readonly label: string; readonly kind: string }>();
  for (const { tools, prompts, resources } of servers)
    for (const [kind, names] of Object.entries({ tool: tools, prompt: prompts, resource: resources }))
      for (const name of names) items.set(`${kind} ${name}`, { label: name, kind });
  const isLarge = items.size > maxItems;
  const rows = isLarge ? servers.length : Math.max(servers.length, items.size);
  const height = rows * row + 16;
  const keys = [...items.keys()];
  const serverY = (index: number): number => 8 + ((index + 0.5) * (rows * row)) / servers.length;
  const itemY = (index: number): number => 8 + ((index + 0.5) * (rows * row)) / Math.max(keys.length, 1);
  const lines = isLarge
    ? []
    : servers.flatMap(({ tools, prompts, resources }, index) =>
        [
          ...tools.map(name => `tool ${name}`),
          ...prompts.map(name => `prompt ${name}`),
          ...resources.map(name => `resource ${name}`),
        ].map(key => link(serverY(index), itemY(keys.indexOf(key)))),
      );
  const boxes = servers.map(({ name, tools, prompts, resources }, index) => {
    const counts = `${tools.length} tools, ${prompts.length} prompts, ${resources.length} resources`;
    const note = isLarge ? `<text class="quiet" x="${right.x}" y="${serverY(index) + 4}">${counts}</text>` : '';
    return `${box(left, serverY(index), name, 'server')}${note}`;
  });
  const ends = isLarge
    ? []
    : [...items.values()].map(({ label, kind }, index) => box(right, itemY(index), label, kind));
  return `<svg class="diagram" viewBox="0 0 688 ${height}" role="img" aria-label="Servers and what they offer">
${[...lines, ...boxes, ...ends].join('\n')}
</svg>`;
}

function link(from: number, to: number): string {
  const start = left.x + left.width;
  const middle = (start + right.x) / 2;
  return `<path d="M${start} ${fixed(from)}C${middle} ${fixed(from)} ${middle} ${fixed(to)} ${right.x} ${fixed(to)}"/>`;
}

function box({ x, width }: typeof left, y: number, label: string, kind: string): string {
  const shown = label.length > 36 ? `${label.slice(0, 35)}…` : label;
  return `<g class="${kind}"><title>${escapeHtml(label)}</title><rect x="${x}" y="${fixed(y - 10)}" width="${width}" height="20" rx="4"/><text x="${x + 8}" y="${fixed(y + 4)}">${escapeHtml(shown)}</text></g>`;
}

function fixed(number: number): string {
  return number.toFixed(1);
}
