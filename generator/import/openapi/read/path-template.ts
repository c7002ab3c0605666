// Paths as documents write them. In: a path, and what is declared for it. Out: the same with `{name}` for each placeholder.
import { Broken, type Declared } from './reader.js';

export interface PathTemplate {
  readonly path: string;
  /** Placeholders that may hold slashes: `{+name}`. */
  readonly reserved: readonly string[];
}

/** An operator of a URI template, a name, and what frameworks write behind it: `{+name}`, `{id:[0-9]+}`, `{rest*}`, `{id?}`. */
const placeholder = /\{([+#./;?&]?)\s*([^{}:*?]+?)\s*(?:[:*?](?:[^{}]|\{[\d,]*\})*)?\}/g;

/** What nearly all are. */
const isPlain = /^(?:\/[\w.~-]*(?:\{[\w-]+\})?)+$/;

/** No server takes longer ones. */
const mostCharacters = 4000;

/** @example readPath('/users/{id:\\d+}', []) // { path: '/users/{id}', reserved: [] } */
export function readPath(written: string, declared: readonly Declared[]): PathTemplate | Broken {
  if (written.length > mostCharacters) return new Broken(`its path has more than ${mostCharacters} characters`);
  if (isPlain.test(written)) return { path: written, reserved: [] };
  const reserved: string[] = [];
  const names = new Set(declared.filter(({ place }) => place === 'path').map(({ name }) => name));
  // `{?page,size}`: the query, which parameters declare.
  const path = written
    .trim()
    .replace(/\{[?&][^{}]*\}/g, '')
    .replace(placeholder, (whole, operator: string, name: string) => {
      // A declared name may have any of these characters.
      const inner = whole.slice(1, -1);
      if (names.has(inner)) return whole;
      if (operator === '+') reserved.push(name);
      return `{${name}}`;
    });
  const rooted = path.startsWith('/') ? path : `/${path}`;
  const named = rooted.replace(/\/:([A-Za-z_]\w*)(?=\/|$)/g, (whole, name: string) =>
    names.has(name) ? `/{${name}}` : whole,
  );
  if (/[{}]/.test(named.replace(/\{[^{}]+\}/g, ''))) return new Broken('its path has a brace without the other one');
  return { path: named, reserved };
}
