// In: the instructions of a server and its tools. Out: what the model is told about the server as a whole (C1).
import type { ServedTool } from '../call/ports.js';
import type { Desks } from './desk.js';
import { guidelinesIn } from './tool-entry.js';

/** Guidelines with `guidelinesIn: instructions` stand below, each under the wire name of its tool. */
export function printInstructions(written: string, tools: readonly ServedTool[], desks: Desks): string {
  const moved = tools.flatMap(served => {
    const guidelines = guidelinesIn('instructions', served.tool.definition);
    return guidelines === '' ? [] : [`## ${served.name}\n\n${desks.of(served.host).render(guidelines)}`];
  });
  const rendered = desks.general.render(written);
  if (moved.length === 0) return rendered;
  const text = rendered.trimEnd();
  return (text === '' ? moved : [text, ...moved]).join('\n\n');
}
