// In: a string with tags: of a prompt, of a tool's result or of its errors. Out: a function that fills it in; it is parsed once, when
// it is first needed.
import { parseTemplate, renderTemplate } from '../../schema/template/template.js';

/** What a string is filled in with: values by name, and the names of tools on the wire. */
export interface Filling {
  readonly args: Readonly<Record<string, unknown>>;
  toolName(item: string): string;
}

export type Fill = (filling: Filling) => string;

/** J76: values are put in as they are. */
export function makeFill(text: string): Fill {
  if (!text.includes('{{')) return () => text;
  const { template } = parseTemplate(text);
  return ({ args, toolName }) => renderTemplate(template, args, toolName);
}
