// B3: programs that are run: what reaches them, what comes back, and how they fail.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../../runtime/backends/exec/run-command.js';
import { typedBytesOf } from '../../../../runtime/call/recognise-result.js';
import { writeFiles } from '../../../harness/files.js';
import { failureOf, makeCall, makeScope, run, script } from './exec-kit.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'exec-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const printWords = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
const isWindows = process.platform === 'win32';

describe('what reaches a program', () => {
  it('B3 arguments arrive as they are, whatever a shell would make of them', async () => {
    const words = [
      '; touch x',
      '$(id) `id` ${HOME} %PATH%',
      '"a" \'b\' \\ \\"',
      '',
      ' ',
      '*',
      'a\nb\r\tc',
      '--output=x',
      '& | > <',
      'äöü 😀 \u202e',
      '\x1b[31m',
    ];
    expect(await run({ ...script(printWords, ...words), result: 'json' })).toEqual(words);
  });

  it.each([
    ['an argument with NUL', { ...script('', 'a\0b') }, /^argument 4 of .* has a NUL character$/],
    ['an argument with half a character', { ...script('', '\ud83d') }, /^argument 4 of .* has half a surrogate pair$/],
    ['a number as argument', { command: 'git', args: [1 as unknown as string] }, /^argument 1 of git is not a string$/],
    ['a variable with NUL', { command: 'git', env: { A: 'a\0b' } }, /^the variable A of git has a NUL character$/],
    ['a variable that is a list', { command: 'git', env: { A: [] } }, /^the variable A of git is not a string$/],
    ['a name of a variable with =', { command: 'git', env: { 'A=B': '' } }, /^"A=B" is not the name of a variable$/],
    ['a folder with NUL', { command: 'git', cwd: 'a\0b' }, /^the folder that git is run in has a NUL character$/],
    ['a program with NUL', { command: 'git\0' }, /^the name of the program has a NUL character$/],
    ['no program', { command: '' }, /^the name of the program is empty$/],
    [
      'input with half a character',
      { command: 'git', stdin: '\ude00' },
      /^the input of git has half a surrogate pair$/,
    ],
    ['input that is a function', { command: 'git', stdin: () => 1 }, /^the input of git is neither text nor bytes/],
  ])('B3 %s is refused', async (_, command, message) => {
    const failure = await failureOf(run(command));
    expect(failure).toMatchObject({ code: 'BAD_VALUE', status: 400, message: expect.stringMatching(message) });
  });

  it('B3 arguments that are too long for the system are a bad value', async () => {
    const failure = await failureOf(run(script(printWords, 'x'.repeat(20_000_000))));
    expect(failure).toMatchObject({
      code: 'BAD_VALUE',
      message: expect.stringContaining('are too long for this system'),
    });
  });

  it('B8 a program gets the few variables that programs need, and not those of the server', async () => {
    const env = {
      ...process.env,
      LC_TIME: 'C',
      XDG_X: 'x',
      https_proxy: 'p',
      API_TOKEN: 'hunter22',
      NODE_OPTIONS: '--x',
    };
    const command = {
      ...script('console.log(JSON.stringify(process.env))'),
      env: { OWN: 1, LANG: 'xx', NONE: undefined },
    };
    const seen = await runCommand({ ...command, result: 'json' }, makeCall(), makeScope(folder, env));
    expect(seen).toMatchObject({ LC_TIME: 'C', XDG_X: 'x', https_proxy: 'p', OWN: '1', LANG: 'xx' });
    for (const name of ['API_TOKEN', 'NODE_OPTIONS', 'NONE', 'VITEST']) expect(seen).not.toHaveProperty(name);
  });

  it.skipIf(isWindows)('B3 a relative entry of PATH finds no program in the folder that one works on', async () => {
    const work = writeFiles(join(folder, 'hostile'), { 'tool-x': '#!/bin/sh\necho hostile\n' });
    chmodSync(join(work, 'tool-x'), 0o755);
    const scope = makeScope(folder, { PATH: `.::hostile:${process.env['PATH']}` });
    const failure = await failureOf(runCommand({ command: 'tool-x', cwd: 'hostile' }, makeCall(), scope));
    expect(failure).toMatchObject({ message: 'the program tool-x is not installed' });
  });

  it('B3 input arrives as text, bytes or JSON, and there is none without', async () => {
    const echo = script('process.stdin.pipe(process.stdout)');
    const long = 'äb\n'.repeat(200_000);
    expect(await run({ ...echo, stdin: `${long}end` })).toBe(`${long}end`);
    expect(await run({ ...echo, stdin: new Uint8Array([104, 105]) })).toBe('hi');
    expect(await run({ ...echo, stdin: new Uint8Array([104, 105]).buffer })).toBe('hi');
    expect(await run({ ...echo, stdin: { a: [1] } })).toBe('{"a":[1]}');
    expect(await run({ ...echo, stdin: '' })).toBe('');
    expect(await run(echo)).toBe('');
  });

  it('B3 a program need not read its input', async () => {
    expect(await run({ ...script('console.log(1); process.exit(0)'), stdin: 'x'.repeat(5_000_000) })).toBe('1');
  });

  it('B3 folders and programs with a path are meant from the pack', async () => {
    const pack = writeFiles(join(folder, 'pack'), { 'sub/x.txt': '', 'bin/hello': '#!/bin/sh\necho hello $1\n' });
    chmodSync(join(pack, 'bin/hello'), 0o755);
    expect(await run({ ...script('console.log(process.cwd())'), cwd: 'sub' }, pack)).toBe(join(pack, 'sub'));
    expect(await run({ ...script('console.log(process.cwd())'), cwd: join(pack, 'bin') }, folder)).toBe(
      join(pack, 'bin'),
    );
    expect(await run(script('console.log(process.cwd())'), pack)).toBe(process.cwd());
    if (isWindows) return;
    for (const command of ['./bin/hello', 'bin/hello', '../pack/bin/hello', join(pack, 'bin/hello')])
      expect(await run({ command, args: ['you'], cwd: 'sub' }, pack)).toBe('hello you');
  });
});

