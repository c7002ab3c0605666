// Handlers that authors start from: their exact form, where they are written, and that no text becomes code in them.
import Handlebars from 'handlebars';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createFinder, detectProject, type Project } from '../../../generator/compile/project/project.js';
import { listHandlerModules } from '../../../generator/compile/stubs/handler-modules.js';
import { type PlannedStub, planStubs, printStub, viewStub } from '../../../generator/compile/stubs/stubs.js';
import { readTemplate, templateNames } from '../../../generator/render/templates.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import type { Files } from '../../harness/pack.js';
import { programOf } from './declarations-pack.js';
import { hostile } from './hostile-texts.js';

const project: Project = {
  language: 'ts',
  moduleFormat: 'esm',
  handlerExtension: '.ts',
  importExtension: '.js',
  verbatimModuleSyntax: false,
  refusesUnusedParameters: false,
};
const projects = {
  'handlers.ts': project,
  'handlers.cts': { ...project, moduleFormat: 'cjs', verbatimModuleSyntax: true },
  'handlers.js': { ...project, language: 'js', handlerExtension: '.js' },
  'handlers.cjs': { ...project, language: 'js', handlerExtension: '.js', moduleFormat: 'cjs' },
} as const satisfies Record<string, Project>;

function stubs(files: Files, its: Project = project): Readonly<Record<string, string>> {
  const program = programOf({ 'toolwright.yaml': '', ...files });
  return Object.fromEntries(planStubs(program, its).map(stub => [stub.path, stub.render()]));
}

const getIssue = {
  'mcp/tools/get-issue.yaml': 'description: Get a Jira issue by its key.\nparameters:\n  issueKey: string\n',
};

