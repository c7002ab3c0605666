// In: the texts of an operation. Out: title, description and tags of a tool. Text of documents is data: nothing in it has a meaning of its own.

import { plainText } from '../plain-text.js';
import type { ApiOperation } from './api.js';
import { cleanText, firstSentence } from './schema-text.js';

const longestTitle = 120;
/** A model reads all descriptions before it chooses one. */
const longestDescription = 4_000;

interface Words {
  readonly title?: string;
  readonly description: string;
  readonly tags?: readonly string[];
}

/** `notes` gets what was cut. */
export function describe(operation: ApiOperation, notes: string[]): Words {
  const { method, path, isDeprecated } = operation;
  const summary = cleanText(operation.summary);
  const said = cleanText(operation.description);
  const whole = said === '' ? (summary === '' ? `${method} ${path}` : summary) : said;
  const { text, isCut } = shorten(whole);
  if (isCut) notes.push(`The description has ${whole.length} characters in the document; the rest is left out.`);
  const title = firstSentence(summary, longestTitle);
  const tags = [...new Set(operation.tags.map(cleanText).filter(tag => tag !== ''))];
  return {
    ...(title === '' ? {} : { title }),
    description: plainText(isDeprecated ? `Deprecated. ${text}` : text).text,
    ...(tags.length === 0 ? {} : { tags }),
  };
}

/** At the end of a paragraph or of a sentence. */
function shorten(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= longestDescription) return { text, isCut: false };
  const start = text.slice(0, longestDescription);
  const end = Math.max(start.lastIndexOf('\n\n'), start.lastIndexOf('. ') + 1);
  const cut = end > longestDescription / 2 ? start.slice(0, end) : start.slice(0, start.lastIndexOf(' '));
  // Half a character is none.
  return { text: `${cut.replace(/[\ud800-\udbff]$/, '').trimEnd()} …`, isCut: true };
}
