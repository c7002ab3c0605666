// What type checking costs: 200 tools as generated here against the same tools with zod on the SDK, above an empty project
// and above the same handlers without any types, which is what one file for each handler costs by itself.
// In: a pack that was generated, its schemas, and where zod and the SDK are. Out: seconds and instantiations of each, by compiler.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** TypeScript 7 is native; of 5.9 most of a small project's time is JavaScript that runs for the first time. */
const compilers = {
  'TypeScript 7': join(root, 'node_modules/typescript7/bin/tsc'),
  'TypeScript 5.9': join(root, 'node_modules/typescript/bin/tsc'),
};
const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

export function measureTypes({ folder, pack, tools, sdk, rounds }) {
  const empty = project(join(folder, 'empty'), { 'src/nothing.ts': 'export {};\n' });
  mkdirSync(join(pack, 'node_modules'), { recursive: true });
  symlinkSync(root, join(pack, 'node_modules/toolwright'), 'junction');
  const projects = [
    ['empty', empty],
    ['handlers', untypedProject(join(folder, 'handlers'), pack)],
    ['ours', project(pack, {})],
    ...(sdk === undefined ? [] : [['zod', zodProject(join(sdk, 'project'), tools)]]),
  ];
  const results = Object.entries(compilers).map(([id, compiler]) => [id, measureCompiler(compiler, projects, rounds)]);
  if (sdk !== undefined) rmSync(join(sdk, 'project'), { recursive: true, force: true });
  return Object.fromEntries(results);
}

function measureCompiler(compiler, projects, rounds) {
  const runs = new Map(projects.map(([id]) => [id, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [id, where] of projects) runs.get(id).push(compile(compiler, where));
  }
  const results = [...runs].map(([id, own]) => {
    const middle = key => median(own.map(run => run[key]));
    return [id, { seconds: middle('seconds'), instantiations: middle('instantiations'), mb: middle('mb') }];
  });
  return Object.fromEntries(results);
}

function project(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src', 'generated'] }));
  return folder;
}

/** The handlers of the pack as they are, with `any` for what is generated: what no generator of one file each can go below. */
function untypedProject(folder, pack) {
  cpSync(join(pack, 'src'), join(folder, 'src'), { recursive: true });
  const tool = '(handler: (args: any, ctx: any) => unknown) => unknown';
  return project(folder, { 'generated/index.d.ts': `export declare const tools: Record<string, ${tool}>;\n` });
}

function zodProject(folder, tools) {
  const files = tools.map(({ item, description, inputSchema }) => [
    `src/tools/${item}.ts`,
    [
      "import type { McpServer } from '@modelcontextprotocol/server';",
      "import { z } from 'zod';",
      'export function register(server: McpServer): void {',
      `  const config = { description: ${JSON.stringify(description)}, inputSchema: ${toZod(inputSchema)} };`,
      `  server.registerTool('${item}', config, async ({ ${Object.keys(inputSchema.properties).join(', ')} }) => {`,
      "    throw new Error('not implemented');",
      '  });',
      '}',
      '',
    ].join('\n'),
  ]);
  // As the generated index does, one module knows all of them.
  const imports = tools.map(({ item }, index) => `import { register as tool${index} } from './tools/${item}.js';\n`);
  const calls = tools.map((_, index) => `  tool${index}(server);\n`);
  const start = "import type { McpServer } from '@modelcontextprotocol/server';\n";
  const server = `${start}${imports.join('')}export function registerAll(server: McpServer): void {\n${calls.join('')}}\n`;
  return project(folder, { ...Object.fromEntries(files), 'src/server.ts': server });
}

/** The forms of schemas that bench/make-pack.mjs writes. */
function toZod(schema) {
  const described = schema.description === undefined ? '' : `.describe(${JSON.stringify(schema.description)})`;
  return `${bare(schema)}${described}`;
}

function bare(schema) {
  if (schema.enum !== undefined) return `z.enum(${JSON.stringify(schema.enum)})`;
  if (schema.oneOf !== undefined) return `z.union([${schema.oneOf.map(toZod).join(', ')}])`;
  if (Array.isArray(schema.type)) return `z.union([${schema.type.map(type => toZod({ type })).join(', ')}])`;
  const limits = [
    ...(schema.minLength === undefined ? [] : [`.min(${schema.minLength})`]),
    ...(schema.maxLength === undefined ? [] : [`.max(${schema.maxLength})`]),
    ...(schema.minimum === undefined ? [] : [`.min(${schema.minimum})`]),
    ...(schema.maximum === undefined ? [] : [`.max(${schema.maximum})`]),
    ...(schema.maxItems === undefined ? [] : [`.max(${schema.maxItems})`]),
    ...(schema.pattern === undefined ? [] : [`.regex(new RegExp(${JSON.stringify(schema.pattern)}))`]),
  ].join('');
  switch (schema.type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
        return `${name}: ${toZod(member)}${schema.required?.includes(name) ? '' : '.optional()'}`;
      });
      return `z.object({ ${members.join(', ')} })`;
    }
    case 'array':
      return `z.array(${toZod(schema.items ?? {})})${limits}`;
    case 'integer':
      return `z.number().int()${limits}`;
    case 'string':
      return `z.string()${limits}`;
    case 'number':
    case 'boolean':
    case 'null':
      return `z.${schema.type}()`;
    default:
      throw new Error(`no zod for ${JSON.stringify(schema)}`);
  }
}

function compile(compiler, folder) {
  const args = [compiler, '-p', folder, '--extendedDiagnostics'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tsc in ${folder}: exit code ${status}\n${stdout.slice(0, 2000)}`);
  const read = name => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
  return { seconds: read('Total time'), instantiations: read('Instantiations'), mb: read('Memory used') / 1024 };
}
