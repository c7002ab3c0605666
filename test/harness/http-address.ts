// Where a started server listens.
import type { ChildProcess } from 'node:child_process';

/** The address that a server prints on stderr; an error with all that it printed if it ends before. */
export function httpAddressOf(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (log.length > 10_000) return;
      log += text;
      const [found] = /http:\/\/\S+/.exec(log) ?? [];
      if (found !== undefined) resolve(new URL(found));
    });
    child.once('exit', code => reject(new Error(`exit ${code}: ${log}`)));
  });
}
