// What packs try in order to run, to read or to write where they must not, before anybody has decided to start them.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Attempt, linkTo, type Trap, type TrapFile, type TrapFiles } from './trust-world.js';

const tool = 'mcp/tools/t.yaml';
const executable =
  (text: string): TrapFile =>
  path => {
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  };
const pipe: TrapFile = path => void execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
const folder: TrapFile = path => mkdirSync(path);
const manifest = (text: string): TrapFiles => ({ 'toolwright.yaml': text });
const definition = (text: string): TrapFiles => ({ [tool]: `description: A tool.\n${text}\n` });

/** The same module in every place and language where a handler may be. */
function modules({ mark }: Trap, paths: readonly string[]): TrapFiles {
  const files = paths.flatMap(path =>
    ['ts', 'js', 'mjs', 'cjs'].map(ending => [`${path}.${ending}`, mark(path.replaceAll('/', '-'))]),
  );
  return Object.fromEntries(files);
}

export const running: readonly Attempt[] = [
  {
    title: 'handlers with code at their top',
    files: trap => modules(trap, ['src/tools/t', 'dist/tools/t']),
    isAlone: true,
  },
  {
    title: 'initialize of tools and servers',
    files: trap => ({
      ...modules(trap, ['src/init', 'dist/init']),
      ...definition('initialize: { handler: src/init.ts#run, when: start }'),
      'mcp/servers/s.yaml': 'description: A server.\ninitialize: src/init.ts#run\n',
    }),
  },
  {
    title: 'the shared context',
    files: trap => ({
      ...modules(trap, ['src/context', 'dist/context']),
      ...manifest('context: src/context.ts#create\n'),
    }),
  },
  {
    title: 'completions of prompts and resources',
    files: trap => ({
      ...modules(trap, ['src/complete', 'src/prompts/p', 'src/resources/r']),
      'mcp/prompts/p.yaml': 'description: P.\narguments: { a: { complete: src/complete.ts#a } }\n',
      'mcp/resources/r.yaml': 'description: R.\nuriTemplate: "a://{b}"\ncomplete: { b: src/complete.ts#b }\n',
    }),
  },
  {
    title: 'scripts of package.json',
    files: () => ({}),
    packageJson: ({ script }) => {
      const names = [
        'preinstall',
        'install',
        'postinstall',
        'prepare',
        'prepack',
        'postpack',
        'prepublish',
        'prepublishOnly',
      ];
      const more = ['preversion', 'pretest', 'test', 'prebuild', 'build', 'dependencies', 'toolwright'];
      const run = (name: string): string => script(name).split('\n')[1] ?? '';
      return { scripts: Object.fromEntries([...names, ...more].map(name => [name, run(name)])) };
    },
  },
  {
    title: 'programs, servers and databases of items without code',
    files: ({ script }) => ({
      'trap.sh': executable(script('exec')),
      ...manifest(
        'backends:\n  theirs: { type: mcp, command: [./trap.sh] }\n  main: { type: sqlite, url: "sqlite:../outside.db" }\n',
      ),
      ...definition('exec: { command: ./trap.sh }'),
      'mcp/tools/u.yaml': 'description: U.\nmcp: {}\n',
      'mcp/tools/v.yaml': 'description: V.\nsql: { text: "CREATE TABLE trap (x)" }\n',
      'mcp/prompts/p.yaml': 'description: P.\nmcp: {}\n',
      'mcp/resources/r.yaml': 'description: R.\nuri: "a://b"\nmcp: {}\n',
    }),
  },
  {
    title: 'main, exports, imports and bin',
    files: trap => modules(trap, ['trap']),
    packageJson: () => ({
      main: './trap.cjs',
      module: './trap.mjs',
      bin: { toolwright: './trap.cjs', npm: './trap.cjs' },
      exports: {
        '.': './trap.mjs',
        './package.json': './trap.cjs',
        './toolwright.yaml': './trap.mjs',
        './*': './trap.mjs',
      },
      imports: { '#*': './trap.mjs' },
      types: './trap.ts',
    }),
  },
  {
    title: 'files that tools of others would load as configuration',
    files: trap => ({
      ...modules(trap, [
        'toolwright',
        'toolwright.config',
        'toolwright.yaml',
        'esbuild.config',
        'vite.config',
        'mcp/tools/t',
        'mcp/tools',
      ]),
      '.env': 'NODE_OPTIONS=--require=./toolwright.cjs\nTOOLWRIGHT_OVERLAY=../outside\n',
      'node.config.json': '{"nodeOptions": {"import": ["./toolwright.mjs"]}}',
      '.babelrc.js': trap.mark('babelrc'),
    }),
  },
  {
    title: 'configuration of package managers',
    files: trap => ({
      '.npmrc': `registry=${trap.url}/\nscript-shell=${trap.pack}/mark.sh\nnode-options=--require=${trap.pack}/mark.cjs\nignore-scripts=false\ngit=${trap.pack}/mark.sh\n`,
      '.pnpmfile.cjs': trap.mark('pnpmfile'),
      'pnpm-workspace.yaml': `packages: [., "${trap.up}", "${trap.up}/*"]\n`,
      '.yarnrc.yml': `yarnPath: mark.cjs\nnpmRegistryServer: "${trap.url}"\n`,
      '.yarnrc': 'yarn-path "./mark.cjs"\n',
      'bunfig.toml': 'preload = ["./mark.cjs"]\n',
      'mark.cjs': trap.mark('preload'),
      'mark.sh': executable(trap.script('shell')),
    }),
    packageJson: ({ up }) => ({ workspaces: ['.', up, `${up}/*`, '/etc/*'], packageManager: 'yarn@0.0.0' }),
  },
  {
    title: 'commands in node_modules/.bin',
    files: ({ script }) =>
      Object.fromEntries(
        ['npm', 'npx', 'node', 'pnpm', 'yarn', 'bun', 'git', 'tsc', 'esbuild', 'toolwright', 'sh'].map(name => [
          `node_modules/.bin/${name}`,
          executable(script(name)),
        ]),
      ),
  },
  {
    title: 'packages that stand in for those of toolwright',
    files: ({ mark }) =>
      Object.fromEntries(
        [
          'yaml',
          'ajv',
          'ajv-formats',
          'esbuild',
          'typescript',
          'ts-morph',
          'handlebars',
          'commander',
          'picocolors',
          'chokidar',
          'toolwright',
        ].flatMap(name => [
          [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '99.0.0', main: 'index.cjs' })],
          [`node_modules/${name}/index.cjs`, mark(name)],
        ]),
      ),
  },
  {
    title: 'plugins of tsconfig.json',
    files: ({ mark }) => ({
      'tsconfig.json': JSON.stringify({
        compilerOptions: { plugins: [{ name: './plugin.cjs', transform: './plugin.cjs' }] },
      }),
      'plugin.cjs': mark('plugin'),
      'src/tools/t.ts': 'export default async () => 1;\n',
    }),
  },
  {
    title: 'handlers by URL, by name of a module and as data',
    files: trap => ({
      'mcp/tools/t.yaml': `description: A.\nhandler: "data:text/javascript,${encodeURIComponent(trap.mark('data'))}"\n`,
      'mcp/tools/u.yaml': 'description: A.\nhandler: "node:child_process#execSync"\n',
      'mcp/tools/v.yaml': `description: A.\nhandler: "file://${trap.pack}/v.mjs"\n`,
      'mcp/tools/w.yaml': `description: A.\nhandler: "${trap.url}/w.mjs"\n`,
      'v.mjs': trap.mark('file-url'),
    }),
  },
  {
    title: 'tags of YAML that make functions and objects',
    files: ({ mark }) => ({
      [tool]: `description: !!js/function >\n  function () { ${mark('yaml').trim()} }\n`,
      'mcp/tools/u.yaml': `!<tag:yaml.org,2002:js/eval> ${JSON.stringify(mark('eval'))}\n`,
      'mcp/tools/v.yaml': "description: !!python/object/apply:os.system ['touch x']\n",
      'mcp/tools/w.yaml': `description: !!binary ${Buffer.from('x').toString('base64')}\n`,
    }),
  },
  {
    title: 'keys that change every object',
    files: () => ({
      'toolwright.yaml': '__proto__: { polluted: true }\nconstructor: { prototype: { polluted: true } }\n',
      [tool]:
        'description: A.\n__proto__: { handler: x }\nparameters: { __proto__: { type: string }, constructor: string }\n',
      'mcp/tools/u.json': '{"description": "A.", "__proto__": {"enabled": true}, "toString": "x"}',
    }),
    packageJson: () =>
      JSON.parse('{"__proto__": {"polluted": true}, "toolwright": {"__proto__": {"servers": []}}}') as object,
  },
  {
    title: 'templates that reach into objects',
    files: () => ({
      'mcp/prompts/p.yaml':
        'description: P.\narguments: { a: {} }\ntext: "{{constructor.constructor}} {{#each __proto__}}{{this}}{{/each}} {{lookup a \'constructor\'}}"\n',
    }),
  },
];

