// In: text of a source, which is data. Out: the same text as a pack writes it, where `{{tool:x}}` names a tool.
import { mentionedItem, mentionTag } from '../../schema/template/mentions.js';
import { renderMentions } from '../../schema/template/template.js';

export interface PlainText {
  /** For descriptions and instructions. */
  readonly text: string;
  /** It says something else than before: behind a backslash such a tag cannot be written. */
  readonly isChanged: boolean;
}

/** @example plainText('Write {{tool:x}}') // { text: 'Write \\{{tool:x}}', isChanged: false } */
export function plainText(text: string): PlainText {
  if (!text.includes('tool:')) return { text, isChanged: false };
  const written = text.replaceAll(mentionTag, (tag, body: string) => {
    const item = mentionedItem(body);
    return item === '' || /\s/.test(item) ? tag : `\\${tag}`;
  });
  const isChanged = renderMentions(written, () => '') !== text;
  return { text: isChanged ? text.replaceAll('{{', '{ {') : written, isChanged };
}
