// X2. In: `when` as an author wrote it. Out: the condition, and what is wrong with it.
import { brokenLimit } from '../../schema/config-limits.js';
import type { ConfigEntry, When } from '../../schema/definitions.js';
import { diagnose } from '../../schema/diagnostics.js';
import { isMap, type Locator, type Path } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import { fitsType } from '../../schema/scalar-types.js';
import { canHoldTogether, wantedOf } from './conditions.js';
import type { Scope } from './link-item.js';
import type { Program } from './program.js';

/** Undefined where it has no form that could be looked at: that is reported elsewhere. */
export function linkWhen(value: unknown, path: Path, at: Locator, scope: Scope): When | undefined {
  if (!isMap(value)) return undefined;
  for (const [key, wanted] of Object.entries(value)) {
    const entry = scope.config.get(key);
    if (entry === undefined) {
      const hint = didYouMean(key, [...scope.config.keys()]);
      scope.diagnostics.push(diagnose('link/unknown-condition', { key }, at.site([...path, key], 'key'), { hint }));
      continue;
    }
    if (entry.secret === true && entry.type !== 'boolean') {
      scope.diagnostics.push(diagnose('link/secret-condition', { key }, at.site([...path, key])));
      continue;
    }
    for (const [index, one] of wantedOf(wanted).entries()) {
      // Its form is reported already.
      if (typeof one === 'object') continue;
      const expected = whatFits(entry, one);
      if (expected === undefined) continue;
      const place = Array.isArray(wanted) ? [...path, key, index] : [...path, key];
      const params = { key, value: JSON.stringify(one), expected };
      scope.diagnostics.push(diagnose('link/impossible-condition', params, at.site(place)));
    }
  }
  return value as When;
}

/** What values of the key are, where this can never be one. */
function whatFits(entry: ConfigEntry, value: unknown): string | undefined {
  // A list is compared with one of its items, which are strings.
  const type = entry.type === 'array' ? 'string' : entry.type;
  if (!fitsType(type, value)) return `of type ${type}`;
  if (entry.enum !== undefined && !entry.enum.includes(value)) return `one of ${entry.enum.join(', ')}`;
  return brokenLimit(entry, value);
}

/** Items that no configuration can ever enable: what they want and what every list of them wants exclude each other. */
export function checkReach(program: Program, scope: Scope): void {
  const { config } = program.pack;
  for (const kind of ['tool', 'prompt', 'resource'] as const) {
    const conditional = program[`${kind}s`].filter(({ definition }) => definition.when !== undefined);
    if (conditional.length === 0) continue;
    const waiting = new Map(conditional.map(one => [one.item, { ...one, isListed: false }]));
    // Servers that list nothing share one list of everything.
    for (const list of new Set(program.servers.map(server => server[`${kind}s`])))
      for (const line of list) {
        const one = line.from === 'own' ? waiting.get(line.item) : undefined;
        if (line.from !== 'own' || one === undefined) continue;
        one.isListed = true;
        const wanted = line.when ?? [undefined];
        if (wanted.some(other => canHoldTogether([one.definition.when, other], config))) waiting.delete(line.item);
      }
    for (const { item, at, isListed } of waiting.values())
      if (isListed) scope.diagnostics.push(diagnose('link/never-offered', { kind, item }, at.site(['when'], 'key')));
  }
}
