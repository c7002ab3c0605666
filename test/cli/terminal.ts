// A command in a real terminal, whose questions are answered as they come up.
import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

export interface Talk {
  readonly status: unknown;
  /** How many of the answers were given. */
  readonly next: number;
  readonly shown: string;
}

/** Each answer is typed once its question is on the screen; a function is asked for it then. */
export async function talkTo(
  line: string,
  answers: readonly (readonly [question: string, keys: string | (() => string)])[],
  { env, ...options }: SpawnOptionsWithoutStdio,
): Promise<Talk> {
  const child = spawn('script', ['-qec', `stty cols 100 rows 40; ${line}`, '/dev/null'], {
    ...options,
    env: { ...process.env, ...env, TERM: 'xterm', CI: undefined },
  });
  let shown = '';
  let next = 0;
  child.stdout.setEncoding('utf8').on('data', text => {
    shown += text;
    const [question, keys] = answers[next] ?? [];
    if (question === undefined || !stripVTControlCharacters(shown).includes(question)) return;
    next += 1;
    child.stdin.write(typeof keys === 'function' ? keys() : (keys ?? ''));
  });
  const status = await new Promise(done => child.on('close', done));
  return { status, next, shown };
}
