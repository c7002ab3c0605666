// How lists and objects stand in a query or a form. In: what the document says of one. Out: a style of the language, or why there is none.
import type { QueryStyle } from '../../../schema/support/mcp/backends.js';
import type { ApiParameter } from './api.js';
import type { RequestDraft } from './request.js';
import { isFlat, shapesOf } from './shapes.js';

export type StyledValue = Pick<ApiParameter, 'name' | 'style' | 'explode' | 'schema'>;

/** Continues the sentence that the name of the value begins. */
export interface Unwritten {
  readonly reason: string;
}

/** Of one value nothing has to be said: `form`. */
export function queryStyle(draft: RequestDraft, value: StyledValue): QueryStyle | Unwritten {
  const { style, explode, schema, name } = value;
  const shapes = shapesOf(draft.api, schema);
  const isObject = shapes.includes('object');
  const isList = shapes.includes('list');
  if (!isObject && !isList) return 'form';
  if (style === 'deepObject') return 'deepObject';
  if (style === 'tabs') return { reason: separatedBy.tabs };
  if (!isFlat(draft.api, schema)) {
    noteBrackets(draft, name, isList);
    return 'deepObject';
  }
  // A value that may be either is written as the list that it mostly is.
  if (explode && style !== 'simple') return isObject && !isList ? 'members' : 'form';
  return style === 'spaceDelimited' ? 'space' : style === 'pipeDelimited' ? 'pipe' : 'comma';
}

export function noteBrackets({ notes }: RequestDraft, name: string, isList: boolean): void {
  const example = `${name}${isList ? '[0]' : ''}[a]=1`;
  notes.push(
    `The document does not say how the members of ${JSON.stringify(name)} are written: brackets are used, as in ${example}.`,
  );
}

const separatedBy = {
  tabs: 'is a list separated by tabs',
  spaceDelimited: 'is a list separated by spaces',
  pipeDelimited: 'is a list separated by pipes',
} as const;

/** In 2.0 lists may have such separators anywhere; in a path or a header there is only the comma. */
export function withoutComma(draft: RequestDraft, { style, schema }: StyledValue): string | undefined {
  if (style !== 'tabs' && style !== 'spaceDelimited' && style !== 'pipeDelimited') return undefined;
  return shapesOf(draft.api, schema).includes('list') ? separatedBy[style] : undefined;
}
