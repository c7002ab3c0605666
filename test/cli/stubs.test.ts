// Stubs as an author meets them: they follow the manifest as long as nobody has touched them, and are never touched again after that.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../harness/files.js';
import { linkDependencies, makeAuthorWorld } from './author-world.js';

const world = makeAuthorWorld();
afterAll(() => world.remove());

const base = {
  'toolwright.yaml': '',
  'package.json': '{ "name": "p", "type": "module" }\n',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true }, "include": ["src"] }\n',
};

const read = (pack: string, path: string): string => readFileSync(join(pack, path), 'utf8');

/** `op path` of all handlers that are not kept. */
function handlers(stdout: string): readonly string[] {
  const { operations } = JSON.parse(stdout) as { operations: readonly { op: string; path: string }[] };
  return operations
    .filter(({ op, path }) => op !== 'keep' && path.startsWith('src/'))
    .map(one => `${one.op} ${one.path}`);
}

describe('stubs that nobody touched', () => {
  it('Q3 fix-N2 `add`, an edit of the YAML and `generate` leave a pack without type errors', () => {
    const pack = world.make(base);
    linkDependencies(pack);
    for (const [kind, name] of [
      ['tool', 'add-item'],
      ['resource', 'manual'],
    ] as const)
      expect(world.run(pack, 'add', kind, name).status).toBe(0);
    expect(read(pack, 'src/tools/add-item.ts')).toContain('({ name }, ctx)');
    writeFiles(pack, {
      'mcp/tools/add-item.yaml': 'description: Adds an item\nparameters: { title: string, count: integer }\n',
      'mcp/resources/manual.yaml': 'uri: docs://manual\ndescription: The manual\ntext: Read me.\n',
    });
    const check = world.run(pack, 'generate', '--check', '--format', 'json');
    expect(check.status).toBe(1);
    expect(handlers(check.stdout)).toEqual(['delete src/resources/manual.ts', 'replace src/tools/add-item.ts']);
    const dry = world.run(pack, 'generate', '--dry-run');
    expect(dry.stdout).toContain('replace src/tools/add-item.ts\n');
    expect(dry.stdout).toContain('delete  src/resources/manual.ts\n');
    const { status, stdout } = world.run(pack, 'generate');
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.not.stringContaining('leftover') });
    expect(read(pack, 'src/tools/add-item.ts')).toContain('({ title, count }, ctx)');
    expect(existsSync(join(pack, 'src/resources/manual.ts'))).toBe(false);
    expect(world.run(pack, 'typecheck')).toMatchObject({ status: 0, stderr: '' });
  });

  it('Q3 `generate` never touches a stub that was edited, and says where it is no longer needed', () => {
    const pack = world.make({ ...base, 'mcp/tools/a.yaml': 'description: A\nparameters: { x: string }\n' });
    world.run(pack, 'generate');
    const mine = read(pack, 'src/tools/a.ts').replace('throw ctx.notImplemented();', 'return x;');
    writeFiles(pack, { 'src/tools/a.ts': mine, 'mcp/tools/a.yaml': 'description: A\nparameters: { y: string }\n' });
    for (const flags of [[], ['--force']]) {
      expect(handlers(world.run(pack, 'generate', ...flags, '--format', 'json').stdout)).toEqual([]);
      expect(read(pack, 'src/tools/a.ts')).toBe(mine);
    }
    rmSync(join(pack, 'mcp/tools/a.yaml'));
    expect(world.run(pack, 'generate').stdout).toMatch(/\[generate\/(?:leftover|orphan)-stub\]/);
    expect(read(pack, 'src/tools/a.ts')).toBe(mine);
  });

  it('Q3 `generate` knows a stub again after a checkout with the line ends of Windows, and after `rename`', () => {
    const pack = world.make({
      ...base,
      'mcp/tools/a.yaml': 'title: A\ndescription: Gets\nparameters: { x: string }\n',
    });
    world.run(pack, 'generate');
    for (const path of ['src/tools/a.ts', 'generated/.toolwright.json', 'mcp/tools/a.yaml'])
      writeFiles(pack, { [path]: read(pack, path).replaceAll('\n', '\r\n') });
    expect(handlers(world.run(pack, 'generate', '--check', '--format', 'json').stdout)).toEqual([]);
    writeFiles(pack, { 'mcp/tools/a.yaml': 'description: Gets\r\nparameters: { y: string }\r\n' });
    expect(handlers(world.run(pack, 'generate', '--format', 'json').stdout)).toEqual(['replace src/tools/a.ts']);
    expect(world.run(pack, 'rename', 'tool', 'a', 'b').status).toBe(0);
    expect(read(pack, 'src/tools/b.ts')).toContain('tools.b(async ({ y }, ctx)');
    writeFiles(pack, { 'mcp/tools/b.yaml': 'description: Gets\nparameters: { z: string }\n' });
    expect(handlers(world.run(pack, 'generate', '--format', 'json').stdout)).toEqual(['replace src/tools/b.ts']);
    // A rename by hand is the same as another item.
    writeFiles(pack, { 'mcp/tools/c.yaml': read(pack, 'mcp/tools/b.yaml') });
    rmSync(join(pack, 'mcp/tools/b.yaml'));
    expect(handlers(world.run(pack, 'generate', '--format', 'json').stdout)).toEqual([
      'delete src/tools/b.ts',
      'create src/tools/c.ts',
    ]);
  });

  it('Q3 `generate` renews a module of several handlers only as a whole', () => {
    const tools = (names: readonly string[]): string =>
      names.map(name => `${name}: { description: ${name}, handler: "src/all.ts#${name}" }\n`).join('');
    const pack = world.make({ ...base, 'mcp/tools.yaml': tools(['a', 'b']) });
    world.run(pack, 'generate');
    writeFiles(pack, { 'mcp/tools.yaml': tools(['a', 'b', 'c']) });
    world.run(pack, 'generate');
    expect(read(pack, 'src/all.ts')).toContain('export const c = tools.c(');
    const mine = read(pack, 'src/all.ts').replace('throw ctx.notImplemented();', "return 'a';");
    writeFiles(pack, { 'src/all.ts': mine, 'mcp/tools.yaml': tools(['a', 'b', 'c', 'd']) });
    const { status, stdout } = world.run(pack, 'generate');
    expect({ status, stdout }).toMatchObject({ status: 1, stdout: expect.stringContaining('generate/missing-export') });
    expect(read(pack, 'src/all.ts')).toBe(mine);
  });
});

