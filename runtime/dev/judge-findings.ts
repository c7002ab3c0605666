// In: what was found in packs, or what they offer. Out: whether a server that is fit to serve must not be replaced by this; how
// much it offers.
import type { Diagnostic } from '../../schema/diagnostics.js';
import type { Counts } from './events.js';
import type { Findings, Snapshot } from './messages.js';

/** Handlers that are not there, or cannot be read, fail alone: what is wrong with a manifest may be anything. */
const ofHandlers: ReadonlySet<string> = new Set(['generate/missing-handler', 'generate/unimportable']);

export function hasBlocking({ diagnostics }: Findings): boolean {
  return diagnostics.some(({ severity, code }) => severity === 'error' && !ofHandlers.has(code));
}

/** All of them, each once. */
export function joinFindings(findings: readonly Findings[]): Findings {
  const known = new Map<string, Diagnostic>();
  for (const { diagnostics } of findings) for (const one of diagnostics) known.set(JSON.stringify(one), one);
  return { diagnostics: [...known.values()], folders: [...new Set(findings.flatMap(({ folders }) => folders))] };
}

export function countsOf({ lists }: Snapshot): Counts {
  return {
    tools: lists.tools.length,
    prompts: lists.prompts.length,
    resources: lists.resources.length + lists.resourceTemplates.length,
  };
}
