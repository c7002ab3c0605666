// A tool that runs a program, as clients call it.
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../runtime/index.js';
import { writeFolder } from '../../packs/code-packs.js';

const echo = 'console.log(JSON.stringify({{ args: process.argv.slice(1), token: process.env.TOKEN }}))';

function packOf(tool: object, config: object = {}): string {
  return writeFolder({
    'toolwright.yaml': JSON.stringify({ name: 'acme/demo', version: '1.0.0', config }),
    'mcp/tools/t.json': JSON.stringify({ description: 'The tool', ...tool }),
  });
}

async function invoke(tool: object, args: object, env: Record<string, string> = {}, config: object = {}) {
  const registry = await createRegistry(packOf(tool, config), { env: { PATH: process.env['PATH'], ...env } });
  try {
    return await registry.invoke('t', args);
  } finally {
    await registry.close();
  }
}

describe('a tool with exec', () => {
  const tool = {
    parameters: { text: 'string', list: { type: 'array', items: 'string', required: false } },
    exec: { command: 'node', args: ['-e', echo, '--', '--text={text}', '{list}'], result: 'json' },
  };

  it('B3 the values of a call arrive as they are, each as one argument', async () => {
    const values = [
      'a b',
      '$(id)',
      '; rm -rf /',
      '`x`',
      "'",
      '"',
      '\n',
      '-n',
      '--help',
      '..',
      '%2f',
      'ä€😀',
      '*',
      '\\',
    ];
    const result = await invoke(tool, { text: values.join(''), list: values });
    expect(result).toMatchObject({
      ok: true,
      result: { structuredContent: { args: [`--text=${values.join('')}`, ...values] } },
    });
  });

  it('B3 a value with a NUL is refused with a reason', async () => {
    expect(await invoke(tool, { text: 'a\0b' })).toMatchObject({
      ok: false,
      error: { code: 'BAD_VALUE', status: 400 },
    });
  });

  it('B3 an argument that is absent drops its element, and the output is validated', async () => {
    const given = { ...tool, output: { args: { type: 'array', items: 'string' } } };
    const result = await invoke(given, { text: 'x' });
    expect(result).toMatchObject({ ok: true, result: { structuredContent: { args: ['--text=x'] } } });
  });

  it('B6 an exit code becomes the declared error that matches it', async () => {
    const failing = {
      parameters: { code: { type: 'integer', minimum: 0 } },
      exec: { command: 'node', args: ['-e', 'process.exit(Number(process.argv[1]))', '{code}'] },
      errors: { GONE: { match: [3], message: 'Code {{code}} is gone' } },
    };
    expect(await invoke(failing, { code: 3 })).toMatchObject({
      ok: false,
      error: { code: 'GONE', message: 'Code 3 is gone', status: 400 },
    });
    expect(await invoke(failing, { code: 4 })).toMatchObject({
      ok: false,
      error: { code: 'UPSTREAM_ERROR', message: 'node exited with code 4', meta: { exitCode: 4 } },
    });
  });

  it('B6 a kind of failure can be matched, too', async () => {
    const missing = {
      exec: { command: 'no-such-program' },
      errors: { NOT_INSTALLED: { match: ['ENOENT'], message: 'Install it first' } },
    };
    expect(await invoke(missing, {})).toMatchObject({ ok: false, error: { code: 'NOT_INSTALLED' } });
  });

  it('B8 a secret reaches the program as a variable, and is removed from what it prints', async () => {
    const secret = { ...tool, exec: { ...tool.exec, env: { TOKEN: '{config.TOKEN}' } } };
    const config = { TOKEN: { type: 'string', secret: true } };
    const result = await invoke(secret, { text: 'x' }, { TOKEN: 'canary-4711' }, config);
    expect(result).toMatchObject({ ok: true, result: { structuredContent: { args: ['--text=x'] } } });
    expect(JSON.stringify(result)).not.toContain('canary-4711');
    expect(JSON.stringify(result)).toContain('TOKEN');
  });

  it('B3 variables of the server that nobody passes on do not reach the program', async () => {
    const result = await invoke(tool, { text: 'x' }, { TOKEN: 'canary-4711' });
    expect(result).toMatchObject({ ok: true, result: { structuredContent: { args: ['--text=x'] } } });
    expect(JSON.stringify(result)).not.toContain('token');
  });

  it('B3 a setting without a value is named, and nothing runs', async () => {
    const placed = { exec: { command: 'node', args: ['-v'], cwd: '{config.FOLDER}' } };
    expect(await invoke(placed, {}, {}, { FOLDER: 'string' })).toMatchObject({
      ok: false,
      error: { code: 'CONFIG_MISSING', meta: { missing: ['FOLDER'] } },
    });
  });

  it('B6 a program that cannot be started is a sentence for the operator, without a stack', async () => {
    const reported: string[] = [];
    await using registry = await createRegistry(packOf({ exec: { command: 'no-such-program' } }), {
      env: { PATH: process.env['PATH'] },
      report: text => void reported.push(text),
    });
    expect(await registry.invoke('t', {})).toMatchObject({ error: { code: 'UPSTREAM_UNREACHABLE' } });
    expect(reported.join('\n')).toMatch(
      /^t failed \(\w+\): UPSTREAM_UNREACHABLE: the program no-such-program is not installed\ncaused by spawn no-such-program ENOENT$/,
    );
  });

  it('B3 the time limit of the tool ends the program', async () => {
    const slow = { limits: { timeoutMs: 300 }, exec: { command: 'node', args: ['-e', 'setInterval(() => 0, 1000)'] } };
    expect(await invoke(slow, {})).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
  });
});
