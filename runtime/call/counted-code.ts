// In: the code of a function as ajv writes it, one statement on a line. Out: the same, counting its steps, and without a
// mistake of ajv's. Its functions call each other as references lead: only that and loops can take long.

/** What stands in a text never looks like a line of its own: a line break in it is escaped. */
const repeated = /^(?:(?:return )?function validate\d+\(|for ?\().*\{$/gm;
/** Where it stops at the first violation, ajv 8 skips what follows the places of a tuple that the list does not reach. */
const skipping = /^if\((valid\d+)\)\{$/gm;

/**
 * Has every function and every round of a loop take a step of `steps`, which throws where there are no more.
 *
 * @example countSteps('for(const key0 in data){\n}') // 'for(const key0 in data){\nsteps.take(1);\n}'
 */
export function countSteps(code: string): string {
  return code.replaceAll(repeated, '$&\nsteps.take(1);').replaceAll(skipping, 'if($1 !== false){');
}

/** How ajv makes functions to be called at once: they find their steps where `start` put them. */
export function countedCode() {
  const process = (code: string): string => `const steps = self.steps;\n${countSteps(code)}`;
  return { optimize: false, lines: true, process };
}
