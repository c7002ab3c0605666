// A pack that runs: shared context, initialize, validators, configuration, shutdown.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printValidators } from '../../../generator/compile/validators/print.js';
import { load } from '../../../runtime/load/load.js';
import { type HostBench, openHostBench } from '../../harness/host-child.js';

let bench: HostBench;
beforeAll(async () => {
  bench = await openHostBench('host-pack');
});
afterAll(() => bench.remove());

const esm = { 'package.json': '{"name": "demo", "type": "module"}', 'mcp/tools/a.yaml': 'description: A\n' };
const head = `
globalThis.log = [];
const { host, program, reports, startServer, startTools, problems } = open(pack, globalThis.options ?? {});
const [tool] = program.tools;
`;

describe('the shared context', () => {
  const pack = (name: string, context: string, yaml = 'context: src/context.js#create\n'): string =>
    bench.pack(name, { ...esm, 'toolwright.yaml': yaml, 'src/context.js': context });

  it('M33 W61b the context is built on first use, once for calls at the same time, with config and log', () => {
    const path = pack(
      'app',
      `export async function create({ config, log, signal }) {
  globalThis.log.push('built');
  log.info('connecting', { to: config.PLACE });
  await new Promise(done => setTimeout(done, 20));
  return { place: config.PLACE, aborted: () => signal.aborted };
}`,
      'context: src/context.js#create\nconfig:\n  PLACE: { type: string, default: here }\n',
    );
    const code = `${head}
const before = [...log];
const apps = await Promise.all([host.app(), host.app(), host.app()]);
print([before, log, apps[0] === apps[2], apps[0].place, await host.app() === apps[0], reports, apps[0].aborted()]);
await host.close();
print(apps[0].aborted());
`;
    expect(bench.run(path, code)).toEqual([
      [[], ['built'], true, 'here', true, ['info: connecting {"to":"here"}'], false],
      true,
    ]);
    expect(bench.run(bench.pack('no-app', esm), `${head} print([(await host.app()) ?? 'nothing']);`)).toEqual([
      'nothing',
    ]);
  });

  it('M33 a context that fails is built again on the next call, and callers that waited share the failure', () => {
    const path = pack(
      'app-fails',
      'let count = 0;\nexport function create() { globalThis.log.push(++count); if (count < 2) throw new Error("down"); return count; }',
    );
    const code = `${head}
const first = await Promise.all([outcome(host.app()), outcome(host.app())]);
print([first.map(({ message }) => message), await host.app(), log]);
`;
    expect(bench.run(path, code)).toEqual([['down', 'down'], 2, [1, 2]]);
  });

  it('M33 a context is disposed of at the end in every way that JavaScript has, and only if it was built', () => {
    const ways = {
      method: 'export const create = () => ({ dispose() { globalThis.log.push("method", this.x); }, x: 1 });',
      symbol:
        'export const create = () => ({ async [Symbol.asyncDispose]() { globalThis.log.push("async"); }, dispose() { globalThis.log.push("twice"); } });',
      sync: 'export const create = () => ({ [Symbol.dispose]() { globalThis.log.push("sync"); } });',
      exported:
        'export const create = () => 7;\nexport const dispose = async app => { globalThis.log.push("exported", app); };',
      none: 'export const create = () => null;',
    };
    const found = Object.entries(ways).map(([name, text]) => {
      const path = pack(`dispose-${name}`, text);
      return bench.run(
        path,
        `${head} await host.app(); await host.close(); await host.close(); print([...log, ...reports]);`,
      );
    });
    expect(found).toEqual([['method', 1], ['async'], ['sync'], ['exported', 7], []]);
    const unused = pack('dispose-unused', `globalThis.log.push('imported'); ${ways.method}`);
    expect(bench.run(unused, `${head} await host.close(); print([log, (await outcome(host.app())).message]);`)).toEqual(
      [[], 'the server is shutting down'],
    );
  });

  it('M33 a half-built context is disposed of too, and a dispose that fails is only reported', () => {
    const path = pack(
      'dispose-late',
      'export const create = async () => { await new Promise(done => setTimeout(done, 20)); return { dispose() { globalThis.log.push("late"); throw new Error("stuck"); } }; };',
    );
    const code = `${head} const building = host.app(); await host.close(); print([log, reports, typeof await building]);`;
    expect(bench.run(path, code)).toEqual([
      ['late'],
      ['the context for demo was not disposed of: Error: stuck'],
      'object',
    ]);
  });

  it('M33 tests may pass a context of their own and keep it', () => {
    const path = pack('app-own', 'export const create = () => { throw new Error("never"); };');
    const code = `globalThis.options = { app: { own: true, dispose() { globalThis.log.push('disposed'); } } }; ${head}
print([(await host.app()).own]); await host.close(); print(log);`;
    expect(bench.run(path, code)).toEqual([[true], []]);
  });

  it('M33 a context that is missing or not a function is reported', () => {
    const missing = bench.pack('app-missing', { ...esm, 'toolwright.yaml': 'context: src/context.ts#create\n' });
    expect(bench.run(missing, `${head} print(await outcome(host.app()));`)).toMatchObject({
      code: 'generate/missing-handler',
      message: 'The pack\'s context is missing: "src/context.ts" does not exist',
      at: 'toolwright.yaml:1:10',
    });
    expect(
      bench.run(pack('app-value', 'export const create = {};'), `${head} print(await outcome(host.app()));`),
    ).toMatchObject({
      code: 'generate/missing-export',
      hint: 'it is an object, not a function; it exports no function',
    });
  });
});

