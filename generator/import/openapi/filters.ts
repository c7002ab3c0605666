// In: operations with their names, and what was asked for. Out: those that are chosen, those that are not, and filters that match nothing.
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import { makePattern } from '../../../schema/names.js';
import { didYouMean } from '../../../schema/nearest.js';
import type { Api, ApiOperation } from './api.js';

/** Patterns, in which `*` is any text; case counts for nothing but paths. */
export interface Filters {
  /** Operation ids or names of items. */
  readonly only?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly method?: readonly string[] | undefined;
  readonly path?: readonly string[] | undefined;
  /** Like `only`, but what it matches is left out. */
  readonly exclude?: readonly string[] | undefined;
  /** Deprecated ones, too. */
  readonly deprecated?: boolean | undefined;
}

export interface NamedOperation {
  readonly operation: ApiOperation;
  /** Of the item. */
  readonly name: string;
}

export interface Chosen {
  readonly chosen: readonly NamedOperation[];
  readonly others: readonly NamedOperation[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How each filter looks at an operation. */
const looks: Readonly<
  Record<'only' | 'tag' | 'method' | 'path' | 'exclude', (one: NamedOperation) => readonly string[]>
> = {
  only: namesOf,
  tag: ({ operation }) => operation.tags.map(lower),
  method: ({ operation }) => [lower(operation.method)],
  path: ({ operation }) => [operation.path],
  exclude: namesOf,
};

type Flag = keyof typeof looks;

function namesOf({ operation: { operationId }, name }: NamedOperation): readonly string[] {
  return operationId === undefined ? [name] : [lower(operationId), name];
}

function lower(text: string): string {
  return text.toLowerCase();
}

/**
 * What passes every kind of filter; of several filters of one kind, any.
 *
 * @example chooseOperations(api, named, { tag: ['repos'], exclude: ['*-delete'] }).chosen
 */
export function chooseOperations(api: Api, named: readonly NamedOperation[], filters: Filters): Chosen {
  const diagnostics: Diagnostic[] = [];
  const tests = (Object.keys(looks) as Flag[]).flatMap(flag => {
    const given = filters[flag] ?? [];
    return given.length === 0 ? [] : [{ flag, fits: makeTest(flag, given) }];
  });
  const chosen: NamedOperation[] = [];
  const others: NamedOperation[] = [];
  for (const one of named) {
    const isLeft = one.operation.isDeprecated && filters.deprecated !== true;
    // Every test looks at every operation: what one of them hides must not make another say that it matches nothing.
    const fits = tests.filter(({ flag, fits: test }) => test(one) !== (flag === 'exclude')).length === tests.length;
    (fits && !isLeft ? chosen : others).push(one);
  }
  return { chosen, others, diagnostics: chosen.length > 0 ? diagnostics : [nothingChosen()] };

  function makeTest(flag: Flag, given: readonly string[]): (one: NamedOperation) => boolean {
    const look = looks[flag];
    const patterns = given.map(pattern => makePattern(flag === 'path' ? pattern : lower(pattern)));
    for (const [index, pattern] of patterns.entries()) {
      const text = given[index] ?? '';
      if (named.some(one => look(one).some(pattern))) continue;
      const words = new Set(named.flatMap(look));
      const hint = (flag === 'path' ? hintForPath(text) : undefined) ?? didYouMean(text, words);
      diagnostics.push(diagnose('import/unmatched-filter', { flag, pattern: text }, api.site('#'), { hint }));
    }
    return one => {
      const texts = look(one);
      return patterns.some(pattern => texts.some(pattern));
    };
  }

  function hintForPath(text: string): string | undefined {
    const found = named.some(({ operation }) => operation.path.includes(text));
    return found ? `a pattern is a whole path: "*${text}*" is any that has it` : undefined;
  }

  function nothingChosen(): Diagnostic {
    const [unmatched] = diagnostics;
    if (unmatched !== undefined) {
      const reason = diagnostics.map(({ message }) => message).join(', ');
      return diagnose('import/nothing-chosen', { reason }, unmatched, { hint: unmatched.hint });
    }
    const isDeprecated = named.some(
      one => one.operation.isDeprecated && tests.every(({ flag, fits: test }) => test(one) !== (flag === 'exclude')),
    );
    const reason =
      named.length === 0
        ? 'the document has no operation that can be read'
        : isDeprecated
          ? 'all that the filters choose are deprecated'
          : 'no operation passes all the filters';
    const hint = isDeprecated ? '--deprecated imports them, too' : undefined;
    return diagnose('import/nothing-chosen', { reason }, api.site('#'), { hint });
  }
}
