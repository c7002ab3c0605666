// In: a shaped result. Out: the same without secrets, cleaned and limited: as it leaves.
import type { CallToolResult } from '../../schema/support/mcp/content.js';
import { type Cleaning, cleanText } from './clean-text.js';
import { type Limit, limitResult } from './limit-result.js';
import { type Redaction, redactResult } from './redact.js';
import type { Shaped } from './shape-result.js';

export interface Finishing {
  readonly limit: Limit;
  readonly redaction: Redaction | undefined;
}

/**
 * Cleans, redacts and limits, in this order: a secret may come together when an escape inside it goes, and half of one
 * may be left where text is cut. Cleaning is for text only: the text of structured data says what the data says.
 */
export function finishResult(
  shaped: Shaped,
  { limit, redaction }: Finishing,
  clean: readonly Cleaning[] | undefined,
): CallToolResult {
  const isText = clean !== undefined && shaped.json === undefined;
  const cleaned = isText ? { result: cleanResult(shaped.result, clean) } : shaped;
  return limitResult(redaction === undefined ? cleaned : redactShaped(cleaned, redaction), limit);
}

function cleanResult(result: CallToolResult, clean: readonly Cleaning[]): CallToolResult {
  const content = result.content.map(item =>
    item.type === 'text' ? { ...item, text: cleanText(item.text, clean) } : item,
  );
  return { ...result, content };
}

function redactShaped({ result, json }: Shaped, redaction: Redaction): Shaped {
  const redacted = redactResult(result, redaction);
  if (json === undefined || redacted.structuredContent === result.structuredContent) return { result: redacted, json };
  const text = JSON.stringify(redacted.structuredContent);
  const [only] = result.content;
  // The text of the data is written anew; any other content has been seen to by itself.
  const isCopy = result.content.length === 1 && only?.type === 'text' && only.text === json;
  return { result: isCopy ? { ...redacted, content: [{ type: 'text', text }] } : redacted, json: text };
}