export const reading: readonly Attempt[] = [
  {
    title: 'texts, schemas, images and resources by ways out of the pack',
    files: ({ up, outside }) => ({
      'mcp/tools/t.yaml': `description: { file: ${up}/secret.md }\n`,
      'mcp/tools/u.yaml': `description: { file: ${outside}/secret.md }\ninputSchema: { file: ${up}/secret.json }\n`,
      'mcp/tools/v.yaml': `description: { file: "file://${outside}/secret.md" }\n`,
      'mcp/tools/w.yaml': `description: { file: "mcp/../${up}/secret.md" }\noutputSchema: { file: "${outside}/secret.json" }\n`,
      'mcp/tools/x.yaml': `description: { file: "${up.replaceAll('/', '\\\\')}\\\\secret.md" }\n`,
      'mcp/tools/y.yaml': 'description: { file: ../../../../../../../etc/passwd }\n',
      'mcp/prompts/p.yaml': `description: P.\ntext: { file: ${up}/secret.md }\n`,
      'mcp/prompts/q.yaml': `description: P.\nmessages: [{ role: user, image: ${up}/secret.md }]\n`,
      'mcp/resources/r.yaml': `description: R.\nuri: a://b\nfile: ${up}/secret.md\n`,
      'mcp/servers/z.yaml': `description: S.\ninstructions: [{ file: ${up}/secret.md }]\n`,
    }),
  },
  {
    title: 'references of schemas to files and addresses',
    files: ({ outside, up, url }) => ({
      'mcp/tools/t.yaml': `description: A.\ninputSchema: { type: object, properties: { a: { $ref: "file://${outside}/secret.json" } } }\n`,
      'mcp/tools/u.yaml': `description: A.\ninputSchema: { type: object, properties: { a: { $ref: "${up}/secret.json" } } }\n`,
      'mcp/tools/v.yaml': `description: A.\ninputSchema: { $schema: "${url}/schema", type: object, properties: { a: { $ref: "${url}/secret.json" } } }\n`,
    }),
  },
  {
    title: 'a definition that is a link out of the pack',
    files: ({ outside }) => ({ [tool]: linkTo(join(outside, 'secret.yaml')) }),
  },
  {
    title: 'a folder of definitions that is a link',
    files: ({ outside }) => ({ 'mcp/tools': linkTo(join(outside, 'tools')) }),
  },
  { title: 'a root that is a link', files: ({ outside }) => ({ mcp: linkTo(outside) }) },
  {
    title: 'a toolwright.yaml that is a link',
    files: ({ outside }) => ({ 'toolwright.yaml': linkTo(join(outside, 'toolwright.yaml')) }),
  },
  {
    title: 'a package.json that is a link',
    files: ({ outside }) => ({ 'package.json': linkTo(join(outside, 'package.json')) }),
  },
  {
    title: 'a text inside the pack that is a link',
    files: ({ outside }) => ({ [tool]: 'description: { file: a.md }\n', 'a.md': linkTo(join(outside, 'secret.md')) }),
  },
  {
    title: 'links in circles',
    files: ({ pack }) => ({
      'mcp/prompts': linkTo(join(pack, 'mcp')),
      'mcp/resources': linkTo('resources'),
      'mcp/tools/u.yaml': linkTo('v.yaml'),
      'mcp/tools/v.yaml': linkTo('u.yaml'),
      'node_modules/again': linkTo(pack),
      src: linkTo('.'),
    }),
  },
  {
    title: 'pipes and folders where files should be',
    files: () => ({
      'toolwright.yaml': pipe,
      'mcp/tools/u.yaml': pipe,
      'mcp/tools.yaml': folder,
      'toolwright.lock': pipe,
    }),
  },
  { title: 'a package.json that is a pipe', files: () => ({ 'package.json': pipe }) },
  { title: 'a package.json that is a folder', files: () => ({ 'package.json': folder }) },
  {
    title: 'folders of the pack that are said to be elsewhere',
    files: ({ up, outside }) =>
      manifest(`root: ${up}\nhandlers: ${outside}\ndist: ${up}\ngenerated: ${up}/generated\n`),
  },
  {
    title: 'a tsconfig.json that extends one of the user',
    files: ({ up }) => ({
      'tsconfig.json': `{"extends": ["${up}/tsconfig.json", "${up}/secret.json"], "files": ["${up}/stub.ts"]}`,
    }),
  },
  {
    title: 'anchors and merges that multiply',
    files: () => {
      const lines = Array.from(
        { length: 40 },
        (_, index) => `a${index}: &a${index} [${`*a${index - 1}, `.repeat(index === 0 ? 0 : 9)}x]`,
      );
      const merges = Array.from(
        { length: 60 },
        (_, index) =>
          `m${index}: &m${index} { <<: [${index === 0 ? '' : `*m${index - 1}, *m${index - 1}`}], k${index}: 1 }`,
      );
      return {
        [tool]: `${lines.join('\n')}\n`,
        'mcp/tools.yaml': `${merges.join('\n')}\n`,
        ...manifest(`${lines.join('\n')}\n`),
      };
    },
  },
  {
    title: 'names, versions and texts that steer a terminal',
    files: () => ({
      'toolwright.yaml': 'description: "\\e[2J\\e]0;title\\a\\u202e"\nversion: "1.0\\n\\e[31mfake line"\n',
      [tool]: 'title: "\\e[8mhidden"\ndescription: "\\e]8;;http://evil\\a\\u202e\\U000E0041"\n',
      'mcp/tools/\u001b[31mx.yaml': 'description: A.\n',
    }),
    packageJson: () => ({ version: '1.0.0\u001b[2J\n', description: '\u001b]0;x\u0007' }),
  },
  {
    title: 'a summary in package.json that lies',
    files: () => ({}),
    packageJson: () => ({
      keywords: ['toolwright-pack'],
      toolwright: {
        servers: [{ name: 'pack-development', tools: 9999, description: '\u001b[2J' }, { name: '../../x' }],
        tools: [['t', 'harmless'], { name: '__proto__' }],
        prompts: 'all',
        resources: { length: 1e9 },
      },
    }),
  },
];