describe('stubs of other functions', () => {
  const files = {
    ...base,
    'toolwright.yaml': 'context: src/context.ts#create\n',
    'mcp/servers/main.yaml': 'description: The server\ninitialize: src/ready.ts\n',
    'mcp/prompts/triage.yaml':
      'description: Triage\narguments: { key: { required: true, complete: "src/complete.ts#keys" } }\ntext: Look at {{key}}.\n',
    'mcp/resources/issue.yaml':
      'uriTemplate: jira://issue/{key}\ndescription: An issue\ntext: An issue.\ncomplete: { key: "src/complete.ts#keys" }\n',
  };

  it('Q3 fix-N20 `generate` writes a typed stub for every function that a manifest names', () => {
    const pack = world.make(files);
    linkDependencies(pack);
    const { status, stdout } = world.run(pack, 'generate');
    expect({ status, stdout }).toMatchObject({ status: 0 });
    for (const path of ['complete', 'context', 'ready']) expect(stdout).toContain(`create  src/${path}.ts\n`);
    expect(world.run(pack, 'typecheck')).toMatchObject({ status: 0 });
    // The types say what each function is given.
    writeFiles(pack, {
      'src/complete.ts': `import type { Completion_Context } from '../generated/index.js';
export async function keys(typed: string, { app, arguments: others, wrong }: Completion_Context) {
  return [typed, others.project ?? '', ...Object.keys(app)];
}
`,
    });
    const wrong = world.run(pack, 'typecheck').stdout;
    expect(wrong).toContain("Property 'wrong' does not exist on type 'Completion_Context'");
    expect(wrong.match(/^src\S+ error /gm)).toHaveLength(1);
  });

  it('fix-N20 `generate` does not advise to run `generate`, and what advises it is right', () => {
    const named = (path: string) => ({
      ...files,
      'mcp/resources/issue.yaml': `uriTemplate: jira://issue/{key}\ntext: An issue.\ncomplete: { key: "${path}" }\n`,
    });
    const pack = world.make(named('generated/complete.ts#keys'));
    const { status, stdout } = world.run(pack, 'generate');
    expect({ status, stdout }).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('[generate/missing-handler]'),
    });
    expect(stdout).toContain('hint: write it, or correct the path in the manifest');
    expect(stdout).not.toMatch(/hint:.*generate/);
    const later = world.make(named('src/later.ts#keys'));
    const check = world.run(later, 'generate', '--check').stdout;
    expect(check).toContain('hint: toolwright generate writes a stub');
    expect(world.run(later, 'generate').status).toBe(0);
  });
});

