// Prompt texts: the part of Handlebars that needs no code. In: the text. Out: a Template, and what is wrong with it.
import { type TagPlace, type Template, TemplateBuilder, type TemplateName, type TemplateProblem } from './build.js';
import { isEscaped, mentionedItem, mentionTag, namedTag } from './mentions.js';
import { renderTemplate } from './render.js';
import { countTags, scanTemplate } from './scan.js';

export type { Template, TemplateName, TemplateProblem } from './build.js';
export { renderMentions } from './mentions.js';
export { renderTemplate };

export interface ParsedTemplate {
  readonly template: Template;
  readonly problems: readonly TemplateProblem[];
}

/** A tool that some text mentions, under its item name. */
export interface ToolMention extends Pick<TagPlace, 'tag' | 'nth'> {
  readonly name: string;
}

/**
 * Reads a prompt text. The template is usable even if there are problems: what is broken is left out.
 *
 * @example parseTemplate('Hello {{name}}').problems // []
 */
export function parseTemplate(text: string): ParsedTemplate {
  const builder = new TemplateBuilder(text);
  for (const token of scanTemplate(text)) {
    switch (token.kind) {
      case 'text':
        builder.addText(token.text);
        break;
      case 'tag':
        builder.addTag(token);
        break;
      case 'broken':
        builder.complain(token, token.reason);
        break;
      case 'line':
        builder.addLineEdge(token.edge);
        break;
      case 'comment':
        break;
      default:
        token satisfies never;
    }
  }
  builder.finish();
  return { template: { steps: builder.steps, names: builder.names }, problems: builder.problems };
}

/**
 * The arguments of the prompt that a template uses, one entry for each use, in order. What stands for a member of
 * the list inside `{{#each}}` is not an argument.
 *
 * @example templateNames(parseTemplate('{{#each list}}{{title}}{{/each}}').template).map(use => use.name) // ['list']
 */
export function templateNames(template: Template): readonly TemplateName[] {
  return template.names;
}

/**
 * The tools that any text mentions as `{{tool:item}}`: prompts, descriptions, guidelines, suggested fixes.
 *
 * @example toolMentions('Call {{tool:search}} first') // [{ name: 'search', tag: '{{tool:search}}', nth: 0 }]
 */
export function toolMentions(text: string): ToolMention[] {
  if (!text.includes('tool:')) return [];
  const nth = countTags(text);
  const mentions: ToolMention[] = [];
  for (const found of text.matchAll(mentionTag)) {
    const [tag, inner = ''] = found;
    if (isEscaped(text, found.index)) continue;
    mentions.push({ name: mentionedItem(inner), tag, nth: nth(tag, found.index) });
  }
  return mentions;
}

/** `{{word:name}}` where the word has no meaning. */
export interface StrangeTag extends ToolMention {
  readonly word: string;
}

/**
 * Tags that look like mentions and are none: outside of templates they stay as they are.
 *
 * @example strangeTags('Call {{tol:search}}') // [{ word: 'tol', name: 'search', tag: '{{tol:search}}', nth: 0 }]
 */
export function strangeTags(text: string): StrangeTag[] {
  if (!text.includes('{{') || !text.includes(':')) return [];
  const nth = countTags(text);
  const tags: StrangeTag[] = [];
  for (const found of text.matchAll(namedTag)) {
    const [tag, word = '', name = ''] = found;
    if (word === 'tool' || isEscaped(text, found.index)) continue;
    tags.push({ word: word.trimEnd(), name, tag, nth: nth(tag, found.index) });
  }
  return tags;
}

/** What a string is filled in with: values by name, and the names of tools on the wire. */
export interface FillValues {
  readonly args: Readonly<Record<string, unknown>>;
  toolName(item: string): string;
}

export type Fill = (filling: FillValues) => string;

/** J76: fills a string in; values are put in as they are. It is parsed once. */
export function makeFill(text: string): Fill {
  if (!text.includes('{{')) return () => text;
  const { template } = parseTemplate(text);
  return ({ args, toolName }) => renderTemplate(template, args, toolName);
}
