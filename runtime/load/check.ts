// In: a loaded pack. Out: the report of `check`: everything that loading found, and whether defaults and examples fit.
import { type Kind, kinds } from '../../schema/definitions.js';
import { type Diagnostic, diagnose, hasErrors, sortDiagnostics } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { checkValues, makeValueCheck } from '../../schema/json-schema/values.js';
import { didYouMean } from '../../schema/nearest.js';
import type { Folder } from './folder.js';
import type { LinkedTool } from './link-tool.js';
import { type LoadedPack, type LoadOptions, load } from './load.js';
import type { Prompt } from './program.js';

export interface CheckReport {
  readonly ok: boolean;
  /** Null where there is no usable toolwright.yaml. */
  readonly pack: string | null;
  readonly version: string | null;
  readonly items: Readonly<Record<`${Kind}s`, readonly string[]>>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks a pack without running any of its code: everything wrong with it, in one run.
 *
 * @example
 * const report = await checkPack('packs/jira');
 * if (!report.ok) console.error(report.diagnostics);
 */
export async function checkPack(where: string | Folder, options: LoadOptions = {}): Promise<CheckReport> {
  const loaded = load(where, options);
  const diagnostics = sortDiagnostics([...loaded.diagnostics, ...(await checkContents(loaded))]);
  const names = (kind: Kind): readonly string[] => loaded.catalog[kind].map(({ name }) => name);
  const [servers, tools, prompts, resources] = kinds.map(names);
  return {
    ok: !hasErrors(diagnostics),
    pack: loaded.manifest?.name ?? null,
    version: loaded.manifest?.version ?? null,
    items: { servers: servers ?? [], tools: tools ?? [], prompts: prompts ?? [], resources: resources ?? [] },
    diagnostics,
  };
}

/** What only matters while authoring: a server starts without looking at defaults and examples. */
async function checkContents(loaded: LoadedPack): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const linked of loaded.tools) {
    const { input, output, hasSoundSchemas } = linked;
    const values = [...(await checkValues(input)), ...(output === undefined ? [] : await checkValues(output))];
    // Where a schema is broken, the diagnostic that says so is there already.
    found.push(...values.filter(({ code }) => hasSoundSchemas || code !== 'schema/uncheckable'));
    if (hasSoundSchemas) found.push(...(await checkToolExamples(linked)));
  }
  for (const prompt of loaded.program?.prompts ?? []) found.push(...checkPromptExamples(prompt));
  return found;
}

async function checkToolExamples({ tool, input, output }: LinkedTool): Promise<readonly Diagnostic[]> {
  const { examples } = tool.definition;
  if (examples === undefined || examples.length === 0) return [];
  const found: Diagnostic[] = [];
  const checkInput = makeValueCheck(input.schema, 'input');
  const checkOutput = output === undefined ? undefined : makeValueCheck(output.schema, 'output');
  for (const [index, example] of examples.entries()) {
    const name = example.name ?? String(index + 1);
    // An example of a refused call is meant to have a bad input.
    const badInput = example.error === 'BAD_ARGUMENTS' ? undefined : await checkInput(example.input ?? {});
    if (badInput !== undefined) {
      const site = tool.at.site(['examples', index, 'input']);
      found.push(diagnose('example/input', { example: name, reason: badInput }, site));
    }
    const badOutput = example.output === undefined ? undefined : await checkOutput?.(example.output);
    if (badOutput !== undefined) {
      const site = tool.at.site(['examples', index, 'output']);
      found.push(diagnose('example/output', { example: name, reason: badOutput }, site));
    }
  }
  return found;
}

function checkPromptExamples(prompt: Prompt): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const known = prompt.arguments.map(({ name }) => name);
  for (const [index, example] of (prompt.definition.examples ?? []).entries()) {
    const given = isMap(example.input) ? example.input : {};
    const path = ['examples', index, 'input'];
    const name = example.name ?? String(index + 1);
    for (const key of Object.keys(given)) {
      if (known.includes(key)) continue;
      const params = { example: name, reason: `the prompt has no argument "${key}"` };
      const hint = didYouMean(key, known);
      found.push(diagnose('example/input', params, prompt.at.site([...path, key], 'key'), { hint }));
    }
    const missing = prompt.arguments.filter(one => one.required === true && !Object.hasOwn(given, one.name));
    if (missing.length > 0 && example.error === undefined) {
      const reason = `the argument ${missing.map(one => `"${one.name}"`).join(', ')} is required`;
      found.push(diagnose('example/input', { example: name, reason }, prompt.at.site(path, 'key')));
    }
  }
  return found;
}
