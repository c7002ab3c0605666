// In: the text of a file, and an edit of it that does not know of byte order marks. Out: the edited text, with the mark that it had.

export const byteOrderMark = '\uFEFF';

/** Whatever is not a string is a reason why there is none, and is passed on. */
export function aroundMark<T>(text: string, edit: (body: string) => string | T): string | T {
  if (!text.startsWith(byteOrderMark)) return edit(text);
  const edited = edit(text.slice(1));
  return typeof edited === 'string' ? byteOrderMark + edited : edited;
}
