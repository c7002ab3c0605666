// In: what became of tests. Out: the XML that CI systems read: a suite for each server, a case for each test.
import { titleOf } from '../../runtime/server/examples/run-tests.js';
import { visibleLines } from '../../schema/print/visible.js';
import { countTests, type TestReport } from './print-tests.js';
import type { ServerTest } from './test-server.js';

export function printJunit({ pack, tests, diagnostics, durationMs }: TestReport): string {
  const servers = [...new Set(tests.map(({ server }) => server))];
  const broken = diagnostics.map(({ file, line, column, code, message }) => {
    const place = `${file}:${line}:${column}`;
    const failure = `<error message="${escapeXml(message)}" type="${code}">${escapeXml(`${place} ${message}`)}</error>`;
    return `    <testcase classname="manifests" name="${escapeXml(place)}" file="${escapeXml(file)}">${failure}</testcase>`;
  });
  const suites = [
    ...(broken.length === 0 ? [] : [printSuite('manifests', broken, { errors: broken.length })]),
    ...servers.map(server => {
      const own = tests.filter(one => one.server === server);
      const { failed, skipped } = countTests(own);
      const time = own.reduce((sum, one) => sum + one.durationMs, 0);
      return printSuite(`${pack ?? ''}/${server ?? 'not served'}`, own.map(printCase), {
        failures: failed,
        skipped,
        time: seconds(time),
      });
    }),
  ];
  const { failed, skipped } = countTests(tests);
  const counts = `tests="${tests.length + broken.length}" failures="${failed}" errors="${broken.length}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(pack ?? '')}" ${counts} time="${seconds(durationMs)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function printSuite(name: string, cases: readonly string[], more: Readonly<Record<string, string | number>>): string {
  const counts = Object.entries({ tests: cases.length, ...more }).map(([key, value]) => `${key}="${value}"`);
  return [`  <testsuite name="${escapeXml(name)}" ${counts.join(' ')}>`, ...cases, '  </testsuite>'].join('\n');
}

function printCase(test: ServerTest): string {
  const { kind, item, title, site, durationMs, log } = test;
  const head = `    <testcase classname="${kind}.${escapeXml(item)}" name="${escapeXml(titleOf(test))}" file="${escapeXml(site.file)}" line="${site.line}" time="${seconds(durationMs)}"`;
  if (test.status === 'passed') return `${head}/>`;
  if (test.status === 'skipped') return `${head}><skipped message="${escapeXml(test.reason)}"/></testcase>`;
  const { code, message, file, line, column } = test.diagnostic;
  const values = Object.hasOwn(test, 'expected')
    ? `\nexpected: ${JSON.stringify(test.expected)}\nactual: ${JSON.stringify(test.actual)}`
    : '';
  const failure = `<failure message="${escapeXml(message)}" type="${code}">${escapeXml(`${file}:${line}:${column} ${title}${values}`)}</failure>`;
  const written = log === undefined ? '' : `<system-err>${escapeXml(log)}</system-err>`;
  return `${head}>${failure}${written}</testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no way at all to write most control characters and lone surrogates; others would act on the program that shows the report. */
function escapeXml(text: string): string {
  return visibleLines(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, character => entities[character] ?? character)
    .replaceAll('\r\n', '&#10;')
    .replaceAll('\n', '&#10;');
}
