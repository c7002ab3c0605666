// In: errors in the generated declarations. Out: each module that they import and that the project's settings do not find, once.
import type { TsconfigOptions } from '../../runtime/call/handlers/tsconfig.js';
import { isAtLeast } from '../../runtime/packs/installed-package.js';
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import type { PlacedError } from './place-error.js';

/** Cannot find module, or no types of it. */
const notFound: readonly number[] = [2307, 2792, 7016];
/** An ES module that CommonJS may not import, not even its types. */
const wrongFormat: readonly number[] = [1541, 1542];

/** Others do not read `exports` of package.json, by which generated code finds its types. */
export const neededResolution =
  'write "module": "nodenext" or "node16" in tsconfig.json and leave moduleResolution out, or "module": "esnext" with "moduleResolution": "bundler"';
const unsuited = ['classic', 'node', 'node10'];
/** What compilers before 6 resolve in one of these ways where nothing else is said. */
const olderModules = ['none', 'commonjs', 'amd', 'umd', 'system', 'es6', 'es2015', 'es2020', 'es2022', 'esnext'];

/** Whether generated code does not find its types with these settings. `version`: of the compiler, where it is known. */
export function isUnsuitedResolution(
  { module = 'commonjs', moduleResolution }: { module?: string | undefined; moduleResolution?: string | undefined },
  version: string | undefined,
): boolean {
  if (moduleResolution !== undefined) return unsuited.includes(moduleResolution.toLowerCase());
  return version !== undefined && !isAtLeast(version, '6.0') && olderModules.includes(module.toLowerCase());
}

export function isNotFound({ code }: Pick<PlacedError, 'code'>): boolean {
  return notFound.includes(code);
}

/** The text between the quotes that an error is about. */
export function specifierOf({ word }: PlacedError): string {
  return word.slice(1, -1);
}

export function reportUnresolved(
  errors: readonly PlacedError[],
  options: TsconfigOptions,
  version: string,
): readonly Diagnostic[] {
  const reported = new Map<string, Diagnostic>();
  for (const error of errors) {
    const specifier = specifierOf(error);
    const isUnresolved = isNotFound(error) || wrongFormat.includes(error.code);
    if (!isUnresolved || reported.has(specifier)) continue;
    // What follows the first line names folders of this machine.
    const params = { number: error.code, message: error.message[0] ?? '' };
    const hint = hintFor(error.code, specifier);
    reported.set(specifier, diagnose('typecheck/unresolved', params, error.site, { hint }));
  }
  return [...reported.values()];

  function hintFor(code: number, specifier: string): string | undefined {
    if (wrongFormat.includes(code)) return 'set skipLibCheck, or module: nodenext, in tsconfig.json';
    return specifier.startsWith('.') ? undefined : hintForPackage(specifier, options, version);
  }
}

/** What to do about a package that is not found. */
export function hintForPackage(specifier: string, options: TsconfigOptions, version: string): string {
  const said = { module: textOf(options, 'module'), moduleResolution: textOf(options, 'moduleResolution') };
  return isUnsuitedResolution(said, version) ? neededResolution : `is ${specifier.split('/')[0]} installed?`;
}

export function textOf(options: TsconfigOptions, name: string): string | undefined {
  const value = options.get(name)?.value;
  return typeof value === 'string' ? value : undefined;
}
