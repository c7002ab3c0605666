// In: whatever a handler returned. Out: a result of the protocol; with an output schema, one that is proved to fit it.

import { fillStatus } from '../../schema/json-schema/envelope.js';
import { hasDefault } from '../../schema/json-schema/walk.js';
import type { CallToolResult, Content } from '../../schema/support/mcp/content.js';
import type { Violation } from '../../schema/support/places.js';
import type { Tool } from '../load/program.js';
import { encodeBytes, isBuilt } from './content.js';
import {
  isOpaque,
  isPlainJson,
  isPlainObject,
  isStream,
  type Json,
  toJson,
  toPlain,
  UnsettledValue,
} from './plain-json.js';
import type { Validate } from './ports.js';
import {
  findContentFault,
  type GivenResult,
  isBytes,
  isContent,
  isContentLike,
  isWholeResult,
  outputMembers,
  typedBytesOf,
} from './recognise-result.js';
import { isToolError, ToolError } from './tool-error.js';

export interface Shaping {
  readonly tool: Tool;
  /** The wire name. */
  readonly name: string;
  readonly output: Validate | undefined;
  /** Hears of members that were removed because the output schema does not allow them. */
  removed(pointers: readonly string[]): void;
}

export interface Shaped {
  readonly result: CallToolResult;
  /** The JSON of the structured content, where there is some. */
  readonly json?: string | undefined;
  /** Its text, if any, is only that of the data: the handler has given none of its own. */
  readonly isUntold?: boolean | undefined;
}

/**
 * Shapes what a handler returned. Throws a ToolError (BAD_OUTPUT) where that is not a result, or not the promised one; an
 * error that was returned is thrown.
 *
 * @example (await shapeResult({ total: 3 }, { tool, name, output })).result.structuredContent // { total: 3 }
 */
export function shapeResult(returned: unknown, shaping: Shaping): Shaped | Promise<Shaped> {
  if (typeof returned === 'object' && (returned instanceof Error || isToolError(returned))) throw returned;
  const { output } = shaping;
  return output === undefined ? shapeFreely(returned, shaping) : shapePromised(returned, output, shaping);
}

function shapeFreely(value: unknown, shaping: Shaping): Shaped {
  switch (typeof value) {
    case 'undefined':
      return ofNothing();
    case 'string':
      return ofText(value);
    case 'number':
    case 'boolean':
    case 'bigint':
      return ofText(String(value));
    default:
  }
  if (value === null) return ofNothing();
  if (value instanceof Date) return ofText(Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString());
  if (Array.isArray(value)) {
    if (value.length === 0) return ofNothing();
    if (typedBytesOf(value) !== undefined) return ofContent([value], shaping);
    if (value.some(isPart) && value.every(isPartOrText)) return ofContent(value, shaping);
    return ofData(value, shaping);
  }
  if (isPart(value)) return ofContent([value], shaping);
  return isWholeResult(value, undefined) ? ofResult(value, shaping) : ofData(value, shaping);
}

/** With an output schema an object is data, unless it is surely a whole result; content alone must come from the builders. */
function shapePromised(value: unknown, fits: Validate, shaping: Shaping): Shaped | Promise<Shaped> {
  const isMade = isBuilt(value) || (Array.isArray(value) && value.some(isBuilt) && value.every(isPartOrText));
  if (isMade) throw noData(shaping, adviceForContent);
  if (isWholeResult(value, outputMembers(shaping.tool.outputSchema))) return ofPromisedResult(value, fits, shaping);
  const data = ofData(inEnvelope(value, shaping), shaping);
  const proved = proveResult(data, fits, shaping);
  if (proved !== undefined) return proved;
  const violations = fits.errors ?? [];
  // The schema has members of the protocol's names, and means something else by them.
  if (isWholeResult(value, undefined)) {
    const whole = ofResult(value, shaping);
    if (whole.result.isError === true) return whole;
    const provedWhole = whole.json === undefined ? undefined : proveResult(whole, fits, shaping);
    if (provedWhole !== undefined) return provedWhole;
  }
  return correct(data, fits, violations, shaping);
}

const adviceForContent = 'Return { content: [...], structuredContent: ... }, or the data alone.';

function ofPromisedResult(value: GivenResult, fits: Validate, shaping: Shaping): Shaped | Promise<Shaped> {
  if (value.isError === true) return ofResult(value, shaping);
  if (value.structuredContent === undefined) {
    throw noData(shaping, `${adviceForContent} If this is the data, name "content" in the output schema.`);
  }
  const whole = ofResult(value, shaping);
  return proveResult(whole, fits, shaping) ?? correct(whole, fits, fits.errors ?? [], shaping);
}

