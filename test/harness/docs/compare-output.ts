// What a page shows beside what a command printed. Times, folders and what npm says about itself differ between machines and do not count;
// everything else does.

/** Text as it is on every machine. */
export function plainOutput(text: string, { home }: { readonly home?: string } = {}): string {
  const lines = (home === undefined ? text : text.replaceAll(home, '/home/ada'))
    .replaceAll('\r\n', '\n')
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .filter(line => !/^npm (?:warn|notice)\b/.test(line));
  return lines
    .map(line =>
      line
        .replaceAll(process.execPath, '/usr/bin/node')
        .replaceAll(/\b(Node|TypeScript|toolwright) v?\d+\.\d+\.\d+/g, '$1 0.0.0')
        .replaceAll(/\b\d+(?:\.\d+)? ?m?s\b/g, '0 ms')
        .replaceAll(/\b\d+(?:\.\d+)? ?(?:kB|KB|MB)\b/g, '0 KB')
        .replaceAll(/\b\d\d:\d\d:\d\d\b/g, '00:00:00')
        .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T00:00:00Z')
        .replaceAll(/[ \t]+/g, ' ')
        .trimEnd(),
    )
    .join('\n')
    .trim();
}

/** The first line that is not as shown; undefined where all are. "..." alone stands for any lines, at the end of a line for its rest. */
export function differenceOf(shown: string, printed: string): string | undefined {
  const wanted = plainOutput(shown).split('\n');
  const lines = plainOutput(printed).split('\n');
  // How far the wanted lines so far can reach; several places are possible behind "...".
  let places = new Set([0]);
  for (const [index, line] of wanted.entries()) {
    const next = new Set<number>();
    for (const place of places) {
      if (line.trim() === '...') for (let at = place; at <= lines.length; at += 1) next.add(at);
      else if (place < lines.length && isAsShown(line, lines[place] ?? '')) next.add(place + 1);
    }
    if (next.size === 0) {
      const place = Math.max(...places);
      return `shown, line ${index + 1}: ${line}\nprinted:        ${lines[place] ?? '(nothing more)'}`;
    }
    places = next;
  }
  const end = Math.max(...places);
  return end === lines.length ? undefined : `printed, but not shown: ${lines[end]}`;
}

function isAsShown(shown: string, printed: string): boolean {
  return shown.endsWith('...') && shown !== printed
    ? printed.startsWith(shown.slice(0, -3).trimEnd())
    : shown === printed;
}