describe('initialize', () => {
  const files = {
    ...esm,
    'toolwright.yaml': 'context: src/context.js\n',
    'src/context.js': 'export default () => { globalThis.log.push("app"); return { x: 1 }; };',
  };

  it('W62 initialize runs once for calls at the same time, and again after a failure', () => {
    const path = bench.pack('init', {
      ...files,
      'mcp/tools/a.yaml': 'description: A\ninitialize: src/init.js#connect\n',
      'src/init.js':
        'let count = 0;\nexport async function connect({ app, config }) { count++; globalThis.log.push(`connect ${count} ${app.x} ${typeof config}`); await null; if (count === 1) throw new Error("refused"); }',
    });
    const code = `${head}
const first = await Promise.all([outcome(host.initialize(tool)), outcome(host.initialize(tool))]);
await Promise.all([host.initialize(tool), host.initialize(tool)]);
await host.initialize(tool);
print([first.map(({ message }) => message), log]);`;
    expect(bench.run(path, code)).toEqual([
      ['refused', 'refused'],
      ['app', 'connect 1 1 object', 'connect 2 1 object'],
    ]);
  });

  it('W62 a tool without initialize needs nothing, and a function without parameters builds no context', () => {
    const path = bench.pack('init-plain', {
      ...files,
      'mcp/tools/a.yaml': 'description: A\ninitialize: {handler: src/init.js}\n',
      'mcp/tools/b.yaml': 'description: B\n',
      'src/init.js': 'export default () => { globalThis.log.push("plain"); };',
    });
    const code = `${head} for (const one of program.tools) await host.initialize(one); print(log);`;
    expect(bench.run(path, code)).toEqual(['plain']);
  });

  it('W60 tools that ask for it are initialized at start, and a failure is reported and retried by the first call', () => {
    const init = (name: string, when: string): string =>
      `description: x\ninitialize: {handler: src/init.js#${name}, when: ${when}}\n`;
    const path = bench.pack('init-start', {
      ...files,
      'mcp/tools/a.yaml': init('early', 'start'),
      'mcp/tools/b.yaml': init('late', 'first-call'),
      'mcp/tools/c.yaml': init('broken', 'start'),
      'mcp/tools/d.yaml': init('missing', 'start'),
      'src/init.js':
        'let tries = 0;\nconst say = text => () => { globalThis.log.push(text); };\nexport const early = say("early");\nexport const late = say("late");\nexport const broken = () => { if (tries++ === 0) throw new Error("not yet"); globalThis.log.push("broken works"); };',
    });
    const code = `${head} await startTools(program.tools); print([log, reports]); log.length = 0;
await host.initialize(program.tools[0]); await host.initialize(program.tools[2]); print(log);`;
    expect(bench.run(path, code)).toEqual([
      [
        ['early'],
        [
          'initialize for the tool c in demo failed: Error: not yet',
          expect.stringMatching(
            /^initialize for the tool d in demo failed: src\/init\.js:1:1: "src\/init\.js" does not export "missing" \[generate\/missing-export\]\n {2}hint: it exports broken, early, late$/,
          ),
        ],
      ],
      ['broken works'],
    ]);
  });

  it('W63 a failing initialize of a server throws what it threw', () => {
    const path = bench.pack('init-server', {
      ...files,
      'mcp/servers/s.yaml': 'initialize: src/init.js#fail\n',
      'mcp/servers/t.yaml': 'description: none\n',
      'src/init.js': 'export const fail = async ctx => { throw new RangeError(`no licence, app ${ctx.app.x}`); };',
    });
    const code = `${head} print([await outcome(startServer(program.servers[0])), (await startServer(program.servers[1])) ?? 'fine']);`;
    expect(bench.run(path, code)).toMatchObject([{ name: 'RangeError', message: 'no licence, app 1' }, 'fine']);
  });
});

describe('configuration', () => {
  it('M33 values of the environment reach the context, wrong ones are all reported, and secrets stay out of reports', () => {
    const path = bench.pack('config', {
      ...esm,
      'toolwright.yaml':
        'context: src/context.js\nconfig:\n  TOKEN: { type: string, secret: true }\n  PORT: { type: integer }\n  DEBUG: { type: boolean }\n',
      'src/context.js':
        'export default ({ config, log }) => { log.warning(`token ${config.TOKEN}`); return { dispose() { throw new Error(config.TOKEN); } }; };',
    });
    const good = `globalThis.options = { env: { TOKEN: 'hunter22-secret', PORT: '80' } }; ${head} await host.app(); await host.close(); print([host.settings.values.PORT, problems.length, reports]);`;
    const [port, count, reports] = bench.run(path, good) as [number, number, string[]];
    expect([port, count, reports.length]).toEqual([80, 0, 2]);
    expect(reports.join()).not.toContain('hunter22');
    const bad = `globalThis.options = { env: { PORT: 'eighty', DEBUG: 'perhaps' } }; ${head} print(problems.map(({ code, line }) => [code, line]));`;
    expect(bench.run(path, bad)).toEqual([
      ['config/wrong-type', 4],
      ['config/wrong-type', 5],
    ]);
  });
});