describe('text of stubs', () => {
  it('P12 a TypeScript stub imports its function and throws until it is written', () => {
    expect(stubs(getIssue)).toEqual({
      'src/tools/get-issue.ts': `import { tools } from '../../generated/index.js';

/** Get a Jira issue by its key. */
export default tools.getIssue(async ({ issueKey }, ctx) => {
  throw ctx.notImplemented();
});
`,
    });
  });

  it('P12 a JavaScript stub has its type in a comment', () => {
    expect(stubs(getIssue, projects['handlers.js'])).toEqual({
      'src/tools/get-issue.js': `// @ts-check

/**
 * Get a Jira issue by its key.
 * @type {import('../../generated/index.js').GetIssueHandler}
 */
export default async ({ issueKey }, ctx) => {
  throw ctx.notImplemented();
};
`,
    });
  });

  it('P16 a CommonJS stub has its type in a comment and sets `module.exports`', () => {
    expect(stubs(getIssue, projects['handlers.cjs'])).toEqual({
      'src/tools/get-issue.js': `// @ts-check

/**
 * Get a Jira issue by its key.
 * @type {import('../../generated/index.js').GetIssueHandler}
 */
const getIssue = async ({ issueKey }, ctx) => {
  throw ctx.notImplemented();
};

module.exports = getIssue;
`,
    });
  });

  it('P16 a TypeScript stub for CommonJS without import statements uses `import = require`', () => {
    expect(stubs(getIssue, projects['handlers.cts'])).toEqual({
      'src/tools/get-issue.ts': `import generated = require('../../generated/index.js');

/** Get a Jira issue by its key. */
const getIssue = generated.tools.getIssue(async ({ issueKey }, ctx) => {
  throw ctx.notImplemented();
});

export = getIssue;
`,
    });
  });

  it('P16 a TypeScript stub that is compiled to CommonJS has import statements', () => {
    expect(stubs(getIssue, { ...project, moduleFormat: 'cjs' })).toEqual(stubs(getIssue));
  });

  const many: Files = {
    'toolwright.yaml': 'context: src/all.ts#create\n',
    'mcp/tools.yaml': `
get-issue: { description: Get, handler: "src/all.ts#getIssue", parameters: { issueKey: string } }
delete-issue: { description: Delete, handler: "src/all.ts#delete" }
list: { description: List, handler: src/all.ts }
tools: { description: Tools, handler: "src/all.ts#tools" }
same: { description: The same function, handler: "src/all.ts#getIssue" }
`,
    'mcp/prompts/triage.yaml':
      'description: Triage\nhandler: src/all.ts#triage\narguments: { key: { required: true } }\n',
    'mcp/resources/issue.yaml': 'uriTemplate: "jira://issue/{issueKey}"\nhandler: src/all.ts#issue\n',
  };

  it('P12 a stub holds everything that its module exports, the default first', () => {
    expect(stubs(many)).toEqual({
      'src/all.ts': `import { type Setup_Context, prompts, resources, tools } from '../generated/index.js';

/** List */
export default tools.list(async (_args, ctx) => {
  throw ctx.notImplemented();
});

/** Delete */
const _delete = tools.deleteIssue(async (_args, ctx) => {
  throw ctx.notImplemented();
});

/** Get */
export const getIssue = tools.getIssue(async ({ issueKey }, ctx) => {
  throw ctx.notImplemented();
});

/** Tools */
const _tools = tools.tools(async (_args, ctx) => {
  throw ctx.notImplemented();
});

/** Triage */
export const triage = prompts.triage(async ({ key }, ctx) => {
  throw ctx.notImplemented();
});

export const issue = resources.issue(async ({ issueKey }, ctx) => {
  throw ctx.notImplemented();
});

/** Makes what all handlers share as \`ctx.app\`, once, before the first call that needs it. */
export function create(_setup: Setup_Context) {
  return {};
}

export { _delete as delete, _tools as tools };
`,
    });
  });

  it('P16 a CommonJS stub exports the same names', () => {
    const end = (its: Project): string | undefined => stubs(many, its)['src/all.ts']?.split('\n').slice(-4).join('\n');
    expect(end(projects['handlers.cts'])).toBe(
      'const handlers = { default: list, delete: _delete, getIssue, tools: _tools, triage, issue, create };\n\nexport = handlers;\n',
    );
    const files = {
      'mcp/tools.yaml': 'a: { description: A, handler: "x.cjs#a" }\nb: { description: B, handler: "x.cjs#new" }\n',
    };
    expect(stubs(files)['x.cjs']).toMatch(/\nmodule\.exports = { a, new: _new };\n$/);
    const mixed = {
      'mcp/tools.yaml': 'a: { description: A, handler: x.cjs }\nb: { description: B, handler: "x.cjs#new" }\n',
    };
    expect(stubs(mixed)['x.cjs']).toMatch(/\nmodule\.exports = a;\nmodule\.exports\.new = _new;\n$/);
    expect(stubs(mixed)['x.cjs']).not.toContain('@ts-check');
  });

  it('P12 a stub is the same for each item of its module', () => {
    const program = programOf(many);
    const printed = [...program.tools, ...program.prompts, ...program.resources].map(item =>
      printStub(item, project, program),
    );
    expect(printed).toHaveLength(7);
    for (const stub of printed) expect(stub).toEqual({ path: 'src/all.ts', text: stubs(many)['src/all.ts'] });
  });

  it('P12 a stub may hold only a context', () => {
    const text = stubs({ 'toolwright.yaml': 'context: src/context.ts\n' })['src/context.ts'];
    expect(text).toBe(`import type { Setup_Context } from '../generated/index.js';

/** Makes what all handlers share as \`ctx.app\`, once, before the first call that needs it. */
export default function createContext(_setup: Setup_Context) {
  return {};
}
`);
  });

  it('P12 a stub is written where the manifest says, in the language of its extension', () => {
    const named = (handler: string): Files => ({ 'mcp/tools/a.yaml': `description: A\nhandler: ${handler}\n` });
    const paths = (handler: string, its: Project): readonly string[] => Object.keys(stubs(named(handler), its));
    expect(paths('custom/deep/x.ts#run', projects['handlers.js'])).toEqual(['custom/deep/x.ts']);
    expect(paths('x.mjs', project)).toEqual(['x.mjs']);
    expect(paths('src/x', project)).toEqual(['src/x.ts']);
    expect(paths('src/x', projects['handlers.js'])).toEqual(['src/x.js']);
    expect(stubs(named('top.ts#run'))['top.ts']).toContain("import { tools } from './generated/index.js';");
    expect(stubs(named('src/x.mjs'), projects['handlers.cjs'])['src/x.mjs']).toContain('export default async');
    expect(stubs(named('src/x.cjs'))['src/x.cjs']).toContain('module.exports = a;');
    expect(stubs(named('src/x.cts'), { ...project, verbatimModuleSyntax: true })['src/x.cts']).toContain('export = a;');
  });

  it("P12 a stub is not written into folders that are not the author's, or where no module can be", () => {
    for (const handler of ['node_modules/x/y.js', 'generated/x.js', 'dist/x.js', 'src/x.py', 'src/x.d.ts']) {
      expect(stubs({ 'mcp/tools/a.yaml': `description: A\nhandler: ${handler}\n` }), handler).toEqual({});
    }
    const program = programOf({ 'toolwright.yaml': '', 'mcp/prompts/a.yaml': 'description: A\ntext: hello\n' });
    expect(program.prompts.map(prompt => printStub(prompt, project, program))).toEqual([undefined]);
  });

  it('P12 a stub imports from the generated folder of the pack', () => {
    const files = { ...getIssue, 'toolwright.yaml': 'generated: build/gen code\nhandlers: lib\n' };
    expect(stubs(files)['lib/tools/get-issue.ts']).toContain("from '../../build/gen code/index.js';");
  });

  const parameters: readonly (readonly [what: string, definition: string, printed: string])[] = [
    ['none', 'description: A', '_args, ctx'],
    ['several', 'parameters: { a: string, b: string }', '{ a, b }, ctx'],
    ['many', 'parameters: { a: string, b: string, c: string, d: string, e: string }', '{ a, b, c, d }, ctx'],
    [
      'long names',
      `parameters: { ${'a'.repeat(50)}: string, ${'b'.repeat(50)}: string }`,
      `{ ${'a'.repeat(50)} }, ctx`,
    ],
    ['words of the language', 'parameters: { delete: string, await: string, ok: string }', '{ ok }, ctx'],
    ['only names that cannot be taken', 'parameters: { delete: string, "a-b": string, ctx: string }', 'args, ctx'],
    ['names that every object has', 'parameters: { constructor: string, toString: string, ok: string }', '{ ok }, ctx'],
    ['other letters', 'parameters: { größe: string, 名: string }', '{ größe, 名 }, ctx'],
    [
      'a schema with several forms',
      'inputSchema: { type: object, properties: { a: { type: string } }, anyOf: [{ required: [a] }] }',
      'args, ctx',
    ],
    [
      'a property that must not be there',
      'inputSchema: { type: object, properties: { a: false, b: { type: string } } }',
      '{ b }, ctx',
    ],
  ];

  it.each(parameters)('P12 a stub destructures its arguments: %s', (_, definition, printed) => {
    const text = stubs({ 'mcp/tools/t.yaml': `title: T\n${definition}\n` })['src/tools/t.ts'];
    expect(text).toContain(`tools.t(async (${printed}) => {`);
  });

  it('P16 a stub has no unused names when the compiler refuses them', () => {
    const text = stubs(getIssue, { ...project, refusesUnusedParameters: true })['src/tools/get-issue.ts'];
    expect(text).toContain('tools.getIssue(async (_args, ctx) => {');
  });

  it('P12 a stub of an item without a description shows its title, or nothing', () => {
    expect(stubs({ 'mcp/tools/t.yaml': 'title: My tool\n' })['src/tools/t.ts']).toContain('/** My tool */\nexport');
    expect(stubs({ 'mcp/tools/t.yaml': 'enabled: true\n' })['src/tools/t.ts']).toContain(';\n\nexport default');
  });
});

