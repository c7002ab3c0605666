// How a page of ours is told from another.

const mark = '<meta name="generator" content="toolwright docs">';

/** Whether a string was written by `toolwright docs --html`. */
export function isOurPage(text: string): boolean {
  return text.includes(mark);
}
