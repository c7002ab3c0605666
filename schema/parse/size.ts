// In: the text of a file. Out: whether it has more parts than any pack needs. Each one costs a parser a kilobyte or two, so
// twenty megabytes of `- a` would take minutes and fill the memory, while twenty megabytes of prose do no harm.
import type { Format } from '../document.js';

/** A combined file of 10,000 tools has about 900,000. */
export const partLimit = 1_500_000;

const lineFeed = 10;
const comma = 44;
const openList = 91;
const openMap = 123;

export function hasTooManyParts(text: string, format: Format): boolean {
  if (text.length <= partLimit) return false;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Line ends mean nothing to JSON.
    if (code === comma || code === openList || code === openMap || (code === lineFeed && format === 'yaml')) parts += 1;
  }
  return parts > partLimit;
}
