import { tools } from '../../generated/index.js';
import { openOwnPack } from '../open-pack.js';
import { printDiagnostics, recordsOf } from '../records.js';
import { runToolwright } from '../run-toolwright.js';

/** Run the examples of a pack's tools and prompts against its real server. */
export default tools.runTests(async ({ pack, server, pattern, limit }, ctx) => {
  const folder = openOwnPack(pack, ctx);
  const words = [
    'test',
    '--no-install',
    ...(pattern === undefined ? [] : [`--test=${pattern}`]),
    ...(server === undefined ? [] : [server]),
  ];
  const result = await runToolwright(words, { folder, signal: ctx.signal });
  if ('problem' in result) throw ctx.errors.CANNOT_TEST(result.problem);
  const { ok, counts, tests, untested, diagnostics } = result.data;
  const [count = {}] = recordsOf([counts]);
  // Of what passed, the number is all there is to know; failures come first.
  const told = recordsOf(tests)
    .filter(({ status }) => status !== 'passed')
    .sort((a, b) => Number(b['status'] === 'failed') - Number(a['status'] === 'failed'));
  return {
    ok: ok === true,
    passed: Number(count['passed'] ?? 0),
    failed: Number(count['failed'] ?? 0),
    skipped: Number(count['skipped'] ?? 0),
    tests: told.slice(0, limit).map(printTest),
    omitted: Math.max(0, told.length - limit),
    withoutExamples: Array.isArray(untested) ? untested.map(String) : [],
    diagnostics: printDiagnostics(diagnostics),
  };
});

function printTest(test: Readonly<Record<string, unknown>>) {
  const { item, title, status, message, reason, file, line, column, log } = test;
  return {
    name: `${item} > ${title}`,
    status: status === 'failed' ? ('failed' as const) : ('skipped' as const),
    message: String(message ?? reason ?? ''),
    file: String(file),
    line: Number(line),
    column: Number(column),
    ...(Object.hasOwn(test, 'expected') ? { expected: JSON.stringify(test['expected']) } : {}),
    ...(Object.hasOwn(test, 'actual') ? { actual: JSON.stringify(test['actual']) } : {}),
    ...(typeof log === 'string' ? { log } : {}),
  };
}
