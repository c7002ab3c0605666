// X6: errors of libraries become declared errors by their codes, and texts of errors are filled in.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../runtime/call/tool-error.js';
import { type Handler, type Kit, type KitOptions, makeKit } from './call-kit.js';

const fails = (errors: string, thrown: unknown, options: KitOptions = {}): Kit =>
  makeKit(`description: d\nparameters: { path: { type: string, default: a.txt } }\nerrors: ${errors}`, {
    handler: () => {
      throw thrown;
    },
    ...options,
  });
const coded = (code: unknown, message = 'it failed', more: object = {}): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code }, more);

describe('fix-P6 X6 `match` of errors', () => {
  const file = '{ FILE_ERROR: { match: [ENOENT, EACCES], message: "{{error.code}}: {{error.message}} ({{path}})" } }';

  it('an error of a library becomes the declared error, and its cause is on stderr with an id', async () => {
    const handler: Handler = async ({ path }) => await readFile(String(path));
    const kit = fails(file, undefined, { handler });
    const error = await kit.fail({ path: '/nowhere/at/all' });
    expect(error).toMatchObject({ code: 'FILE_ERROR', status: 400, is_retryable: false, suggested_fix: null });
    expect(error.message).toBe("ENOENT: ENOENT: no such file or directory, open '/nowhere/at/all' (/nowhere/at/all)");
    const { id } = error.meta as { id: string };
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(kit.reports).toHaveLength(1);
    expect(kit.reports[0]).toContain(`t failed (${id}): FILE_ERROR: ENOENT: ENOENT: no such file`);
    expect(kit.reports[0]).toContain('caused by Error: ENOENT');
  });

  it('the message of an error may name the status that was matched', async () => {
    const errors = '{ UPSTREAM: { match: [5xx], message: "It answered {{error.status}} ({{error.code}})" } }';
    expect(await fails(errors, coded('E_UP', 'no', { status: 502 })).fail()).toMatchObject({
      message: 'It answered 502 (E_UP)',
      status: 502,
    });
    expect(await fails(errors, coded(undefined, 'no', { status: 503 })).fail()).toMatchObject({
      message: 'It answered 503 (503)',
    });
  });

  it.each([
    ['{ GONE: { match: [ENOENT], message: m, retryable: true } }', 503],
    ['{ GONE: { match: [ENOENT], message: m, retryable: true, status: 429 } }', 429],
    ['{ GONE: { match: [ENOENT], message: m, retryable: false } }', 400],
    ['{ GONE: { match: [ENOENT], message: m } }', 400],
  ])('an error that may succeed later is not a mistake of the caller: %s', async (errors, status) => {
    expect(await fails(errors, coded('ENOENT')).fail()).toMatchObject({ code: 'GONE', status });
  });

  it.each([
    ['another code', coded('EPERM')],
    ['no code', coded(undefined)],
    ['an empty code', coded('')],
    ['a code in other letters', coded('enoent')],
    ['a text', 'ENOENT'],
    ['nothing', undefined],
    ['a proxy', new Proxy(coded('ENOENT'), {})],
    ['a symbol as code', Object.assign(new Error('x'), { code: Symbol('ENOENT') })],
    [
      'a code that cannot become a number',
      Object.assign(new Error('x'), {
        code: {
          valueOf() {
            throw new Error('no');
          },
        },
      }),
    ],
    [
      'a getter that throws',
      Object.defineProperty(new Error('x'), 'code', {
        get: () => {
          throw new Error('no');
        },
      }),
    ],
  ])('%s stays an unexpected error and hidden', async (_name, thrown) => {
    const kit = fails(file, thrown);
    const error = await kit.fail();
    expect(error.code).toBe('UNEXPECTED_ERROR');
    expect(error.message).toMatch(/^t failed \([0-9a-f]{8}\)$/);
    expect(kit.reports[0]).toContain(error.message);
  });

  it('a ToolError is never matched', async () => {
    expect((await fails(file, new ToolError('mine', { code: 'ENOENT' })).fail()).message).toBe('mine');
  });

  it('objects that are not errors, returned errors and causes of errors without a code are matched', async () => {
    expect((await fails(file, { code: 'ENOENT', message: 'x' }).fail()).code).toBe('FILE_ERROR');
    expect((await fails(file, undefined, { handler: () => coded('EACCES') }).fail()).code).toBe('FILE_ERROR');
    expect((await fails(file, undefined, { handler: async () => Promise.reject(coded('EACCES')) }).fail()).code).toBe(
      'FILE_ERROR',
    );
    const wrapped = new TypeError('fetch failed', { cause: coded('ENOENT', 'inner') });
    expect((await fails(file, wrapped).fail()).message).toBe('ENOENT: inner (a.txt)');
    const other = Object.assign(new Error('outer', { cause: coded('ENOENT') }), { code: 'OTHER' });
    expect((await fails(file, other).fail()).code).toBe('UNEXPECTED_ERROR');
    const circle = new Error('round');
    circle.cause = circle;
    expect((await fails(file, circle).fail()).code).toBe('UNEXPECTED_ERROR');
  });

  it.each([
    ['a number', '[404]', coded(404), 404],
    ['a number in quotes', '["404"]', coded(404), 404],
    ['a status', '[404]', coded(undefined, 'x', { status: 404 }), 404],
    ['a status beside another code', '[404]', coded('NotFound', 'x', { status: 404 }), 404],
    ['a class of statuses', '[5xx]', coded(undefined, 'x', { status: 503 }), 503],
    ['a class as a code', '[5XX]', coded(500), 500],
    ['an exit code', '[2]', coded(2), 400],
    ['a status that is no code', '[1000]', coded(1000), 400],
    ['a negative number', '[-32000]', coded(-32000), 400],
  ])('%s is matched, and its status is used unless another is declared', async (_name, match, thrown, status) => {
    const kit = fails(`{ X: { match: ${match}, message: m } }`, thrown);
    expect(await kit.fail()).toMatchObject({ code: 'X', status });
    const declared = fails(`{ X: { match: ${match}, message: m, status: 418, retryable: true } }`, thrown);
    expect(await declared.fail()).toMatchObject({ status: 418, is_retryable: true });
  });

  it.each([
    ['[404]', coded(undefined, 'x', { status: '404 Not Found' })],
    ['[5xx]', coded(undefined, 'x', { status: 600 })],
    ['[5xx]', coded('5')],
    ['[404]', coded(undefined, 'x', { status: 403 })],
    ['[2]', coded(undefined, 'x', { status: 2 })],
  ])('%s does not match by chance', async (match, thrown) => {
    expect((await fails(`{ X: { match: ${match}, message: m } }`, thrown).fail()).code).toBe('UNEXPECTED_ERROR');
  });

  it('the first match in the order written wins', async () => {
    const errors =
      '{ NONE: { match: [404], message: none }, CLIENT: { match: [4xx], message: client }, ANY: { match: [404, 500], message: any } }';
    expect((await fails(errors, coded(404)).fail()).code).toBe('NONE');
    expect((await fails(errors, coded(410)).fail()).code).toBe('CLIENT');
    expect((await fails(errors, coded(500)).fail()).code).toBe('ANY');
  });

  it('secrets of the pack are redacted in matched errors', async () => {
    const options = { manifest: 'config: { TOKEN: { type: string, secret: true } }', env: { TOKEN: 'hunter22' } };
    const kit = fails(file, coded('ENOENT', 'no hunter22'), options);
    expect((await kit.fail()).message).toBe('ENOENT: no [secret TOKEN] (a.txt)');
    expect(kit.reports.join()).not.toContain('hunter22');
  });

  it('only what the handler throws is matched, not what is loaded before it', async () => {
    const host = {
      app: async () => {
        throw coded('ENOENT');
      },
    };
    expect((await fails(file, undefined, { host, manifest: 'context: src/c.ts' }).fail()).code).toBe(
      'UNEXPECTED_ERROR',
    );
  });
});