describe('what comes back', () => {
  const print = (text: string): ReturnType<typeof script> => script('process.stdout.write(process.argv[1])', text);

  it('B5 text loses one line end, and what is not UTF-8 is replaced', async () => {
    expect(await run(print(' a\n\n'))).toBe(' a\n');
    expect(await run(print('a\r\n'))).toBe('a');
    expect(await run(print('\ufeffa'))).toBe('a');
    expect(await run(script('process.stdout.write(Buffer.from([97, 255, 98]))'))).toBe('a\ufffdb');
  });

  it('B5 a character that is split between two writes is whole', async () => {
    const code = `const b = Buffer.from('€'); process.stdout.write(b.subarray(0, 1)); setTimeout(() => process.stdout.write(b.subarray(1)), 100)`;
    expect(await run(script(code))).toBe('€');
  });

  it('B5 lines have no empty last one', async () => {
    expect(await run({ ...print('a\r\n\nb\n'), result: 'lines' })).toEqual(['a', '', 'b']);
    expect(await run({ ...print('a'), result: 'lines' })).toEqual(['a']);
    expect(await run({ ...print(''), result: 'lines' })).toEqual([]);
  });

  it('B5 JSON is data, and anything else is said to be none', async () => {
    expect(await run({ ...print('{"a":[1]}\n'), result: 'json' })).toEqual({ a: [1] });
    const failure = await failureOf(run({ ...print('<html>'), result: 'json' }));
    expect(failure).toMatchObject({ code: 'UPSTREAM_INVALID', message: expect.stringContaining('is not JSON') });
    expect(failure.meta).toEqual({ stdout: '<html>' });
    expect(await failureOf(run({ ...print(''), result: 'json' }))).toMatchObject({
      message: expect.stringContaining('printed nothing, where JSON is expected'),
    });
  });

  it('B5 bytes are what results know as bytes', async () => {
    const result = await run({ ...script('process.stdout.write(Buffer.from([0, 255]))'), result: 'bytes' });
    expect(typedBytesOf(result)).toEqual({ data: Buffer.from([0, 255]), mimeType: 'application/octet-stream' });
  });

  it('B3 stderr goes to the log, without secrets', async () => {
    const call = makeCall();
    const scope = makeScope(folder, process.env, { TOKEN: 'hunter22' });
    const command = script(`console.error('\\x1b[31mone hunter22\\x1b[0m\\ntwo'); console.log('out')`);
    expect(await runCommand(command, call, scope)).toBe('out');
    expect(call.logged).toEqual([
      {
        level: 'info',
        message: expect.stringContaining('wrote to stderr'),
        data: { lines: ['one [secret TOKEN]', 'two'] },
      },
    ]);
  });
});

