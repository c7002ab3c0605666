import { setTimeout as rest } from 'node:timers/promises';
import type { MakeReportHandler } from '../../generated/index.js';
import { type Counts, countLevels, listLogs, writeReport } from '../logs.js';

/** Count what the log files say, by level, and write a report in Markdown. */
export default (async ({ title, detail: given }, ctx) => {
  const { LOGS, REPORTS, PAUSE_MS } = ctx.config;
  // A file that comes while the task runs must not change what the next run does: the list is a step, too.
  const files = await ctx.once('files', () => listLogs(LOGS));
  if (files.length === 0) throw ctx.errors.NO_LOGS(`There are no log files in ${LOGS}`);

  let detail = given;
  if (detail === undefined && ctx.has('elicitation')) {
    const answer = await ctx.elicit('detail', {
      message: `How detailed shall the report on ${files.length} files be?`,
      schema: { detail: { type: 'string', enum: ['summary', 'full'] } },
    });
    if (answer.action === 'accept') detail = answer.content.detail;
  }

  const counts: Counts[] = [];
  for (const [index, { name }] of files.entries()) {
    // Read once, also if the server stops meanwhile.
    counts.push(
      await ctx.once(`count ${name}`, async () => {
        const counted = await countLevels(LOGS, name);
        await rest(PAUSE_MS, undefined, { signal: ctx.signal });
        return counted;
      }),
    );
    ctx.progress(index + 1, files.length, `Read ${name}, ${index + 1} of ${files.length}`);
  }

  const report = await ctx.once('write', () => writeReport(REPORTS, { title, detail: detail ?? 'summary', counts }));
  const sum = (of: (one: Counts) => number): number => counts.reduce((all, one) => all + of(one), 0);
  return { report, files: files.length, lines: sum(one => one.lines), errors: sum(one => one.errors.length) };
}) satisfies MakeReportHandler;
