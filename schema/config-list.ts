// Lists of strings in one string, as variables and flags have them. No imports: built servers read them before anything is loaded.

/**
 * `a,b` or a JSON array of strings; undefined where it begins like JSON and is not that. Spaces around items do not count, and
 * neither do empty ones; in JSON they do.
 *
 * @example readList('pdf, vision') // ['pdf', 'vision']
 */
export function readList(text: string): readonly string[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('['))
    return trimmed
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== '');
  try {
    const value: unknown = JSON.parse(trimmed);
    return Array.isArray(value) && value.every(item => typeof item === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}