/** X5: what the schema does not allow is removed, if that is all that is wrong; else it throws. */
async function correct(
  shaped: Shaped,
  fits: Validate,
  violations: readonly Violation[],
  shaping: Shaping,
): Promise<Shaped> {
  const { correctOutput } = await import('./correct-output.js');
  return correctOutput(shaped, { ...shaping, fits, violations });
}

function noData(shaping: Shaping, advice: string): ToolError {
  return badOutput(shaping, 'returned content without data, but it has an output schema', advice);
}

/** M29: in an envelope a string is its message, and nothing is an envelope with nothing in it. */
function inEnvelope(value: unknown, { tool }: Shaping): unknown {
  if (tool.definition.result !== 'envelope' || tool.outputSchema?.['type'] !== 'object') return value;
  return typeof value === 'string' ? { message: value } : (value ?? {});
}

function ofNothing(): Shaped {
  return { result: { content: [] }, isUntold: true };
}

function ofText(text: string): Shaped {
  return { result: { content: [{ type: 'text', text }] } };
}

function ofData(value: unknown, shaping: Shaping): Shaped {
  const { text, value: data } = inMember(jsonOf(value, shaping), shaping);
  const shown = typeof data === 'string' ? data : text;
  return { result: { content: [{ type: 'text', text: shown }], structuredContent: data }, json: text, isUntold: true };
}

/** Structured content is an object: a list goes under the only list that the output has, or under `items`. */
function inMember(json: Json, { tool }: Shaping): Json {
  const { outputSchema, definition } = tool;
  if (!Array.isArray(json.value) || (outputSchema !== undefined && outputSchema['type'] !== 'object')) return json;
  const isEnvelope = definition.result === 'envelope';
  const lists = outputMembers(outputSchema).lists.filter(name => !(isEnvelope && name === 'next_steps'));
  // Which of several is meant, only the handler can tell: such a list does not fit.
  if (lists.length > 1) return json;
  const [name = 'items'] = lists;
  return { text: `{${JSON.stringify(name)}:${json.text}}`, value: { [name]: json.value } };
}

/** J63: passes as it is, once it is sure that it can be written. */
function ofResult(value: GivenResult, shaping: Shaping): Shaped {
  const { content: given, structuredContent } = value;
  const json = structuredContent === undefined ? undefined : jsonOf(structuredContent, shaping);
  const content = given === undefined ? [] : readContent(given, shaping);
  // What another server has answered is nearly always like this.
  const isPlain = given !== undefined && json?.value === structuredContent && isPlainObject(value);
  if (isPlain && writing(shaping, () => hasPlainRest(value)))
    return { result: value as CallToolResult, json: json?.text };
  const { content: _content, structuredContent: _data, ...rest } = value;
  const written = writing(shaping, () =>
    Object.entries({ content, ...rest }).map(([key, part]) => [key, toPlain(part)] as const),
  );
  const plain = Object.fromEntries(written.filter(([, part]) => part !== undefined)) as unknown as CallToolResult;
  if (json === undefined) return { result: plain };
  const result = { ...plain, structuredContent: json.value };
  if (given !== undefined) return { result, json: json.text };
  return { result: { ...result, content: [{ type: 'text', text: json.text }] }, json: json.text, isUntold: true };
}

/** Whether everything but the data is JSON as it stands. */
function hasPlainRest(value: object): boolean {
  for (const [key, part] of Object.entries(value))
    if (key !== 'structuredContent' && part !== undefined && !isPlainJson(part)) return false;
  return true;
}

function readContent(given: unknown, shaping: Shaping): readonly Content[] {
  if (!Array.isArray(given)) throw badOutput(shaping, 'returned a result whose content is not a list');
  for (const [index, item] of given.entries()) {
    if (!isContentLike(item))
      throw badOutput(shaping, `returned a result whose content[${index}] is not valid MCP content`);
    checkContent(item, shaping);
  }
  return given;
}

function jsonOf(value: unknown, shaping: Shaping): Json {
  if (value === undefined) throw badOutput(shaping, 'returned nothing, but it has an output schema');
  if (isStream(value)) throw showsNothing(value, shaping);
  const json = writing(shaping, () => toJson(value));
  if (json === undefined)
    throw badOutput(
      shaping,
      `returned ${typeof value === 'object' ? 'an object' : `a ${typeof value}`}, which cannot be written as JSON`,
    );
  if (json.text === '{}' && isOpaque(Object(value))) throw showsNothing(value, shaping);
  return json;
}

