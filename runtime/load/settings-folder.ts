// Install settings as the last overlay. In: the JSON that a client's entry carries. Out: a folder of combined files with it.
import { isMap } from '../../schema/document.js';
import type { Folder } from './folder.js';

/** The variable that carries them: `{"tools": {"delete-issue": {"enabled": false}}}`. */
export const settingsVariable = 'TOOLWRIGHT_SETTINGS';

/**
 * Undefined where there are none. What is not JSON at all is one broken file, so that it is reported like any other.
 *
 * @example settingsFolder('{"tools": {"x": {"enabled": false}}}', '/pack')
 */
export function settingsFolder(text: string | undefined, base: string): Folder | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const files = new Map([...filesOf(text)].map(([name, content]) => [name, new TextEncoder().encode(content)]));
  return {
    path: `${base}/$${settingsVariable}`,
    status: path => (path === '' ? 'folder' : files.has(path) ? 'file' : 'missing'),
    list: path => (path === '' ? [...files.keys()].sort().map(name => ({ name, type: 'file' })) : undefined),
    read(path, limit) {
      const bytes = files.get(path);
      if (bytes === undefined) throw Object.assign(new Error(`there is no ${path}`), { code: 'ENOENT' });
      return bytes.length > limit ? bytes.length : bytes;
    },
  };
}

function filesOf(text: string): ReadonlyMap<string, string> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return new Map([['tools.json', text]]);
  }
  if (!isMap(data)) return new Map([['tools.json', text]]);
  return new Map(Object.entries(data).map(([kind, items]) => [`${kind}.json`, JSON.stringify(items, undefined, 2)]));
}
