// In: any text. Out: the same text inside HTML, in an element or a quoted attribute; it never becomes a tag.

const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => names[character] ?? character).replaceAll('\0', '\ufffd');
}
