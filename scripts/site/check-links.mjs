// In: a folder with a built site. Out: each link, script, style or picture that leads nowhere, one line each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isForeign } from './read-page.mjs';

export function findBrokenLinks(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.html'));
  const anchors = new Map(files.map(file => [file, anchorsOf(readFileSync(join(folder, file), 'utf8'))]));
  return files.flatMap(file => {
    const targets = [...readFileSync(join(folder, file), 'utf8').matchAll(/\s(?:href|src)="([^"]*)"/g)];
    return targets.flatMap(([, written = '']) => {
      const target = decodeURI(written.replaceAll('&amp;', '&'));
      if (isForeign(target)) return [];
      const [path = '', anchor = ''] = target.split('#');
      const wanted = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path));
      if (!existsSync(join(folder, wanted))) return [`${file}: there is no ${target}`];
      const isThere = anchor === '' || !anchors.has(wanted) || anchors.get(wanted).has(anchor);
      return isThere ? [] : [`${file}: ${wanted} has no #${anchor}`];
    });
  });
}

function anchorsOf(html) {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
}
