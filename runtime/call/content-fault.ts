// In: content that a handler put together. Out: why no client would take it, as the end of a sentence; undefined where all is well.
import { isMap } from '../../schema/document.js';
import { formats } from '../../schema/support/formats.js';

const isText = (value: unknown): boolean => typeof value === 'string';
const isRole = (value: unknown): boolean => value === 'user' || value === 'assistant';
const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;
const isTime = (value: unknown): boolean => {
  const test = formats['date-time']?.validate as ((text: string) => boolean) | undefined;
  return typeof value === 'string' && test?.(value) === true;
};

type Rules = Readonly<Record<string, readonly [fits: (value: unknown) => boolean, wanted: string]>>;

const ofContent: Rules = {
  mimeType: [isText, 'a string'],
  data: [isBase64, 'base64'],
  title: [isText, 'a string'],
  description: [isText, 'a string'],
  size: [value => typeof value === 'number', 'a number'],
  icons: [Array.isArray, 'a list'],
  _meta: [isMap, 'a map'],
  annotations: [isMap, 'a map'],
};
const ofResource: Rules = { mimeType: [isText, 'a string'], blob: [isBase64, 'base64'], _meta: [isMap, 'a map'] };
const ofAnnotations: Rules = {
  audience: [value => Array.isArray(value) && value.every(isRole), 'a list of "user" and "assistant"'],
  priority: [isShare, 'a number from 0 to 1'],
  lastModified: [isTime, 'a date and time such as 2025-01-12T15:00:58Z'],
};

/**
 * What is wrong with content whose type and main parts are right.
 *
 * @example findContentFault({ type: 'image', data: 'no base64', mimeType: 'image/png' }) // 'data must be base64'
 */
export function findContentFault(content: object): string | undefined {
  const { resource, annotations } = content as Readonly<Record<string, unknown>>;
  return (
    findBroken(content, ofContent, '') ??
    findBroken(resource, ofResource, 'resource.') ??
    findBroken(annotations, ofAnnotations, 'annotations.')
  );
}

function findBroken(value: unknown, rules: Rules, prefix: string): string | undefined {
  if (!isMap(value)) return undefined;
  for (const [key, [fits, wanted]] of Object.entries(rules)) {
    if (value[key] !== undefined && !fits(value[key])) return `${prefix}${key} must be ${wanted}`;
  }
  return undefined;
}

/** As browsers read it: line breaks are allowed, and the end may be left off. */
function isBase64(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value)) return false;
  return value.length % 4 === 0 || value.replace(/[\s=]/g, '').length % 4 !== 1;
}
