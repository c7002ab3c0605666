// Texts that `toolwright add` writes for an author to replace. In: a definition. Out: where it still has one of them.
import type { Kind } from './definitions.js';
import { isMap, type Path } from './document.js';

/** What a definition of each kind starts with as its description. */
export const placeholderDescriptions: Readonly<Record<Kind, string>> = {
  tool: 'What it does and returns',
  prompt: 'What it is for',
  resource: 'What it holds',
  server: 'What it is for',
  schema: 'What it describes',
};

/** What `init` describes a package and its server with, where nobody says what they are for. */
export const firstDescription = 'My first tools';

/** What the first parameter or argument starts with as its description. */
export const placeholderMeaning = 'What it means';

/** The first text of a prompt. */
export const placeholderText = 'Write about {{name}}.';

export interface Placeholder {
  readonly path: Path;
  readonly text: string;
}

/** The texts that nobody has replaced. */
export function findPlaceholders(kind: Kind, definition: unknown): readonly Placeholder[] {
  if (!isMap(definition)) return [];
  const { description, parameters, arguments: list, text } = definition;
  return [
    ...(description === placeholderDescriptions[kind] ? [{ path: ['description'], text: description }] : []),
    ...findMeanings(parameters, ['parameters']),
    ...findMeanings(list, ['arguments']),
    ...(kind === 'prompt' && typeof text === 'string' && text.trim() === placeholderText
      ? [{ path: ['text'], text: placeholderText }]
      : []),
  ];
}

function findMeanings(value: unknown, path: Path): readonly Placeholder[] {
  if (value === placeholderMeaning) return [{ path, text: placeholderMeaning }];
  if (Array.isArray(value)) return value.flatMap((one, index) => findMeanings(one, [...path, index]));
  return isMap(value) ? Object.entries(value).flatMap(([key, one]) => findMeanings(one, [...path, key])) : [];
}
