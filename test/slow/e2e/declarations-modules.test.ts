// fix-F15: generated declarations compile in ES module and CommonJS packages, with every module setting of both compilers.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toolwright, writePack } from '../../harness/build-pack.js';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-modules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const require = createRequire(import.meta.url);
const compilers = {
  'TypeScript 5.9': require.resolve('typescript/bin/tsc'),
  'TypeScript 7': join(dirname(require.resolve('typescript7/package.json')), 'bin/tsc'),
};

/** An ES module in a package of either format: its types too are those of an ES module. */
const context = `export const create = ({ config }: { readonly config: { readonly LIMIT: number } }) => ({ limit: config.LIMIT });
`;
const files = {
  'toolwright.yaml': 'context: src/context.mts#create\nconfig: { LIMIT: { type: integer, default: 5 } }\n',
  'mcp/servers/s.yaml': 'title: S\n',
  'mcp/tools/get-issue.yaml': `description: Get an issue.
parameters: { issueKey: string }
output: { title: string }
errors: { GONE: { message: "No {{issueKey}}" } }
options: { size: { type: integer, default: 1 } }
`,
  'mcp/tools/any.yaml': 'description: Anything.\n',
  'mcp/prompts/ask.yaml': 'description: Ask.\narguments: { a: { required: true } }\n',
  'mcp/resources/one.yaml': 'description: One.\nuriTemplate: a://{id}\n',
  'src/globals.d.ts': 'interface AbortSignal { readonly aborted: boolean }\n',
  'src/context.mts': context,
  'src/tools/get-issue.ts': `import { tools } from '../../generated/index.js';
export default tools.getIssue(async ({ issueKey }, ctx) => {
  if (issueKey === '') throw ctx.errors.GONE();
  const title: string = issueKey + ctx.app.limit + ctx.options.size + ctx.tool.item;
  return { content: [{ type: 'text', text: title }], structuredContent: { title } };
});
`,
  'src/tools/any.ts': `import { tools } from '../../generated/index.js';
export default tools.any(() => 'x');
`,
  'src/prompts/ask.ts': `import { prompts } from '../../generated/index.js';
export default prompts.ask(({ a }) => a);
`,
  'src/resources/one.ts': `import { resources, type GetIssueOutput } from '../../generated/index.js';
export const shown = ({ title }: GetIssueOutput): string => title;
export default resources.one(({ id }) => id);
`,
};

const settings = [
  { module: 'node16' },
  { module: 'node18' },
  { module: 'node20' },
  { module: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'preserve', moduleResolution: 'bundler' },
] as const;

const packs = (['module', 'commonjs'] as const).map(type => {
  const where = writePack(join(folder, type), {
    ...files,
    'package.json': JSON.stringify({ name: 'p', version: '1.0.0', type }),
    'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', strict: true } }),
  });
  return { type, where, generated: toolwright(where, 'generate') };
});

/** What the compiler prints, also where it fails. */
function compile(bin: string, where: string, options: object): string {
  const project = join(where, 'tsconfig.test.json');
  // Without the DOM, which takes most of the time to check.
  const compilerOptions = { target: 'es2022', lib: ['es2022'], strict: true, noEmit: true, types: [], ...options };
  writeFileSync(project, JSON.stringify({ compilerOptions, include: ['src', 'generated/*.d.ts'] }));
  try {
    return execFileSync(process.execPath, [bin, '--project', project], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout);
  }
}

describe.each(packs)('fix-F15 P16 declarations in a package of type $type', ({ where, generated }) => {
  it('`generate` declares modules for such a package', () => {
    expect(generated).toMatchObject({ status: 0, stderr: '' });
    for (const kind of ['tools', 'prompts', 'resources'])
      expect(readFileSync(join(where, `generated/${kind}.d.ts`), 'utf8')).toContain("'resolution-mode': 'import'");
  });

  for (const [compiler, bin] of Object.entries(compilers)) {
    it.each(settings)(`the declarations compile under ${compiler} with $module $moduleResolution`, setting => {
      expect(compile(bin, where, { ...setting, skipLibCheck: false })).toBe('');
    });
  }

  // It only ever leaves out mistakes: one compiler is enough.
  it.each(settings)('the declarations compile with skipLibCheck, $module $moduleResolution', setting => {
    expect(compile(compilers['TypeScript 7'], where, { ...setting, skipLibCheck: true })).toBe('');
  });
});
