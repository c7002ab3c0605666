// How a page of ours is told from somebody's own.

const mark = '<meta name="generator" content="toolwright docs">';

/** Whether a text was written by `toolwright docs --html`. */
export function isOurPage(text: string): boolean {
  return text.includes(mark);
}
