// In: the result of a call. Out: what a person reads on stdout and stderr.
import { isDeepStrictEqual } from 'node:util';
import { unfinishedKey } from '../../runtime/call/context/relay.js';
import { errorKey } from '../../runtime/call/failure.js';
import { isMap } from '../../schema/document.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import type { CallToolResult, Content, ResourceContents } from '../../schema/support/mcp/content.js';

export interface PrintedResult {
  readonly stdout: string;
  readonly stderr: string;
}

export interface PrintOptions {
  /** On a terminal nothing may steer it; a pipe gets texts as they are. */
  readonly isTerminal: boolean;
}

/**
 * Texts as they are, data as JSON, anything else in a line. What failed is on stderr.
 *
 * @example printResult({ content: [{ type: 'text', text: 'Hello' }] }, { isTerminal: false }).stdout // 'Hello\n'
 */
export function printResult(result: CallToolResult, options: PrintOptions): PrintedResult {
  // A question that is open, or an agreement that is missing, is not a result (N33).
  if (result.isError === true || result._meta?.[unfinishedKey] === true)
    return { stdout: '', stderr: printError(result) };
  const { content, structuredContent } = result;
  const hasData = structuredContent !== undefined;
  // The text of structured data is the same once more.
  const others = content.filter(one => !(hasData && one.type === 'text' && isSame(one.text, structuredContent)));
  const parts = [
    ...(hasData ? [visibleJson(structuredContent)] : []),
    ...others.map(one => printContent(one, options)),
  ];
  return { stdout: parts.map(part => (part.endsWith('\n') ? part : `${part}\n`)).join(''), stderr: '' };
}

function isSame(text: string, data: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), data);
  } catch {
    return false;
  }
}

function printContent(one: Content, options: PrintOptions): string {
  switch (one.type) {
    case 'text':
      return printText(one.text, options);
    case 'image':
    case 'audio':
      return `[${one.type} ${visible(one.mimeType)} ${printSize(bytesOf(one.data))}]`;
    case 'resource':
      return printResource(one.resource, options);
    case 'resource_link':
      return `[link ${visible(one.uri)} ${visible(one.name)}]`;
    default:
      // A handler may return content of a later revision.
      return visibleJson(one satisfies never);
  }
}

function printText(text: string, { isTerminal }: PrintOptions): string {
  return isTerminal ? text.split('\n').map(visibleLine).join('\n') : text;
}

/** Tabs are harmless, and tables need them. */
function visibleLine(line: string): string {
  return line.replace(/\r$/, '').split('\t').map(visible).join('\t');
}

function printResource({ uri, mimeType = 'unknown', text, blob }: ResourceContents, options: PrintOptions): string {
  const size = blob === undefined ? '' : ` ${printSize(bytesOf(blob))}`;
  const head = `[resource ${visible(uri)} ${visible(mimeType)}${size}]`;
  return text === undefined ? head : `${head}\n${printText(text, options)}`;
}

function bytesOf(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

function printSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The parts of an error in lines; a result that a handler made itself has only its text. */
function printError({ content, _meta }: CallToolResult): string {
  const error = _meta?.[errorKey];
  if (!isMap(error)) {
    const texts = content.map(one => printContent(one, { isTerminal: true }));
    return `${texts.length === 0 ? 'the tool failed' : texts.join('\n')}\n`;
  }
  const { message, code, status, suggested_fix: fix, is_retryable: isRetryable, meta } = error;
  const lines = [
    `error ${visible(String(code))} (${String(status)}): ${printText(String(message), { isTerminal: true })}`,
    ...(typeof fix === 'string' ? [`  hint: ${visible(fix)}`] : []),
    // Of what nobody foresaw it is only a guess, for programs.
    ...(isRetryable === true && code !== 'UNEXPECTED_ERROR' ? ['  it may work later'] : []),
    // The message of bad arguments has every violation already.
    ...(isMap(meta) && Object.keys(meta).length > 0 && code !== 'BAD_ARGUMENTS' ? [indent(visibleJson(meta))] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n');
}