function showsNothing(value: unknown, shaping: Shaping): ToolError {
  const name = String(Object(value).constructor?.name ?? '');
  const what = name === '' ? 'an object' : `a ${name}`;
  return badOutput(shaping, `returned ${what}, which shows nothing of its content`);
}

function writing<T>(shaping: Shaping, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw badOutput(shaping, `returned ${describeUnwritable(cause)}`, undefined, cause);
  }
}

function describeUnwritable(cause: unknown): string {
  if (cause instanceof UnsettledValue) return 'a value with a promise in it, which must be awaited first';
  const isCircular = cause instanceof TypeError && cause.message.includes('circular');
  return isCircular ? 'a value that contains itself' : 'a value that cannot be written as JSON';
}

/** Content, or bytes that become content. */
function isPart(value: unknown): boolean {
  return isContent(value) || isBytes(value) || typedBytesOf(value) !== undefined;
}

function isPartOrText(value: unknown): boolean {
  return typeof value === 'string' || isPart(value);
}

function ofContent(parts: readonly unknown[], shaping: Shaping): Shaped {
  const content = parts.map((part, index) => toContent(part, index, shaping));
  return { result: { content } };
}

function toContent(part: unknown, index: number, shaping: Shaping): Content {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (isBytes(part)) return ofBytes(part, 'application/octet-stream', index, shaping);
  const typed = typedBytesOf(part);
  if (typed !== undefined) return ofBytes(typed.data, typed.mimeType, index, shaping);
  checkContent(part as Content, shaping);
  return writing(shaping, () => toPlain(part)) as Content;
}

/** What clients would refuse is the author's mistake, not theirs. */
function checkContent(item: Content, shaping: Shaping): void {
  const fault = findContentFault(item);
  if (fault !== undefined) throw badOutput(shaping, `returned ${item.type} content whose ${fault}`);
}

/** J58: the mime type decides. */
function ofBytes(bytes: Uint8Array | ArrayBuffer, mimeType: string, index: number, { name }: Shaping): Content {
  const data = encodeBytes(bytes);
  if (/^image\//i.test(mimeType)) return { type: 'image', data, mimeType };
  if (/^audio\//i.test(mimeType)) return { type: 'audio', data, mimeType };
  const uri = `bytes:///${encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '\ufffd'))}${index === 0 ? '' : `/${index + 1}`}`;
  return { type: 'resource', resource: { uri, mimeType, blob: data } };
}

function badOutput({ name }: Shaping, problem: string, advice?: string, cause?: unknown): ToolError {
  const told = cause ?? advice ?? problem;
  return new ToolError(`${name} ${problem}`, { code: 'BAD_OUTPUT', status: 500, cause: told });
}

/** M29: a result whose data fits, with defaults filled in. Undefined where it does not fit: `fits.errors` say why. The handler's own data stays as it is. */
export function proveResult(shaped: Shaped, fits: Validate, { tool }: { readonly tool: Tool }): Shaped | undefined {
  const { result, json } = shaped;
  const { outputSchema } = tool;
  if (json === undefined || outputSchema === undefined || !isFilledIn(tool))
    return fits(result.structuredContent) ? shaped : undefined;
  const copy: unknown = JSON.parse(json);
  const structuredContent = tool.definition.result === 'envelope' ? fillStatus(copy, outputSchema) : copy;
  if (!fits(structuredContent)) return undefined;
  const text = JSON.stringify(structuredContent);
  if (text === json) return shaped;
  const content: readonly Content[] = shaped.isUntold === true ? [{ type: 'text', text }] : result.content;
  return { ...shaped, result: { ...result, content, structuredContent }, json: text };
}

const filledIn = new WeakMap<Tool, boolean>();

/** Whether anything can be filled in, asked once for each tool: the copy that it takes costs as much as a small call. */
function isFilledIn(tool: Tool): boolean {
  const known = filledIn.get(tool);
  if (known !== undefined) return known;
  const { definition, outputSchema, filling } = tool;
  const isFilled = definition.result === 'envelope' || (filling.output !== 'never' && hasDefault(outputSchema));
  filledIn.set(tool, isFilled);
  return isFilled;
}
