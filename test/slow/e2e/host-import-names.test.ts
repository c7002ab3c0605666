// Names of modules that Node does not take as the author wrote them: what is wrong, in one line, and what to write.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostBench, openHostBench } from '../../harness/host-child.js';

let bench: HostBench;
beforeAll(async () => {
  bench = await openHostBench('host-import-names');
});
afterAll(() => bench.remove());

const files = {
  'package.json': '{"type": "module"}',
  'tsconfig.json': '{"compilerOptions": {"module": "NodeNext"}}',
  'mcp/tools/a.yaml': 'description: A\n',
  'generated/index.js': 'export const x = 1;\n',
  'src/one.ts': 'export const x = 1;\n',
  'src/lib/index.ts': 'export const x = 1;\n',
  'src/nothing/other.txt': '',
};
const call = `
const { host, program } = open(pack);
print(await outcome(host.load(program.tools[0].handler)));
`;
let count = 0;

function importing(name: string, handler = 'src/tools/a.ts'): unknown {
  count += 1;
  const text = `import { x } from '${name}';\nexport default () => x;\n`;
  return bench.run(bench.pack(`pack-${count}`, { ...files, [handler]: text }), call);
}

describe('P15 imports by incomplete names', () => {
  it.each([
    ['../../generated', 'is a folder', '../../generated/index.js'],
    ['../../generated/', 'is a folder', '../../generated/index.js'],
    ['../../generated/index.ts', 'does not exist', '../../generated/index.js'],
    ['../../generated/index', 'does not exist', '../../generated/index.js'],
    ['../one', 'does not exist', '../one.js'],
    ['../lib', 'is a folder', '../lib/index.js'],
  ])('importing %s is reported, because it %s', (name, wrong, right) => {
    const message = `"src/tools/a.ts" cannot be imported: it imports "${name.replace(/\/$/, '')}", which ${wrong}`;
    expect(importing(name)).toMatchObject({
      code: 'generate/unimportable',
      message,
      hint: `write '${right}'`,
      text: `src/tools/a.ts:1:1: ${message} [generate/unimportable]\n  hint: write '${right}'`,
    });
  });

  it('an incomplete name is reported in JavaScript too, without a hint if nothing would be right', () => {
    expect(importing('../../generated', 'src/tools/a.js')).toMatchObject({
      message: '"src/tools/a.js" cannot be imported: it imports "../../generated", which is a folder',
      hint: "write '../../generated/index.js'",
    });
    const nothing = importing('../nothing');
    expect(nothing).toMatchObject({
      message: '"src/tools/a.ts" cannot be imported: it imports "../nothing", which is a folder',
    });
    expect(nothing).not.toHaveProperty('hint');
    expect(importing('../absent.ts')).not.toHaveProperty('hint');
  });
});
