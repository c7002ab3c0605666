// In: the guidelines of a tool. Out: the text that a model reads, in a fixed order under fixed headings (M11).
import type { Guidelines } from '../../schema/definitions.js';

const headings = [
  ['whenToUse', 'When to use'],
  ['avoidIf', 'Avoid if'],
  ['prerequisites', 'Prerequisites'],
  ['sideEffects', 'Side effects'],
  ['additionalInfo', 'Additional info'],
] as const satisfies readonly (readonly [keyof Guidelines, string])[];

/**
 * Prints guidelines; empty ones are left out, and the text is empty where all are.
 *
 * @example printGuidelines({ avoidIf: 'It is late.' }) // 'Avoid if: It is late.'
 */
export function printGuidelines(guidelines: Guidelines): string {
  return guidelineSections(guidelines)
    .map(({ heading, body }) => `${heading}:${body}`)
    .join('\n\n');
}

/** The sections that say something, in their order. */
export function guidelineSections(
  guidelines: Guidelines,
): readonly { readonly heading: string; readonly body: string }[] {
  return headings.flatMap(([key, heading]) => {
    const body = printSection(guidelines[key]);
    return body === undefined ? [] : [{ heading, body }];
  });
}

function printSection(section: string | readonly string[] | undefined): string | undefined {
  if (section === undefined || section === null) return undefined;
  if (typeof section === 'string') {
    const text = section.trim();
    if (text === '') return undefined;
    return text.includes('\n') ? `\n${text}` : ` ${text}`;
  }
  const points = section.map(point => point.trim()).filter(point => point !== '');
  if (points.length === 0) return undefined;
  return points.map(point => `\n- ${point.replaceAll('\n', '\n  ')}`).join('');
}

/** A description with the guidelines under it; exactly as written where there are none. */
export function describe(description: string, guidelines: string): string {
  if (guidelines === '') return description;
  const text = description.trimEnd();
  return text === '' ? guidelines : `${text}\n\n${guidelines}`;
}
