// In: the servers of a pack and what a person wants tested. Out: for each server its tests; each item is tested once.

import { readConfig } from '../../runtime/call/context/config.js';
import { type ComposedItem, composeServer, isOfferedWith } from '../../runtime/packs/compose.js';
import { planTests } from '../../runtime/server/examples/plan-tests.js';
import { type TestCase, titleOf } from '../../runtime/server/examples/run-tests.js';
import { makePattern } from '../../schema/names.js';
import { didYouMean } from '../../schema/nearest.js';
import { workingFolder } from '../pack/pack-command.js';
import { type LoadedFolder, lookUpAround } from '../start/load-server.js';
import { UsageError } from '../terminal/usage-error.js';
import type { OpenedServers, TestFlags } from './test.js';

export interface PlannedServer {
  /** Its item name; undefined for tests that no server can run. */
  readonly server: string | undefined;
  readonly cases: readonly TestCase[];
}

export interface PlanOptions {
  readonly loaded: LoadedFolder;
  readonly flags: TestFlags & { readonly format: 'text' };
  /** All servers are tested, so that an item that none of them has is worth a word. */
  readonly isWhole: boolean;
  /** Nothing says that the data is for tests. */
  readonly sparesData: boolean;
  /** What its servers are started with. */
  readonly env: NodeJS.ProcessEnv;
  /** A test must fit them all. */
  readonly patterns: readonly string[];
}

export function choosePlan({ own, servers }: OpenedServers, options: PlanOptions): readonly PlannedServer[] {
  const { loaded, flags, isWhole, sparesData, patterns } = options;
  const lookUp = lookUpAround(loaded, workingFolder(flags));
  const seen = new Set<object>();
  const { values } = readConfig(own.program.pack.config, options.env).settings;
  const isNew = ({ item }: { readonly item: object }): boolean => !seen.has(item) && Boolean(seen.add(item));
  const plan: PlannedServer[] = servers.map(server => {
    const { tools, prompts } = composeServer(own, server, lookUp);
    // What other packs promise is theirs to test.
    const isOwn = ({ pack }: { readonly pack: object }): boolean => pack === own;
    const judge = <K extends 'tool' | 'prompt'>(items: readonly ComposedItem<K>[]) =>
      items
        .filter(isOwn)
        .filter(isNew)
        .map(one => ({ ...one, isLeftOut: !isOfferedWith(() => values, one, own) }));
    const chosen = { tools: judge(tools), prompts: judge(prompts) };
    return { server: server.item, cases: planTests({ ...chosen, mode: flags.mode, sparesData }) };
  });
  if (isWhole) plan.push({ server: undefined, cases: unservedCases(own, seen) });
  const all = plan.flatMap(({ cases }) => cases);
  const fits = patterns.map(makeFit);
  const filtered = plan.map(one => ({ ...one, cases: one.cases.filter(test => fits.every(isMatch => isMatch(test))) }));
  const result = filtered.filter(({ cases }) => cases.length > 0);
  if (patterns.length > 0 && result.length === 0) {
    const [pattern = ''] = patterns;
    const names = [...new Set(all.map(({ item }) => item))];
    const hint = didYouMean(pattern, [...names, ...servers.map(({ item }) => item)]);
    const list = names.length === 0 ? 'there are no tests' : `there are tests for ${names.join(', ')}`;
    throw new UsageError(
      `no test matches ${patterns.map(one => `"${one}"`).join(' and ')}${hint === undefined ? '' : `: ${hint}`} (${list})`,
    );
  }
  return result;
}

/** Examples of items that no server has. */
function unservedCases({ program }: OpenedServers['own'], seen: ReadonlySet<object>): readonly TestCase[] {
  const unserved = <
    T extends { readonly name: string; readonly definition: { readonly examples?: readonly object[] } },
  >(
    items: readonly T[],
  ) =>
    items
      .filter(item => !seen.has(item) && (item.definition.examples ?? []).length > 0)
      .map(item => ({ item, name: item.name }));
  const cases = planTests({ tools: unserved(program.tools), prompts: unserved(program.prompts) });
  const reason = 'no enabled server offers it';
  return cases.map(test => ({ ...test, run: async () => ({ status: 'skipped', reason }) }));
}

/** With a star the whole of an item's name, a title or both; without one, any part of both. */
function makeFit(pattern: string): (test: TestCase) => boolean {
  const wanted = pattern.toLowerCase();
  const isLike = makePattern(wanted);
  return test => {
    const texts = [test.item, test.title, titleOf(test)].map(text => text.toLowerCase());
    return wanted.includes('*') ? texts.some(isLike) : texts.some(text => text.includes(wanted));
  };
}
