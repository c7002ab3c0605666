// In: a report with a stack. Out: the same with the frames of the pack's author: ours are minified, and Node's lead nowhere.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageFile } from '../../runtime/load/own-package.js';

/**
 * A stack that has no other frames stays as it is: then the mistake is ours.
 *
 * @example keepAuthorFrames('a failed: Error: no\n    at a (/pack/src/a.ts:1:1)\n    at run (node:internal/x:1:1)')
 */
export function keepAuthorFrames(report: string, folder = fileURLToPath(packageFile('dist/'))): string {
  const lines = report.split('\n');
  const url = pathToFileURL(folder).href;
  const isFrame = (line: string): boolean => /^\s+at /.test(line);
  const isForeign = (line: string): boolean =>
    !/(?:^\s+at |\()(?:async )?node:|\(<anonymous>\)$/.test(line) && !line.includes(url) && !line.includes(folder);
  if (!lines.some(line => isFrame(line) && isForeign(line))) return report;
  return lines.filter(line => !isFrame(line) || isForeign(line)).join('\n');
}
