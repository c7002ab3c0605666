// In: the winning definition of a prompt. Out: the prompt with its arguments and templates, and every mistake in them.
import type { PromptArgument, PromptDefinition } from '../../schema/definitions.js';
import { addAll, diagnose } from '../../schema/diagnostics.js';
import { isMap, type Locator, type Path } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import { parseTemplate, templateNames } from '../../schema/template/template.js';
import { linkCall } from './link-call.js';
import {
  checkMentions,
  checkSentFile,
  type Declared,
  type LinkedText,
  linkHandler,
  linkItem,
  linkOwnHandler,
  linkText,
  mostFindings,
  rawOf,
  type Scope,
} from './link-item.js';
import type { Prompt } from './program.js';
import type { Item } from './split.js';

type Argument = PromptArgument & { readonly name: string };

export function linkPrompt(entry: Declared, item: Item, scope: Scope): Prompt {
  const raw = rawOf(item);
  const { at } = item;
  const list = linkArguments(raw['arguments'], at, scope);
  const text = linkText(raw['text'], ['text'], at, scope);
  checkTemplate(text, list, scope);
  if (Array.isArray(raw['messages'])) {
    for (const [index, message] of raw['messages'].entries()) {
      checkMessage(message, ['messages', index], list, at, scope);
    }
  }
  const hasCall = linkCall('prompt', raw, { at, inputs: undefined }, scope);
  const type =
    raw['text'] !== undefined ? 'text' : raw['messages'] !== undefined ? 'messages' : hasCall ? 'mcp' : 'handler';
  if (typeof raw['type'] === 'string' && raw['type'] !== type) {
    const params = { stated: raw['type'], inferred: type };
    scope.diagnostics.push(diagnose('link/prompt-type', params, at.site(['type'])));
  }
  return {
    kind: 'prompt',
    ...linkItem<PromptDefinition>(entry, item, scope),
    type,
    arguments: list,
    ...(text === undefined ? {} : { text: text.text }),
    ...(type === 'handler' ? { handler: linkOwnHandler(item, scope) } : {}),
  };
}

/** W75: description and required are optional; a string stands for its description. */
function linkArguments(value: unknown, at: Locator, scope: Scope): readonly Argument[] {
  // A list has its diagnostic; that the template then uses no argument is not a second mistake.
  if (Array.isArray(value)) return value.flatMap(one => nameOf(one) ?? []);
  if (!isMap(value)) return [];
  return Object.entries(value).map(([name, argument]): Argument => {
    if (typeof argument === 'string') return { name, description: argument };
    if (!isMap(argument)) return { name };
    linkHandler(argument['complete'], ['arguments', name, 'complete'], at, scope);
    return { ...(argument as PromptArgument), name };
  });
}

function nameOf(entry: unknown): Argument | undefined {
  const name = isMap(entry) ? entry['name'] : entry;
  return typeof name === 'string' ? { name } : undefined;
}

/** W74: a template is parsed when it is loaded; a name that is not an argument is a mistake at its position. */
function checkTemplate(text: LinkedText | undefined, list: readonly Argument[], scope: Scope): void {
  if (text === undefined || !text.text.includes('{{')) return;
  const { template, problems } = parseTemplate(text.text);
  for (const { reason, tag, nth } of problems.slice(0, mostFindings)) {
    scope.diagnostics.push(diagnose('template/syntax', { reason }, text.find(tag, nth)));
  }
  const known = new Set(list.map(({ name }) => name));
  const unknown = templateNames(template).filter(({ name }) => !known.has(name));
  for (const { name, tag, nth } of unknown.slice(0, mostFindings)) {
    const hint = didYouMean(name, known) ?? (known.size === 0 ? 'the prompt declares no arguments' : undefined);
    scope.diagnostics.push(diagnose('template/unknown-argument', { name }, text.find(tag, nth), { hint }));
  }
  const texts = new Set(list.filter(({ type }) => type !== 'list').map(({ name }) => name));
  const untyped = templateNames(template).filter(({ name, isEach }) => isEach && texts.has(name));
  for (const { name, tag, nth } of untyped.slice(0, mostFindings)) {
    const hint = `write ${JSON.stringify(name)} as \`${name}: { type: list }\` under arguments`;
    scope.diagnostics.push(diagnose('template/not-a-list', { name }, text.find(tag, nth), { hint }));
  }
  checkMentions(text, scope);
}

function checkMessage(message: unknown, path: Path, list: readonly Argument[], at: Locator, scope: Scope): void {
  if (!isMap(message)) return;
  checkTemplate(linkText(message['text'], [...path, 'text'], at, scope), list, scope);
  for (const key of ['image', 'audio']) {
    const value = message[key];
    const file = isMap(value) ? value['file'] : value;
    const site = (): Path => (isMap(value) ? [...path, key, 'file'] : [...path, key]);
    if (typeof file === 'string') addAll(scope.diagnostics, scope.reader.exists(file, at.site(site())));
  }
  for (const key of ['resource', 'link']) {
    const value = message[key];
    if (!isMap(value)) continue;
    for (const field of ['uri', 'text', 'name', 'description']) {
      if (typeof value[field] !== 'string') continue;
      checkTemplate(linkText(value[field], [...path, key, field], at, scope), list, scope);
    }
    if (typeof value['file'] === 'string') checkSentFile(value['file'], at.site([...path, key, 'file']), scope);
  }
}
