// Every key of the published schemas does something: two packs that differ only in it can be told apart.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isMap } from '../../../schema/document.js';
import { backends } from './backends.js';
import { keywordPairs } from './keywords.js';
import { filesOf, type Manifests, observe, overlayOf } from './kit.js';
import { overlay } from './overlay.js';
import { pack } from './pack.js';
import type { Pair } from './pair.js';
import { prompt } from './prompt.js';
import { resource } from './resource.js';
import { server } from './server.js';
import { tool } from './tool.js';

const pairs: ReadonlyMap<string, Pair> = new Map([
  ...keywordPairs(),
  ...[pack, backends, server, tool, prompt, resource, overlay].flatMap(table => Object.entries(table)),
]);

type Schema = Readonly<Record<string, unknown>>;

/** `tool.title`, `icon.src`: the name of the definition and the key; keys of inner objects behind it. */
function keysOf(subject: string): Set<string> {
  const schema = JSON.parse(
    readFileSync(new URL(`../../../schema/${subject}.schema.json`, import.meta.url), 'utf8'),
  ) as Schema;
  const definitions = (schema['definitions'] ?? {}) as Readonly<Record<string, Schema>>;
  const keys = new Set<string>();
  const seen = new Set<string>();
  const walk = (node: unknown, path: string): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, path);
    if (!isMap(node)) return;
    const { $ref, properties, ...rest } = node;
    if (typeof $ref === 'string') {
      const name = $ref.replace('#/definitions/', '');
      if (!seen.has(name)) {
        seen.add(name);
        walk(definitions[name], name);
      }
    }
    for (const [key, inner] of Object.entries(isMap(properties) ? properties : {})) {
      keys.add(`${path}.${key}`);
      walk(inner, `${path}.${key}`);
    }
    for (const part of ['anyOf', 'oneOf', 'allOf', 'then', 'else', 'items', 'additionalProperties'])
      walk(rest[part], path);
  };
  walk(schema, subject);
  return keys;
}

const keys = new Set(
  ['pack', 'server', 'tool', 'prompt', 'resource', 'overlay'].flatMap(subject => [...keysOf(subject)]),
);

/** The manifests with a value at a place; undefined takes it away. */
function place(manifests: Manifests, path: string, value: unknown): Manifests {
  const [key = '', ...rest] = path.split('.');
  const put = (node: unknown, [step, ...more]: readonly string[]): unknown => {
    if (step === undefined) return value;
    if (Array.isArray(node)) return node.map((one, index) => (String(index) === step ? put(one, more) : one));
    const map = (node ?? {}) as Readonly<Record<string, unknown>>;
    return { ...map, [step]: put(map[step], more) };
  };
  return { ...manifests, [key]: put(manifests[key as keyof Manifests], rest) };
}

async function look(key: string, pair: Pair, value: unknown): Promise<unknown> {
  const { at = key, base = {}, shows, values: _, ...circumstances } = pair;
  const manifests = place(base, at, value);
  return typeof shows === 'function'
    ? await shows(filesOf(manifests), overlayOf(manifests))
    : await observe(shows, manifests, circumstances);
}

describe('keys of the published schemas', () => {
  it('there is a pair for every key, and no other', () => {
    expect([...keys].filter(key => !pairs.has(key))).toEqual([]);
    expect([...pairs.keys()].filter(key => !keys.has(key))).toEqual([]);
  });

  it.each([...pairs])('the key %s makes a difference', async (key, pair) => {
    const [before, after] = await Promise.all(pair.values.map(value => look(key, pair, value)));
    expect(after).not.toEqual(before);
  });
});