describe('plan of stubs', () => {
  const plan = (files: Files, its: Project = project): readonly PlannedStub[] =>
    planStubs(programOf({ 'toolwright.yaml': '', ...files }), its, createFinder(memoryFolder(files)));

  it('P12 the plan keeps the name of a handler that exists under another extension', () => {
    for (const extension of ['.mts', '.js', '.cjs', '.tsx']) {
      const path = `src/tools/get-issue${extension}`;
      expect(plan({ ...getIssue, [path]: '' }).map(stub => stub.path)).toEqual([path]);
    }
    const both = { ...getIssue, 'src/tools/get-issue.js': '', 'src/tools/get-issue.ts': '' };
    expect(plan(both).map(({ path }) => path)).toEqual(['src/tools/get-issue.ts']);
  });

  it('P12 the plan joins items that name one module with different extensions', () => {
    const files = {
      'mcp/tools.yaml': 'a: { description: A, handler: "src/x.js#a" }\nb: { description: B, handler: "src/x.ts#b" }\n',
      'src/x.mts': '',
    };
    expect(plan(files).map(({ path }) => path)).toEqual(['src/x.mts']);
  });

  it('P12 a planned stub names its sources', () => {
    const [first] = plan(getIssue);
    expect(first?.sources).toEqual(['mcp/tools/get-issue.yaml']);
    expect(first?.role).toBe('stub');
  });

  it('P12 a planned stub fits the project found in real files', () => {
    const files = { ...getIssue, 'package.json': '{"type": "module"}', 'tsconfig.json': '{}', 'toolwright.yaml': '' };
    const found = detectProject(memoryFolder(files), 'src').value;
    expect(plan(files, found)[0]?.render()).toBe(stubs(getIssue)['src/tools/get-issue.ts']);
  });

  it('P17 the view of a stub has every name that the templates use', () => {
    const program = programOf({ 'toolwright.yaml': 'context: src/context.ts#create\n', ...getIssue });
    const [view] = listHandlerModules(program, project).map(module => viewStub(module, project, program));
    const known = new Set([...Object.keys(view ?? {}), ...Object.keys(view?.exports[0] ?? {})]);
    for (const name of templateNames.filter(one => one.startsWith('handlers.'))) {
      const used = new Set<string>();
      const visitor = new Handlebars.Visitor();
      visitor.PathExpression = ({ original }) => used.add(original);
      visitor.accept(Handlebars.parse(readTemplate(name)));
      const words = ['if', 'each', 'str', 'doc', 'id', 'code'];
      expect([...used].filter(one => !known.has(one) && !words.includes(one))).toEqual([]);
      expect(used.size).toBeGreaterThan(5);
    }
  });
});