export const writing: readonly Attempt[] = [
  { title: 'a generated folder that is a link', files: ({ outside }) => ({ generated: linkTo(outside) }) },
  {
    title: 'generated files that are links to files of the user',
    files: ({ outside }) => ({
      'generated/index.js': linkTo(join(outside, 'index.js')),
      'generated/index.d.ts': linkTo(join(outside, 'new.d.ts')),
      'generated/tools': linkTo(outside),
      'generated/.toolwright.json': linkTo(join(outside, 'secret.json')),
      'generated/.toolwright.lock': linkTo(join(outside, 'new.lock')),
    }),
  },
  {
    title: 'a ledger and a journal that call files of the user their own',
    files: ({ up, outside }) => {
      const paths = [
        `${up}/index.js`,
        `${outside}/index.js`,
        `generated/../${up}/stub.ts`,
        '../package.json',
        'package.json',
      ];
      const files = Object.fromEntries(paths.map(path => [path, { hash: '', inputs: '', text: '' }]));
      const flat = Object.fromEntries(paths.map(path => [path, '']));
      return {
        'generated/.toolwright.json': JSON.stringify({ version: 1, files, ...flat }),
        'generated/.toolwright.pending.json': JSON.stringify({
          version: 1,
          files,
          written: paths,
          deleted: paths,
          ...flat,
        }),
      };
    },
  },
  { title: 'a handlers folder that is a link', files: ({ outside }) => ({ src: linkTo(outside) }) },
  {
    title: 'handlers that lie outside of the pack',
    files: ({ up, outside }) => ({
      'mcp/tools/t.yaml': `description: A.\nhandler: ${up}/new-stub.ts\n`,
      'mcp/tools/u.yaml': `description: A.\nhandler: ${outside}/new-stub.ts\n`,
      'mcp/tools/v.yaml': 'description: A.\nhandler: src/link/new-stub.ts\n',
      'mcp/tools/w.yaml': 'description: A.\nhandler: src/stub.ts\n',
      'src/link': linkTo(outside),
      'src/stub.ts': linkTo(join(outside, 'stub.ts')),
    }),
  },
  {
    title: 'handlers in places where others look for code and settings',
    files: () => ({
      'mcp/tools/t.yaml': 'description: A.\nhandler: .git/hooks/post-checkout.ts\n',
      'mcp/tools/u.yaml': 'description: A.\nhandler: node_modules/yaml/index.js\n',
      'mcp/tools/v.yaml': 'description: A.\nhandler: package.json\n',
      'mcp/tools/w.yaml': 'description: A.\nhandler: generated/index.js\n',
    }),
  },
  {
    title: 'names of items that are paths',
    files: ({ up }) => ({
      'toolwright.yaml': `tools: ["${up}/x", "../x", "/tmp/x", "a\\\\..\\\\x", ".."]\n`,
      'mcp/tools.yaml': `"${up}/x": { description: A. }\n"../x": { description: A. }\n`,
      'mcp/servers/s.yaml': `description: S.\ntools: [{ name: "../../x", description: A. }, "../${up}/x", "evil/../x"]\n`,
    }),
  },
  {
    title: 'a toolwright.lock that is a link to a file of the user',
    files: ({ outside }) => ({ 'toolwright.lock': linkTo(join(outside, 'index.js')) }),
  },
  {
    title: 'a toolwright.lock that is a link to nowhere yet',
    files: ({ outside }) => ({ 'toolwright.lock': linkTo(join(outside, 'new.lock')) }),
  },
  { title: 'a toolwright.lock that is a folder', files: () => ({ 'toolwright.lock': folder }) },
  {
    title: 'a toolwright.lock with lines for others',
    files: ({ up }) => ({ 'toolwright.lock': `${up}/index.js tool 1 x\n__proto__ tool 1\n\u001b[2J\n` }),
  },
];
