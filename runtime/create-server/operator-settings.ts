// In: the environment and the packs of a server. Out: what the operator sets for all of its calls.
import type { Diagnostic } from '../../schema/diagnostics.js';
import { printLine } from '../../schema/print/line.js';
import type { CallServices } from '../call/ports.js';
import type { Environment } from '../context/config.js';
import { type Options, readOptions } from '../context/options.js';
import { readRoots } from '../context/roots.js';
import { createSeal, readStateKey } from '../context/seal.js';
import type { Program } from '../load/program.js';
import { DefinitionError } from '../packs/open-pack.js';

export interface OperatorSettings extends Pick<CallServices, 'seal' | 'roots'>, Pick<Options, 'optionsOf'> {}

/** Throws a DefinitionError where the environment has a state key that cannot be used. */
export function operatorSettings(
  env: Environment,
  programs: readonly Program[],
  report: (text: string) => void,
): OperatorSettings {
  const options = readOptions(env['TOOLWRIGHT_OPTIONS'], programs);
  const key = readStateKey(env['TOOLWRIGHT_STATE_KEY']);
  reportOrThrow(
    'The environment has values that cannot be used:',
    [...options.diagnostics, ...key.diagnostics],
    report,
  );
  return {
    seal: createSeal({ key: key.value, now: Date.now }),
    roots: readRoots(env['TOOLWRIGHT_ROOTS']),
    optionsOf: tool => options.optionsOf(tool),
  };
}

/** Errors stop anyone who composes a server; warnings are for the operator. Nobody reads the same line twice. */
export function reportOrThrow(what: string, diagnostics: readonly Diagnostic[], report: (text: string) => void): void {
  const unique = [...new Map(diagnostics.map(one => [printLine(one), one]))];
  const errors = unique.filter(([, { severity }]) => severity === 'error');
  if (errors.length > 0) {
    throw new DefinitionError(
      what,
      errors.map(([, one]) => one),
    );
  }
  for (const [line, { severity }] of unique) if (severity === 'warning') report(line);
}
