// What a child process prints. In: the process, with pipes. Out: its lines as they come, or all that it printed when it has ended.
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface ChildOutput {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which it came. */
  readonly output: string;
}

/** Rejects where the process cannot be started. */
export function collectOutput(child: ChildProcess): Promise<ChildOutput> {
  const texts = { stdout: '', stderr: '', output: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      texts.output += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve({ status, signal, ...texts }));
  });
}

/** The last of what a stream prints, at any time; `take` forgets it. */
export interface OutputTail {
  text(): string;
  take(): string;
}

export function keepTail(stream: Readable, mostCharacters = 20_000): OutputTail {
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-mostCharacters);
  });
  return {
    text: () => tail,
    take() {
      const text = tail;
      tail = '';
      return text;
    },
  };
}

/** Each line without its end; also the last one, where nothing ends it. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}
