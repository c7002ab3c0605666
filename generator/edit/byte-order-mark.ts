// In: the text of a file, and an edit of it that does not know of byte order marks. Out: the edited text, with the mark that it had.

const mark = '\uFEFF';

/** Whatever is not a string is a reason why there is none, and is passed on. */
export function aroundMark<T>(text: string, edit: (body: string) => string | T): string | T {
  if (!text.startsWith(mark)) return edit(text);
  const edited = edit(text.slice(1));
  return typeof edited === 'string' ? mark + edited : edited;
}
