// In: the instructions of a server and its tools. Out: what the model reads about the server as a whole (C1).
import type { Tool } from '../load/program.js';
import { guidelinesIn } from './tool-entry.js';

type Render = (text: string) => string;

export interface InstructedTool {
  readonly tool: Tool;
  readonly name: string;
  /** Puts the names of tools into texts of its pack. */
  readonly render: Render;
}

/** Guidelines with `guidelinesIn: instructions` stand below, each under the wire name of its tool. */
export function printInstructions(written: string, tools: readonly InstructedTool[], renderOwn: Render): string {
  const moved = tools.flatMap(({ tool, name, render }) => {
    const guidelines = guidelinesIn('instructions', tool.definition);
    return guidelines === '' ? [] : [`## ${name}\n\n${render(guidelines)}`];
  });
  const rendered = renderOwn(written);
  if (moved.length === 0) return rendered;
  const text = rendered.trimEnd();
  return (text === '' ? moved : [text, ...moved]).join('\n\n');
}
