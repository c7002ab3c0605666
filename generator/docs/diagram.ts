// In: servers and what they list. Out: an SVG of servers on the left and what they offer on the right, joined by lines.
import { escapeHtml } from './escape-html.js';
import type { ServerPage } from './reference.js';

const row = 26;
const left = { x: 8, width: 200 };
const right = { x: 380, width: 300 };
/** Beyond it a picture tells less than the list. */
const maxItems = 60;

export function drawDiagram(servers: readonly ServerPage[]): string {
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
