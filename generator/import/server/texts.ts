// Text of a server as it is written in a pack. In: text that is data. Out: text that means the same where braces mean something.
import { mentionedItem, mentionTag } from '../../../schema/template/mentions.js';
import { renderMentions } from '../../../schema/template/template.js';

/**
 * For commands, addresses and variables of backends, where `{config.X}` is a setting.
 *
 * @example literalText('{"a":1}') // '{{"a":1}}'
 */
export function literalText(text: string): string {
  return text.replaceAll(/[{}]/g, brace => brace + brace);
}

/**
 * For descriptions and instructions, where `{{tool:x}}` names a tool. Undefined where a text cannot be written: behind a backslash such a tag
 * means something else already.
 *
 * @example plainText('Write {{tool:x}}') // 'Write \\{{tool:x}}'
 */
export function plainText(text: string): string | undefined {
  if (!text.includes('tool:')) return text;
  const written = text.replaceAll(mentionTag, (tag, body: string) => {
    const item = mentionedItem(body);
    return item === '' || /\s/.test(item) ? tag : `\\${tag}`;
  });
  return renderMentions(written, () => '') === text ? written : undefined;
}
