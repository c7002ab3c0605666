// In: a Markdown text and what belongs into its regions. Out: the text with them filled, everything else as it was; or what is wrong.
import { type Section, sections } from './markdown.js';

export interface RegionProblem {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

export interface Filled {
  readonly text: string;
  /** The regions that the text has. */
  readonly regions: readonly Section[];
  readonly problems: readonly RegionProblem[];
}

/** What an author writes around a region. */
export const regionExample = '<!-- toolwright:tools -->\n<!-- /toolwright -->';

const marks = /^[ \t]*<!--\s*(?:toolwright:([^\s>]*)|(\/toolwright))\s*-->[ \t]*$/gm;

/** Regions stand between `<!-- toolwright:tools -->` and `<!-- /toolwright -->`, each mark on a line of its own. */
export function fillRegions(text: string, print: (section: Section) => string): Filled {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const problems: RegionProblem[] = [];
  const regions: Section[] = [];
  const pieces: string[] = [];
  let copied = 0;
  /** Without a section where its name is unknown, which was said. */
  let open: { readonly section: Section | undefined; readonly start: number; readonly end: number } | undefined;
  for (const { 0: mark, 1: name, 2: closing, index } of text.matchAll(marks)) {
    if (isInFence(text, index)) continue;
    const end = index + mark.length;
    if (closing !== undefined) {
      if (open === undefined) report(index, 'this region was never opened');
      else if (open.section !== undefined) {
        pieces.push(
          text.slice(copied, open.end),
          newline,
          newline,
          print(open.section).replaceAll('\n', newline),
          newline,
          newline,
        );
        regions.push(open.section);
        copied = index;
      }
      open = undefined;
      continue;
    }
    if (open !== undefined) report(open.start, 'this region has no end: write <!-- /toolwright --> below it');
    const section = sections.find(one => one === name);
    if (section === undefined) report(index, `there is no region "${name}": there are ${sections.join(', ')}`);
    open = { section, start: index, end };
  }
  if (open !== undefined) report(open.start, 'this region has no end: write <!-- /toolwright --> below it');
  return { text: problems.length > 0 ? text : pieces.join('') + text.slice(copied), regions, problems };

  function report(offset: number, problem: string): void {
    const before = text.slice(0, offset);
    problems.push({ line: before.split('\n').length, column: offset - before.lastIndexOf('\n'), problem });
  }
}

/** Inside a fence of code a mark is an example. */
function isInFence(text: string, offset: number): boolean {
  const fences = text.slice(0, offset).match(/^(?:```|~~~)/gm) ?? [];
  return fences.length % 2 === 1;
}
