// Texts of documents, as models and people read them.
import { findHidden, mayHide } from '../../../schema/texts/hidden.js';

/**
 * Text without what nobody sees; empty where there is none.
 *
 * @example cleanText(' A pet \r\n') // 'A pet'
 */
export function cleanText(written: unknown): string {
  if (typeof written === 'number' || typeof written === 'boolean') return String(written);
  if (Array.isArray(written)) return written.map(cleanText).filter(Boolean).join('\n');
  if (typeof written !== 'string' || written === '') return '';
  const text = withoutHidden(written);
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(controls, '').trim();
}

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

function withoutHidden(text: string): string {
  if (!mayHide(text)) return text;
  let made = '';
  let end = 0;
  for (const run of findHidden(text)) {
    made += text.slice(end, run.start);
    end = run.end;
  }
  return made + text.slice(end);
}

/**
 * What is said first, without markup.
 *
 * @example firstSentence('The owner. See `users`.', 100) // 'The owner.'
 */
export function firstSentence(text: string, longest: number): string {
  const start = text.slice(0, longest * 4);
  const plain = /[<[]/.test(start) ? withoutMarkup(start) : start;
  const paragraph = plain.trim().split(/\n\s*\n/, 1)[0] ?? '';
  const line = /[\n\t]| {2}/.test(paragraph) ? paragraph.replaceAll(/\s+/g, ' ') : paragraph;
  const sentence = /^.*?[.!?](?=\s+[A-Z"'`*]|$)/.exec(line)?.[0] ?? line;
  if (sentence.length <= longest) return sentence.trim();
  const cut = sentence.slice(0, longest - 1);
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), longest / 2));
  // Half a character is none.
  return `${words.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

function withoutMarkup(text: string): string {
  return text.replaceAll(/<[^<>]{1,200}>/g, ' ').replaceAll(/\[([^\]]{1,200})\]\([^)]{1,500}\)/g, '$1');
}
