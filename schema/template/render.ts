// Fills a template in. In: a Template, the arguments, the names of tools on the wire. Out: the text of the prompt.

import type { Template } from './build.js';
import type { TemplatePath } from './tag.js';

interface Loop {
  readonly list: object;
  readonly keys: readonly string[];
  index: number;
}

/**
 * Renders a prompt text. Values are inserted as they are: not escaped, and never read as a template again.
 *
 * @example renderTemplate(parseTemplate('Hi {{name}}').template, { name: '{{x}}' }, item => item) // 'Hi {{x}}'
 */
export function renderTemplate(
  template: Template,
  args: Readonly<Record<string, unknown>>,
  toolName: (item: string) => string,
): string {
  const output: string[] = [];
  const loops: Loop[] = [];
  const { steps } = template;
  let position = 0;
  let lineStart = 0;
  for (let step = steps[position]; step !== undefined; step = steps[position]) {
    position++;
    switch (step.op) {
      case 'text':
        output.push(step.text);
        break;
      case 'value':
        output.push(toText(lookUp(step.path, args, loops)));
        break;
      case 'tool':
        output.push(toolName(step.item));
        break;
      case 'branch':
        if (isPresent(lookUp(step.path, args, loops)) === step.when) position = step.to;
        break;
      case 'jump':
        position = step.to;
        break;
      case 'line':
        lineStart = output.length;
        break;
      case 'fold':
        if (output.slice(lineStart).every(text => text.trim() === '')) output.length = lineStart;
        break;
      case 'each': {
        const list = lookUp(step.path, args, loops);
        const keys = typeof list === 'object' && list !== null ? Object.keys(list) : [];
        if (typeof list === 'object' && list !== null && keys.length > 0) loops.push({ list, keys, index: 0 });
        else position = step.to;
        break;
      }
      case 'next': {
        const loop = loops.at(-1);
        if (loop === undefined) break;
        loop.index++;
        if (loop.index < loop.keys.length) position = step.to;
        else loops.pop();
        break;
      }
      default:
        step satisfies never;
    }
  }
  return output.join('');
}

function lookUp(path: TemplatePath, args: Readonly<Record<string, unknown>>, loops: readonly Loop[]): unknown {
  const loop = loops[loops.length - 1 - path.up];
  switch (path.from) {
    case 'index':
      return loop?.index;
    case 'key':
      return loop?.keys[loop.index];
    case 'first':
      return loop?.index === 0;
    case 'last':
      return loop !== undefined && loop.index === loop.keys.length - 1;
    case 'root':
      return follow(args, path.parts);
    case 'context':
      return follow(loop === undefined ? args : member(loop.list, loop.keys[loop.index] ?? ''), path.parts);
    default:
      return path.from satisfies never;
  }
}

function follow(value: unknown, parts: readonly string[]): unknown {
  let found = value;
  for (const part of parts) found = member(found, part);
  return found;
}

/** Own members only: `{{constructor}}` must not lead out of the data. */
function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

/** As in Handlebars: nothing, false, 0, empty texts and empty lists count as absent. */
function isPresent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  // Handlebars would print [object Object], and String() of a client's data may call what the client wrote.
  const isFlat = Array.isArray(value) && value.every(one => typeof one !== 'object' || one === null);
  return isFlat ? value.map(toText).join(',') : JSON.stringify(value);
}
