// In: an inspection. Out: the same as text for people.
import { resolveRefs } from '../../generator/docs/schema-fields.js';
import { printListed } from '../../runtime/load/conditions.js';
import type { InspectedItem, InspectedServer } from '../../runtime/packs/inspect.js';
import type { When } from '../../schema/definitions.js';
import { asText, isMap } from '../../schema/document.js';
import { visible } from '../../schema/print/visible.js';
import type { Paint } from '../pack/pack-command.js';
import type { Inspection } from './inspect.js';

export function printInspection(one: Inspection, paint: Paint): string {
  const lines = 'collisions' in one ? serverLines(one, paint) : packLines(one, paint);
  for (const { pack, command } of one.missing)
    lines.push('', `${paint.red('not installed')}  ${visible(pack)}`, `  ${visible(command)}`);
  return `${lines.join('\n')}\n`;
}

function serverLines(server: InspectedServer, paint: Paint): string[] {
  const { name, version, item, pack, transport } = server;
  const lines = [
    `${paint.bold(visible(name))} ${visible(version)}  server ${visible(item)} of ${visible(pack)}, ${transport}`,
  ];
  const facts: [string, unknown][] = [
    ['title', server.title],
    ['description', server.description || undefined],
    ['instructions', server.instructions || undefined],
    ['enabled', server.enabled],
    ['configName', server.configName],
    ['strictArguments', server.strictArguments],
    ...Object.entries(server.properties),
    ['file', `${server.file}:${server.line}`],
    ['packs', server.packs.map(one => `${one.name} ${one.version} (${one.folder})`).join(', ')],
  ];
  addFacts(lines, facts, paint);
  addItems(lines, 'tools', server.tools, paint);
  addItems(lines, 'prompts', server.prompts, paint);
  addItems(lines, 'resources', server.resources, paint);
  for (const { kind, name: shared, members } of server.collisions) {
    // What is missing or broken has its number too, so that one member may be all that there is.
    lines.push('', `${paint.yellow('collision')}  ${kind}s called ${visible(shared)}`);
    for (const member of members)
      lines.push(`  ${visible(member.name)}  ${paint.dim(visible(`${member.pack}/${member.item}`))}`);
  }
  return lines;
}

function packLines(pack: Exclude<Inspection, InspectedServer>, paint: Paint): string[] {
  const state = 'installed' in pack ? paint.red('  not installed') : '';
  const lines = [`${paint.bold(visible(pack.name))} ${visible(pack.version)}  pack${state}`];
  if (!('installed' in pack)) {
    const { description, folder, config, context } = pack;
    const facts: [string, unknown][] = [
      ['description', description],
      ['folder', folder],
      ['context', context],
    ];
    addFacts(
      lines,
      [...facts, ...Object.entries(config).map(([key, value]): [string, unknown] => [key, value])],
      paint,
    );
  }
  addItems(lines, 'tools', pack.tools as readonly InspectedItem[], paint);
  addItems(lines, 'prompts', pack.prompts as readonly InspectedItem[], paint);
  addItems(lines, 'resources', pack.resources as readonly InspectedItem[], paint);
  // Servers come last: each has a list of items of its own.
  for (const server of pack.servers) {
    if (isServer(server)) lines.push('', ...serverLines(server, paint));
    else if (isMap(server))
      lines.push(
        '',
        `server ${visible(asText(server['name']))}  ${paint.dim(visible(asText(server['description'])))}`.trimEnd(),
      );
  }
  return lines;
}

function isServer(value: unknown): value is InspectedServer {
  return isMap(value) && Array.isArray(value['collisions']);
}

function addFacts(lines: string[], facts: readonly (readonly [string, unknown])[], paint: Paint): void {
  const known = facts.filter(([, value]) => value !== undefined);
  const width = known.reduce((widest, [key]) => Math.max(widest, visible(key).length), 0);
  for (const [key, value] of known) {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    const [first = '', ...rest] = shown.split('\n').map(visible);
    lines.push(`  ${paint.dim(visible(key).padEnd(width))}  ${first}`);
    for (const line of rest) lines.push(`  ${' '.repeat(width)}  ${line}`);
  }
}

function addItems(lines: string[], title: string, items: readonly InspectedItem[], paint: Paint): void {
  if (items.length === 0) return;
  lines.push('', `${paint.bold(title)} (${items.length})`);
  for (const item of items) {
    const origin = item.pack === undefined ? '' : `${item.pack}/${item.item}`;
    const off = item['enabled'] === false ? paint.red('  off') : '';
    const place = item.file === undefined ? '' : `  ${paint.cyan(visible(`${item.file}:${item.line}`))}`;
    const from = origin === '' ? '' : `  ${paint.dim(visible(origin))}`;
    lines.push(`  ${paint.bold(visible(item.name))}${from}${place}${off}`);
    const address = item['uri'] ?? item['uriTemplate'];
    if (typeof address === 'string') lines.push(`    ${visible(address)}`);
    const [about = ''] = asText(item['description']).trim().split('\n');
    if (about !== '') lines.push(`    ${visible(about)}`);
    if (typeof item['reaches'] === 'string') lines.push(`    ${visible(item['reaches'])}`);
    const conditions = [isMap(item['when']) ? [item['when']] : [], item['listedWhen'] ?? []] as (readonly When[])[];
    for (const one of conditions) if (one.length > 0) lines.push(`    only if ${visible(printListed(one))}`);
    for (const parameter of parametersOf(item)) lines.push(`    ${paint.dim('-')} ${visible(parameter)}`);
    for (const [parameter, from] of Object.entries(isMap(item['bound']) ? item['bound'] : {}))
      lines.push(`    ${paint.dim('-')} ${visible(`${parameter} from ${asText(from)}`)}`);
  }
}

/** Of tools from their schema, of prompts from their arguments, of packs that are not installed only the names. */
function parametersOf(item: InspectedItem): readonly string[] {
  const { inputSchema: schema, arguments: list, parameters } = item as Readonly<Record<string, unknown>>;
  if (isMap(schema) && isMap(schema['properties'])) {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    return Object.entries(schema['properties']).map(([name, property]) => {
      const { type, description } = resolveRefs(property, schema) ?? {};
      const kind = typeof type === 'string' ? `: ${type}` : Array.isArray(type) ? `: ${type.join(' or ')}` : '';
      return `${name}${required.includes(name) ? '' : '?'}${kind}${about(description)}`;
    });
  }
  const entries: readonly unknown[] = Array.isArray(list) ? list : Array.isArray(parameters) ? parameters : [];
  return entries.map(one =>
    isMap(one)
      ? `${asText(one['name'])}${one['required'] === true ? '' : '?'}${about(one['description'])}`
      : asText(one),
  );
}

function about(description: unknown): string {
  const [line = ''] = asText(description).split('\n');
  return line === '' ? '' : `  ${line}`;
}