describe('validators', () => {
  const definition =
    'description: A\nparameters:\n  name: { type: string, maxLength: 3 }\n  size: { type: integer, default: 2 }\noutput:\n  ok: boolean\n';
  const ask = `${head}
const { input, output } = await host.validators(tool);
const args = { name: '😀😀😀' };
print([input(args), args, input({ name: 'long!' }), input.errors?.[0]?.keyword, output({ ok: 1 }), (await host.validators(tool)).input === input, String(input).includes('stale') || globalThis.generatedRan === true]);
`;
  const generated = async (path: string): Promise<string> => {
    const [tool] = load(path).program?.tools ?? [];
    if (tool === undefined) throw new Error('no tool');
    return printValidators(tool);
  };

  it('P20 generated validators run if they belong to this definition, without hooks and a copy of toolwright', async () => {
    const path = bench.pack('validators', { ...esm, 'mcp/tools/a.yaml': definition });
    const text = await generated(path);
    expect(text).toContain("from 'toolwright/support'");
    bench.pack('validators', { 'generated/tools/a.mjs': `${text}globalThis.generatedRan = true;\n` });
    const expected = [true, { name: '😀😀😀', size: 2 }, false, 'maxLength', false, true];
    expect(bench.run(path, ask, ['--disallow-code-generation-from-strings'])).toEqual([...expected, true]);
    bench.pack('app/node_modules/validators', {
      ...esm,
      'mcp/tools/a.yaml': definition,
      'generated/tools/a.mjs': `${text}globalThis.generatedRan = true;\n`,
    });
    expect(bench.run(join(bench.folder, 'app/node_modules/validators'), ask)).toEqual([...expected, true]);
  });

  it('P20 a stale, broken or absent validator module is never run, and validators are made of the definition', async () => {
    const path = bench.pack('stale', {
      ...esm,
      'mcp/tools/a.yaml': definition.replace('maxLength: 3', 'maxLength: 99'),
    });
    const text = await generated(path);
    const expected = [true, { name: '😀😀😀', size: 2 }, false, 'maxLength', false, true, false];
    bench.pack('stale', {
      'mcp/tools/a.yaml': definition,
      'generated/tools/a.mjs': `${text}globalThis.generatedRan = true;\n`,
    });
    expect(bench.run(path, ask)).toEqual(expected);
    const fresh = await generated(path);
    for (const broken of [
      '',
      'export const hash = 1;',
      fresh.replaceAll('validateInput', 'validateNothing'),
      `${fresh}(`,
    ]) {
      bench.pack('stale', { 'generated/tools/a.mjs': broken });
      expect(bench.run(path, ask)).toEqual(expected);
    }
  });

  it('P20 a call without eval and generated validators says what to do about an unusual schema', () => {
    const run = (path: string) =>
      bench.run(path, `${head} print(await outcome(host.validators(tool)));`, [
        '--disallow-code-generation-from-strings',
      ]);
    const unusual = `${definition}inputSchema: { type: object, minContains: 1, properties: { a: { contains: {} } } }\n`;
    const raw = unusual.replace(/parameters:\n(?: {2}.*\n)+/, '');
    expect(run(bench.pack('no-eval', { ...esm, 'mcp/tools/a.yaml': raw }))).toMatchObject({ code: 'NEEDS_GENERATE' });
    const common = bench.pack('no-eval-common', { ...esm, 'mcp/tools/a.yaml': definition });
    const expected = [true, { name: '😀😀😀', size: 2 }, false, 'maxLength', false, true, false];
    expect(bench.run(common, ask, ['--disallow-code-generation-from-strings'])).toEqual(expected);
  });
});

it('M33 the jira example runs its context, handlers and completion from TypeScript', () => {
  const example = fileURLToPath(new URL('../../../examples/jira', import.meta.url));
  cpSync(example, join(bench.folder, 'jira'), { recursive: true });
  const code = `${head}
const app = await host.app();
const { handler } = program.tools.find(({ item }) => item === 'get-issue');
const run = await host.load(handler);
const issue = await run({ issueKey: app.all()[0].key }, { app, config: host.settings.values, errors: {} });
await host.close();
print([issue.url.startsWith('https://acme.example/browse/'), app.all().length]);
`;
  expect(bench.run(join(bench.folder, 'jira'), code)).toEqual([true, 0]);
});

it('P21 a process with TypeScript handlers ends by itself', () => {
  const path = bench.pack('ends', { ...esm, 'src/tools/a.ts': 'export default (): number => 1;' });
  const code = `${head} await host.load(tool.handler); print('done');`;
  // The bench waits for the end, and for every child that holds the pipe.
  expect(bench.run(path, code)).toBe('done');
});
