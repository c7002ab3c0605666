// Answers of an operation. In: `responses`. Out: the one of success that tools return, and the errors that have a description.
import type { ApiAnswer, ApiContent, ApiOperation } from '../api.js';
import { below } from '../pointer.js';
import { fileAsText } from './flat-schemas.js';
import { partOf } from './library.js';
import { contentsOf, isSchema, readContents } from './media.js';
import { followMap, mapAt, membersOf, type PlacedMap, type Reader, textOf } from './reader.js';

type Errors = ApiOperation['errors'];

interface Answers {
  readonly answer: ApiAnswer | undefined;
  readonly errors: Errors;
}

/** `produces`: the types of the operation, or of the document (2.0). */
export function readAnswers(reader: Reader, operation: PlacedMap, produces: readonly string[]): Answers {
  const responses = mapAt(reader, operation, 'responses');
  if (responses === undefined) return { answer: undefined, errors: [] };
  const good: ApiAnswer[] = [];
  const errors: { status: string; description: string }[] = [];
  let others: ApiAnswer | undefined;
  for (const [written, placed] of membersOf(responses)) {
    const status = statusOf(written);
    if (status === undefined) continue;
    const response = followMap(reader, placed, written);
    if (response === undefined) continue;
    if (/^2/.test(status)) good.push(readAnswer(reader, response, status, produces));
    else if (status === 'default') others = readAnswer(reader, response, status, produces);
    const description = textOf(response.value.description);
    if (/^[45]/.test(status) && description !== undefined) errors.push({ status, description });
  }
  // Where nothing else says what success is, the answer that always comes does, unless it says that it is none.
  if (good.length === 0 && !/\berrors?\b|\bfail/i.test(others?.description ?? '')) return { answer: others, errors };
  const answer = good.find(({ contents }) => contents.length > 0) ?? good[0];
  return { answer, errors: others?.description === undefined ? errors : [...errors, error(others.description)] };
}

function error(description: string): Errors[number] {
  return { status: 'default', description };
}

/** `2xx` is `2XX`; anything else that is not a status is an extension or a mistake without harm. */
function statusOf(written: string): string | undefined {
  const status = written.trim();
  if (/^default$/i.test(status)) return 'default';
  return /^[1-5](?:\d\d|xx)$/i.test(status) ? status.toUpperCase() : undefined;
}

function readAnswer(reader: Reader, response: PlacedMap, status: string, produces: readonly string[]): ApiAnswer {
  const headers = mapAt(reader, response, 'headers');
  return {
    status,
    description: textOf(response.value.description),
    contents: contentsOfAnswer(reader, response, produces),
    headers: Object.keys(headers?.value ?? {}).map(name => name.toLowerCase()),
    pointer: response.pointer,
  };
}

function contentsOfAnswer(reader: Reader, response: PlacedMap, produces: readonly string[]): readonly ApiContent[] {
  if (reader.version !== '2.0' || 'content' in response.value) return readContents(reader, response);
  const schema = partOf(response, 'schema');
  if (!isSchema(schema)) return [];
  const types = produces.length > 0 ? produces : ['application/json'];
  return contentsOf(types, fileAsText(schema), below(response.pointer, 'schema'));
}