describe('hostile text in stubs', () => {
  it('P17 text of a manifest never becomes code in a stub', () => {
    const shape = (path: string, text: string): unknown => {
      const kind = path.endsWith('ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
      const { parseDiagnostics, pragmas, commentDirectives } = file as unknown as {
        parseDiagnostics: readonly unknown[];
        pragmas: ReadonlyMap<string, unknown>;
        commentDirectives?: readonly unknown[];
      };
      expect(parseDiagnostics).toEqual([]);
      const kinds: string[] = [];
      const visit = (node: ts.Node): void => {
        kinds.push(ts.SyntaxKind[node.kind]);
        for (const tag of ts.getJSDocTags(node)) kinds.push(`@${tag.tagName.text}`);
        ts.forEachChild(node, visit);
      };
      visit(file);
      return { kinds, pragmas: [...pragmas.keys()].filter(name => name !== 'ts-check'), commentDirectives };
    };
    const files = (text: string): Files => ({
      'toolwright.yaml': '',
      'mcp/tools/a.json': JSON.stringify({
        description: `x ${text}`,
        title: text,
        parameters: { a: 'string', [`-${text}`]: 'string' },
      }),
      'mcp/prompts/b.json': JSON.stringify({
        description: text,
        title: 'x',
        arguments: { [`-${text}`]: { description: text } },
      }),
    });
    for (const its of Object.values(projects)) {
      const harmless = Object.entries(stubs(files('harmless'), its));
      for (const text of hostile.filter(one => !/[\0\p{Bidi_Control}]/u.test(one))) {
        const printed = Object.entries(stubs(files(text), its));
        expect(printed.map(([path]) => path)).toEqual(harmless.map(([path]) => path));
        for (const [index, [path, stub]] of printed.entries()) {
          expect(shape(path, stub), text).toEqual(shape(path, harmless[index]?.[1] ?? ''));
        }
      }
    }
  });

  it('P17 the name of a folder never becomes code in a stub', () => {
    const folders = ["it's", 'a */ b', 'a`${b}', 'ü 😀', 'a"b'];
    for (const generated of folders) {
      for (const its of Object.values(projects)) {
        const manifest = JSON.stringify({ generated, handlers: 'h' });
        const [[path, text] = ['', '']] = Object.entries(stubs({ ...getIssue, 'toolwright.yaml': manifest }, its));
        const info = ts.preProcessFile(text, true, true);
        expect(path.startsWith('h/tools/get-issue.')).toBe(true);
        const expected = `../../${generated}/index.js`;
        const fromComment = /import\('(.*)'\)/.exec(text)?.[1]?.replaceAll('*\\/', '*/').replaceAll("\\'", "'");
        expect(info.importedFiles[0]?.fileName ?? fromComment).toBe(expected);
        expect(text.split('*/')).toHaveLength(2);
      }
    }
  });
});
