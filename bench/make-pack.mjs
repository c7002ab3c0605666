// In: a number of tools and a variant. Out: packs on disk, the same on every machine: per-item and combined, YAML and JSON.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `plain` has no default and no example, so that nothing must be validated; `values` has both in every tool. */
export const variants = ['plain', 'values'];

const verbs = ['get', 'list', 'search', 'create', 'update', 'delete', 'archive', 'export', 'assign', 'merge'];
const nouns = [
  'issue',
  'project',
  'comment',
  'board',
  'sprint',
  'user',
  'invoice',
  'order',
  'report',
  'branch',
  'alert',
];
const sentences = [
  'Works on the workspace that the token belongs to, never on another one.',
  'Prefer the narrowest filter: results are ordered by relevance and cut at the limit.',
  'Returns the identifier, the title and a link that a person can open.',
  'Fields that are left out keep the value they have.',
  'Times are in UTC; "today" means the day of the workspace, not of the caller.',
  'An unknown identifier is an error, an empty result is not: check `total` first.',
];
const states = ['open', 'in-progress', 'blocked', 'in-review', 'done', 'closed', 'archived'];

/** Mulberry32: small, seeded and good enough to vary manifests. */
function makeRandom(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: list => list[Math.floor(next() * list.length)],
  };
}

/** Each way to write a parameter: its definition, a default where it has one, and a value for the example. */
const parameters = [
  () => [
    'query',
    { type: 'string', description: 'Words that must all occur, in any order', minLength: 1 },
    'crash on start',
  ],
  () => ['key', { type: 'string', description: 'Key such as ABC-123', pattern: '^[A-Z][A-Z0-9]+-[0-9]+$' }, 'ABC-123'],
  random => {
    const most = random.between(50, 500);
    return ['limit', { type: 'integer', description: 'How many to return', minimum: 1, maximum: most }, 25, 20];
  },
  random => {
    const members = states.slice(0, random.between(3, 7));
    return [
      'state',
      { type: 'string', description: 'Only those in this state', enum: members },
      members[1],
      members[0],
    ];
  },
  () => [
    'dryRun',
    { type: 'boolean', description: 'Say what would happen, change nothing', required: false },
    true,
    false,
  ],
  () => [
    'since',
    { type: 'string', format: 'date-time', description: 'Changed after', required: false },
    '2026-01-31T09:30:00Z',
  ],
  () => [
    'labels',
    {
      type: 'array',
      description: 'All of these',
      items: { type: 'string', maxLength: 40 },
      maxItems: 10,
      required: false,
    },
    ['bug', 'regression'],
    [],
  ],
  random => [
    'filter',
    {
      type: 'object',
      description: 'Narrows the result',
      required: false,
      properties: {
        field: { type: 'string', enum: ['title', 'body', 'author', 'assignee'] },
        operator: { type: 'string', enum: ['is', 'is-not', 'contains'] },
        value: { type: 'string', description: 'Compared without regard to case', maxLength: random.between(80, 200) },
      },
    },
    { field: 'title', operator: 'contains', value: 'crash' },
  ],
  () => [
    'changes',
    {
      type: 'array',
      description: 'Applied in this order',
      required: false,
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', pattern: '^/[a-z/]+$' },
          value: { type: ['string', 'number', 'boolean', 'null'] },
        },
      },
    },
    [{ path: '/title', value: 'New title' }],
  ],
];

/** What only a full validator can tell; it is rare in real packs, and so it is here. */
const target = {
  description: 'One by its id, or by its place in the list',
  oneOf: [
    { type: 'string', format: 'uuid' },
    { type: 'integer', minimum: 1 },
  ],
};
const oneIn = 20;

export function makeTools(count, variant) {
  const random = makeRandom(20_261_116);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const verb = random.pick(verbs);
      const noun = random.pick(nouns);
      const tool = makeTool(verb, noun, variant === 'values', random);
      if (index % oneIn === 0) addTarget(tool);
      return [`${verb}-${noun}-${index + 1}`, tool];
    }),
  );
}

function makeTool(verb, noun, withValues, random) {
  const lines = [`${verb[0].toUpperCase()}${verb.slice(1)} one or more ${noun}s of the workspace.`];
  for (let count = random.between(1, 4); count > 0; count -= 1) lines.push(random.pick(sentences));
  const first = random.between(0, parameters.length - 1);
  const input = {};
  const written = {};
  for (let count = random.between(4, 8); count > 0; count -= 1) {
    const [name, definition, value, fallback] = parameters[(first + count) % parameters.length](random);
    const hasDefault = withValues && fallback !== undefined;
    written[name] = hasDefault ? { ...definition, default: fallback } : definition;
    if (!hasDefault || count % 2 === 0) input[name] = value;
  }
  return {
    title: `${verb} ${noun}`,
    description: `${lines.join('\n')}\n`,
    effect: verb === 'delete' ? 'destructive' : ['get', 'list', 'search', 'export'].includes(verb) ? 'read' : 'write',
    tags: [noun, verb],
    parameters: written,
    guidelines: {
      whenToUse: `The user asks to ${verb} a ${noun}`,
      avoidIf: ['The key is unknown', 'Nothing would change'],
    },
    ...(withValues ? { examples: [{ name: 'typical', input }] } : {}),
  };
}

function addTarget({ parameters: written, examples = [] }) {
  written.target = target;
  for (const { input } of examples) input.target = 7;
}

/** Writes one pack; every layout holds the same tools. Returns its folder. */
export function writePack(folder, tools, { layout, format }) {
  const pack = join(folder, `${layout}-${format}`);
  const print = format === 'json' ? value => `${JSON.stringify(value, null, 2)}\n` : value => printYaml(value, '');
  mkdirSync(join(pack, 'mcp/tools'), { recursive: true });
  writeFileSync(join(pack, 'toolwright.yaml'), 'name: bench/pack\nversion: 1.0.0\ndescription: Made for measuring\n');
  if (layout === 'combined') writeFileSync(join(pack, `mcp/tools.${format}`), print(Object.fromEntries(tools)));
  else for (const [name, tool] of tools) writeFileSync(join(pack, `mcp/tools/${name}.${format}`), print(tool));
  return pack;
}

/** YAML as people write it: block maps, literal texts, lists of words in brackets. */
function printYaml(map, indent) {
  return Object.entries(map)
    .map(([key, value]) => `${indent}${key}:${printValue(value, indent)}`)
    .join('');
}

function printValue(value, indent) {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every(item => typeof item !== 'object')) return ` [${value.map(printScalar).join(', ')}]\n`;
    // The dash takes the place of the first key's indentation.
    return `\n${value.map(item => `${deeper}- ${printYaml(item, `${deeper}  `).trimStart()}`).join('')}`;
  }
  if (typeof value === 'object' && value !== null) return `\n${printYaml(value, deeper)}`;
  if (typeof value === 'string' && value.includes('\n')) return ` |\n${value.trimEnd().replaceAll(/^/gm, deeper)}\n`;
  return ` ${printScalar(value)}\n`;
}

function printScalar(value) {
  const isPlain = typeof value === 'string' && /^[A-Za-z][\w -]*$/.test(value) && !/^(?:null|true|false)$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
