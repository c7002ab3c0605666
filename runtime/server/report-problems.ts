// In: diagnostics of what code defines, names or sets. Out: errors are thrown, all in one; warnings are for the operator.
import type { Diagnostic } from '../../schema/diagnostics.js';
import { printLine } from '../../schema/print/diagnostics.js';
import { DefinitionError } from '../packs/open-pack.js';
import type { SettingsProblems } from './open-server.js';

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

/** What the operator has set and cannot be used. */
export function reportProblems({ config, variables }: SettingsProblems, report: (text: string) => void): void {
  reportOrThrow('The configuration cannot be used:', config, report);
  reportOrThrow('The environment has values that cannot be used:', variables, report);
}