describe('handlers that are not where the manifest says', () => {
  const written = "import { tools } from '../../generated/index.js';\nexport default tools.giveWater(() => 'x');\n";
  const start = () => {
    const pack = world.make({ ...base, 'mcp/tools/give-water.yaml': 'description: G\n' });
    world.run(pack, 'generate');
    writeFiles(pack, { 'src/tools/give-water.ts': written });
    return pack;
  };

  it('P12 a slip in `handler` of a written tool is a mistake: no stub is written, and nothing is to be deleted', () => {
    const pack = start();
    writeFiles(pack, { 'mcp/tools/give-water.yaml': 'description: G\nhandler: src/tools/givewater.ts\n' });
    const { status, stdout } = world.run(pack, 'generate');
    expect(status).toBe(1);
    expect(stdout).toContain('did you mean "src/tools/give-water.ts"?');
    expect(stdout).not.toContain('leftover');
    expect(existsSync(join(pack, 'src/tools/givewater.ts'))).toBe(false);
    expect(read(pack, 'src/tools/give-water.ts')).toBe(written);
  });

  it('P12 a written handler whose item names another module is unused, not one of an item that is gone', () => {
    const pack = start();
    writeFiles(pack, { 'mcp/tools/give-water.yaml': 'description: G\nhandler: src/other/pour.ts\n' });
    const { status, stdout } = world.run(pack, 'generate');
    expect(status).toBe(0);
    expect(stdout).toContain(
      '"src/tools/give-water.ts" is not used: the handler of the tool "give-water" is "src/other/pour.ts"',
    );
    expect(stdout).not.toContain('delete the file');
  });

  it('P15 the hint for a missing handler never names the handler of another tool, and --check says what it would do', () => {
    const pack = world.make({
      ...base,
      'mcp/tools/add-plant.yaml': 'description: A\n',
      'mcp/tools/add-plans.yaml': 'description: B\n',
    });
    world.run(pack, 'generate');
    rmSync(join(pack, 'src/tools/add-plans.ts'));
    const { stdout } = world.run(pack, 'generate', '--check');
    expect(stdout).toContain('toolwright generate writes a stub');
    expect(stdout).not.toContain('did you mean');
    expect(stdout).toContain('would create  src/tools/add-plans.ts\n');
  });
});

it('P2 `required` as a list of the tool itself is explained', () => {
  const pack = world.make({
    ...base,
    'mcp/tools/a.yaml': 'description: A\nrequired: [x]\nparameters: { x: string }\n',
  });
  const { status, stdout } = world.run(pack, 'check');
  expect(status).toBe(1);
  expect(stdout).toContain('[validate/required-list]');
  expect(stdout).toContain('write `required: false` on each optional one');
  expect(stdout).not.toContain('requires');
});