describe('X6 texts of errors', () => {
  const errors = '{ NONE: { message: "No {{path}}", suggestedFix: "Call {{tool:t}} without {{path}}" } }';
  const throwing =
    (make: (create: (...given: never[]) => Error) => Error): Handler =>
    (_args, ctx) => {
      throw make(Object(ctx.errors).NONE);
    };

  it('a factory fills arguments into the texts of an error', async () => {
    const { message, suggested_fix } = await fails(errors, undefined, { handler: throwing(none => none()) }).fail({
      path: '{{x}}',
    });
    expect([message, suggested_fix]).toEqual(['No {{x}}', 'Call wire-t without {{x}}']);
  });

  it('a message of the handler itself is not filled in', async () => {
    const handler = throwing(none => none('Mine: {{path}}' as never, { suggestedFix: '{{path}} {{tool:t}}' } as never));
    const { message, suggested_fix } = await fails(errors, undefined, { handler }).fail();
    expect([message, suggested_fix]).toEqual(['Mine: {{path}}', '{{path}} wire-t']);
  });

  it('{{error.message}} is the message of the caught error, else the code', async () => {
    const caught = '{ NONE: { message: "{{error.message}}" } }';
    const given = fails(caught, undefined, { handler: throwing(none => none(coded('X', 'the reason') as never)) });
    expect((await given.fail()).message).toBe('the reason');
    expect((await fails(caught, undefined, { handler: throwing(none => none()) }).fail()).message).toBe('NONE');
  });

  it('calls at the same time use their own arguments', async () => {
    const handler: Handler = async (args, ctx) => {
      await new Promise(resolve => setTimeout(resolve, args['path'] === 'a' ? 20 : 1));
      throw Object(ctx.errors).NONE();
    };
    const kit = fails(errors, undefined, { handler });
    const all = await Promise.all([kit.fail({ path: 'a' }), kit.fail({ path: 'b' })]);
    expect(all.map(({ message }) => message)).toEqual(['No a', 'No b']);
  });
});
