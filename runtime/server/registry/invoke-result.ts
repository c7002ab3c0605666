// In: the result of a tool as MCP clients get it. Out: a value or an error, as code wants it.
import { isMap } from '../../../schema/document.js';
import type { CallToolResult, Content } from '../../../schema/support/mcp/content.js';
import { unfinishedKey } from '../../call/context/relay.js';
import { errorKey } from '../../call/failure.js';
import type { CallError, InvokeResult } from './registry.js';

export function toInvokeResult(result: CallToolResult): InvokeResult {
  if (result._meta?.[unfinishedKey] === true) return { ok: false, error: unfinished(result), result };
  if (result.isError === true) return { ok: false, error: errorOf(result), result };
  return { ok: true, value: toValue(result), content: result.content, result };
}

/** The code of a call that asks something, or was declined: its message is for a model to act upon. */
export const unanswered = 'UNANSWERED';

/** Code must be able to tell that nothing was done. */
function unfinished({ content }: CallToolResult): CallError {
  return makeCallError({ message: joinTexts(content), code: unanswered, status: 409 });
}

/** An error that the runtime itself gives, before or beside a tool. */
export function makeCallError(error: Pick<CallError, 'message' | 'code'> & Partial<CallError>): CallError {
  return { status: 400, retryable: false, suggestedFix: null, meta: {}, ...error };
}

function toValue({ structuredContent, content }: CallToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  if (content.length === 0) return undefined;
  return content.every(isText) ? joinTexts(content) : content;
}

/** A handler may have returned a whole result with `isError`: then its text is all that is known. */
function errorOf({ content, _meta }: CallToolResult): CallError {
  const wire = _meta?.[errorKey];
  const given = isMap(wire) ? wire : {};
  const { message, code, status, is_retryable: retryable, suggested_fix: suggestedFix, meta } = given;
  return {
    message: typeof message === 'string' ? message : joinTexts(content) || 'The tool failed',
    code: typeof code === 'string' ? code : 'TOOL_ERROR',
    status: typeof status === 'number' ? status : 400,
    retryable: retryable === true,
    suggestedFix: typeof suggestedFix === 'string' ? suggestedFix : null,
    meta: isMap(meta) ? meta : {},
  };
}

function isText({ type }: Content): boolean {
  return type === 'text';
}

function joinTexts(content: readonly Content[]): string {
  return content.flatMap(one => (one.type === 'text' ? [one.text] : [])).join('\n');
}
