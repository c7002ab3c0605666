import { code } from './entry.js';

export interface Hidden {
  /** How many in a row. */
  readonly count: number;
  /** The first of them. */
  readonly character: string;
}

const others = ({ count }: Hidden): string => (count > 1 ? ` and ${count - 1} more` : '');

/** Characters that people do not see and models read. */
export const textCodes = {
  'text/bidi-control': code<Hidden>({
    severity: 'error',
    message: hidden =>
      `the text has the invisible ${hidden.character}${others(hidden)}, which changes the order in which the text is shown`,
    cause:
      'Bidirectional controls make text look different from what a model reads, so nobody can review it. Models read in logical order and do not need them.',
    fix: 'Remove the character. Text in Arabic or Hebrew is shown correctly without it.',
  }),
  'text/tag-character': code<Hidden>({
    severity: 'error',
    message: hidden => `the text has the invisible tag character ${hidden.character}${others(hidden)}`,
    cause: 'Tag characters are copies of ASCII that nobody sees but many models read: they carry hidden instructions.',
    fix: 'Remove them. Of emoji only the flags of England, Scotland and Wales have tags.',
  }),
  'text/zero-width': code<Hidden>({
    severity: 'warning',
    message: hidden => `the text has the invisible ${hidden.character}${others(hidden)}`,
    cause:
      'There is a zero-width character where neither an emoji nor the script of the word needs one. It splits words for models and searches, and can mark or hide text.',
    fix: 'Remove it; it often comes with text copied from a web page.',
  }),
} as const;
