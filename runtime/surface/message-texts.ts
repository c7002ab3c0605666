// In: a text of a prompt. Out: a function that fills it in; the template is parsed once, when it is first needed.
import { parseTemplate, renderTemplate } from '../../schema/template/template.js';

/** What a prompt is filled in with: its arguments, and the names of tools on the wire. */
export interface Filling {
  readonly args: Readonly<Record<string, string>>;
  toolName(item: string): string;
}

export type Fill = (filling: Filling) => string;

/** J76: values are put in as they are. */
export function makeFill(text: string): Fill {
  if (!text.includes('{{')) return () => text;
  const { template } = parseTemplate(text);
  return ({ args, toolName }) => renderTemplate(template, args, toolName);
}
