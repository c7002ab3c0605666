// Escapes of addresses. In: text with `%20` and the like. Out: what it means; the text itself where a percent sign begins no escape.

export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
