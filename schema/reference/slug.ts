// In: the words of a heading. Out: the anchor that viewers of Markdown give it, so that links made here work there.

/**
 * What GitHub makes of a heading: lower case, no punctuation, dashes for spaces.
 *
 * @example toSlug('`http.port`') // 'httpport'
 */
function toSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** Anchors of one page: the second heading of the same words gets a number. */
export function createSlugger(): (heading: string) => string {
  const used = new Map<string, number>();
  return heading => {
    const slug = toSlug(heading);
    let anchor = slug;
    for (let count = used.get(slug) ?? 0; used.has(anchor); ) {
      count += 1;
      used.set(slug, count);
      anchor = `${slug}-${count}`;
    }
    used.set(anchor, 0);
    return anchor;
  };
}
