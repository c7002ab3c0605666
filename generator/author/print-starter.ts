// In: a kind and what is known of a new item. Out: the definition that its author starts from.
import { parentOf } from '../../runtime/load/folder.js';
import type { Kind } from '../../schema/definitions.js';
import { placeholderDescriptions, placeholderMeaning } from '../../schema/placeholders.js';
import { Code } from '../render/code.js';
import { createTemplates, type Templates } from '../render/templates.js';

export interface Starter {
  readonly kind: Kind;
  readonly item: string;
  readonly pack: string;
  readonly description?: string | undefined;
}

/** `modeline`: empty where the file has one already. */
export function printStarter(
  { kind, item, pack, description }: Starter,
  modeline: Code,
  templates: Templates = createTemplates(),
): string {
  const view = {
    modeline,
    title: titleOf(item),
    description: description ?? placeholderDescriptions[kind],
    meaning: placeholderMeaning,
    uri: `${schemeOf(pack)}://${item}`,
  };
  return templates.render(`${kind}.yaml`, view);
}

/**
 * The first line of a manifest, by which editors know it. The schemas of the generated folder know the pack's own names, and
 * are there wherever node_modules is.
 *
 * @example printModeline('mcp/tools/a.yaml', 'generated', 'tool').text // '# $schema: ../../generated/schema/tool.schema.json'
 */
export function printModeline(path: string, generated: string, schema: string): Code {
  const up = '../'.repeat(parentOf(path).split('/').filter(Boolean).length);
  // Anything else would end the comment, or the word.
  const isPlain = /^[\p{L}\p{N}._/ -]*$/u.test(generated);
  const folder = generated === '' ? '' : `${generated}/`;
  return new Code(isPlain ? `# $schema: ${up === '' ? './' : up}${folder}schema/${schema}.schema.json` : '');
}

/** `get-issue` -> `Get issue`. */
export function titleOf(item: string): string {
  const words = item
    .split(/[._-]+/)
    .filter(Boolean)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function schemeOf(pack: string): string {
  const name =
    pack
      .split('/')
      .at(-1)
      ?.toLowerCase()
      .replaceAll(/[^a-z0-9+.-]/g, '') ?? '';
  return /^[a-z]/.test(name) ? name : 'pack';
}