describe('programs that fail', () => {
  it('B6 an exit code is what match sees, and the last line of stderr is the reason', async () => {
    const failure = await failureOf(run(script(`console.error('first\\nfatal: no\\n'); process.exit(128)`)));
    expect(failure).toMatchObject({ code: 'UPSTREAM_ERROR', upstream: '128', retryable: false, isAnswer: false });
    expect(failure.message).toMatch(/^\S+ exited with code 128: fatal: no$/);
    expect(failure.meta).toEqual({ exitCode: 128, stderr: 'first\nfatal: no' });
  });

  it('B3 exit codes of success are those that are listed', async () => {
    const exit = (code: number): ReturnType<typeof script> => script(`console.log('x'); process.exit(${code})`);
    expect(await run({ ...exit(1), ok: [0, 1] })).toBe('x');
    expect(await failureOf(run({ ...exit(0), ok: [1] }))).toMatchObject({ upstream: '0' });
    expect(await failureOf(run({ ...exit(2), ok: [0, 1] }))).toMatchObject({ upstream: '2' });
  });

  it('B6 what a failed program printed is in the error where it wrote nothing to stderr', async () => {
    const failure = await failureOf(run(script(`console.log('a.ts: wrong'); process.exitCode = 2`)));
    expect(failure.message).toMatch(/^\S+ exited with code 2$/);
    expect(failure.meta).toEqual({ exitCode: 2, stdout: 'a.ts: wrong' });
  });

  it('B6 a long stderr is cut to its end, and secrets go before', async () => {
    const code = `process.stderr.write('x'.repeat(5000) + 'hunter22' + 'y'.repeat(1996)); process.exitCode = 1`;
    const scope = makeScope(folder, process.env, { TOKEN: 'hunter22' });
    const failure = await failureOf(runCommand(script(code), makeCall(), scope));
    expect(failure.message.length).toBeLessThan(400);
    expect(failure.meta?.['stderr']).toBe(`...KEN]${'y'.repeat(1996)}`);
  });

  it('B3 a program that floods stderr succeeds, and its end is kept', async () => {
    const call = makeCall();
    const code = `process.stderr.write('x\\n'.repeat(1_000_000) + 'end', () => console.log('done'))`;
    expect(await runCommand(script(code), call, makeScope(folder))).toBe('done');
    const [{ lines }] = call.logged.map(({ data }) => data) as [{ lines: readonly string[] }];
    expect(lines.at(-1)).toBe('end');
    expect(lines.length).toBeLessThan(40_000);
  });

  it.skipIf(isWindows)('B6 a program that a signal ended says which', async () => {
    const failure = await failureOf(run(script(`process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000)`)));
    expect(failure).toMatchObject({ code: 'UPSTREAM_ERROR', upstream: 'SIGSEGV', meta: { signal: 'SIGSEGV' } });
    expect(failure.message).toContain('was ended by SIGSEGV');
  });

  it('B6 a program that is not installed is named', async () => {
    const failure = await failureOf(run({ command: 'no-such-program-x' }));
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', upstream: 'ENOENT', retryable: false });
    expect(failure.message).toBe('the program no-such-program-x is not installed');
    expect(await failureOf(run({ command: './none' }))).toMatchObject({ message: 'the program ./none does not exist' });
  });

  it('B6 a missing folder is told apart from a missing program', async () => {
    const cwd = (name: string): Promise<unknown> => failureOf(run({ ...script(''), cwd: name }, folder));
    writeFiles(folder, { 'file.txt': '' });
    expect(await cwd('nowhere')).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', upstream: 'ENOTDIR', retryable: false });
    expect(await cwd('nowhere')).toMatchObject({
      message: expect.stringContaining('folder nowhere: it does not exist'),
    });
    expect(await cwd('file.txt')).toMatchObject({ message: expect.stringContaining('file.txt: it is not a folder') });
  });

  it.skipIf(isWindows)('B6 a file that cannot be run says why', async () => {
    writeFiles(folder, { 'plain.sh': '#!/bin/sh\n', 'lost.sh': '#!/no/such/interpreter\n' });
    chmodSync(join(folder, 'lost.sh'), 0o755);
    const plain = await failureOf(run({ command: './plain.sh' }, folder));
    expect(plain).toMatchObject({ upstream: 'EACCES', message: expect.stringContaining('it is not executable') });
    const lost = await failureOf(run({ command: './lost.sh' }, folder));
    expect(lost.message).toContain('what its first line names is not installed');
  });
});
