// In: the declarations that tsc has written. Out: the pages of the API and of `ctx`: what each export is, its signature, an example.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../run.mjs';

const entries = [
  { name: 'toolwright', about: 'Packs, servers and tools from code.' },
  { name: 'toolwright/testing', about: "A pack's server inside the process of your tests." },
  { name: 'toolwright/generator', about: 'The compiler, for build tools.' },
  {
    name: 'toolwright/support',
    about:
      'What generated code imports, and the types that handlers see. It only ever grows: published packs depend on it.',
  },
];

let opened;
/** Opened once: both pages read it. */
function open() {
  if (opened !== undefined) return opened;
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = entries.map(({ name }) => join(root, exports[name.replace('toolwright', '.')].types));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
    skipLibCheck: true,
  });
  opened = { checker: program.getTypeChecker(), program, files };
  return opened;
}

export function printApi({ createSlugger, escapeText }) {
  const slug = createSlugger();
  slug('API');
  const { checker, program, files } = open();
  const seen = new Map();
  const parts = entries.map(({ name, about }, index) => {
    const exported = listExports(checker, program.getSourceFile(files[index]));
    const here = slug(name);
    const own = exported.filter(({ symbol }) => !seen.has(symbol));
    const sorted = [...own.filter(({ isType }) => !isType), ...own.filter(({ isType }) => isType)];
    for (const { symbol, name: export_ } of sorted) seen.set(symbol, { name: export_, anchor: slug(export_) });
    const others = exported.filter(one => !own.includes(one)).map(({ symbol }) => seen.get(symbol));
    return { name, about, here, sorted, others };
  });
  const contents = parts.map(({ name, here, sorted }) => {
    const links = sorted.filter(({ isType }) => !isType).map(({ symbol }) => linkTo(seen.get(symbol)));
    return `- [${name}](#${here}): ${links.join(', ')}`;
  });
  return `${[
    '# API',
    'Everything that the package exports, with its signature and an example. This page is made from the declarations of the package. What handlers are given is on [its own page](context.md).',
    contents.join('\n'),
    ...parts.flatMap(({ name, about, sorted, others }) => [
      `## ${name}`,
      about,
      ...sorted.map(one => printExport(one, name, escapeText)),
      ...(others.length === 0 ? [] : [`It also exports ${others.map(linkTo).join(', ')}.`]),
    ]),
  ].join('\n\n')}\n`;
}

function linkTo({ name, anchor }) {
  return `[${name}](#${anchor})`;
}

function listExports(checker, file) {
  const typesOnly = namesOfTypeExports(checker, file);
  return checker
    .getExportsOfModule(checker.getSymbolAtLocation(file))
    .map(exported => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const isType = (symbol.flags & ts.SymbolFlags.Value) === 0;
      return { name: exported.getName(), symbol, isType };
    })
    .filter(({ name, isType }) => isType || !typesOnly.has(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** `export type * from` names values, too, which cannot be imported. */
function namesOfTypeExports(checker, file) {
  const names = file.statements
    .filter(one => ts.isExportDeclaration(one) && one.isTypeOnly && one.exportClause === undefined)
    .flatMap(({ moduleSpecifier }) => checker.getExportsOfModule(checker.getSymbolAtLocation(moduleSpecifier)));
  return new Set(names.map(symbol => symbol.getName()));
}

function printExport({ name, symbol, isType }, entry, escapeText) {
  const { text, examples } = docsOf(symbol);
  const word = isType ? 'import type' : 'import';
  return [
    `### ${name}`,
    ...(text === '' ? [] : [escapeText(text)]),
    code([`${word} { ${name} } from '${entry}';`, ...signaturesOf(symbol)].join('\n\n')),
    ...examples.flatMap(example => ['Example:', code(example)]),
  ].join('\n\n');
}

function docsOf(symbol) {
  const { checker } = open();
  const text = ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
  const examples = symbol
    .getJsDocTags(checker)
    .filter(({ name }) => name === 'example')
    .map(({ text: parts }) => ts.displayPartsToString(parts).trim());
  return { text, examples };
}

/** As they stand in the declaration files, with what is said about members. */
function signaturesOf(symbol) {
  return symbol.declarations.map(node => {
    const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node;
    return whole
      .getText()
      .replace(/^export (?:declare )?(?:default )?/, '')
      .replace(/^declare /, '');
  });
}

function code(text) {
  return `\`\`\`ts\n${text.replaceAll('\r\n', '\n')}\n\`\`\``;
}

/** Which handlers have it, by the interface that declares the members. */
const contexts = [
  [
    'BaseContext',
    'Every handler',
    'What the handlers of tools, prompts and resources have, and completion functions, too.',
  ],
  ['ToolContext', 'Handlers of tools', 'What the handler of a tool has besides.'],
  ['PromptContext', 'Handlers of prompts', 'What the handler of a prompt has besides.'],
  ['ResourceContext', 'Handlers of resources', 'What the handler of a resource has besides.'],
];

export function printContext({ createSlugger, escapeText, cell }) {
  const { checker, program } = open();
  const file = program.getSourceFile(join(root, 'dist/schema/support/mcp/context.d.ts'));
  const exported = new Map(listExports(checker, file).map(({ name, symbol }) => [name, symbol]));
  const slug = createSlugger();
  slug('The context of handlers');
  const groups = contexts.map(([name, title, about]) => {
    const [node] = exported.get(name).declarations;
    slug(title);
    const members = node.members.map(member => {
      const symbol = checker.getSymbolAtLocation(member.name);
      return { name: `ctx.${symbol.getName()}`, symbol, text: member.getText().replace(/^readonly /, '') };
    });
    return { title, about, members: members.map(one => ({ ...one, anchor: slug(`\`${one.name}\``) })) };
  });
  const used = typesUsed(groups.flatMap(({ members }) => members.map(({ symbol }) => symbol)));
  const rows = groups.flatMap(({ members }) =>
    members.map(
      ({ name, symbol, anchor }) =>
        `| [\`${name}\`](#${anchor}) | ${cell(escapeText(docsOf(symbol).text.split('. ')[0].replace(/\.$/, '')))} |`,
    ),
  );
  return `${[
    '# The context of handlers',
    'A handler is called with its arguments and `ctx`. Generated types narrow `ctx.app`, `ctx.config`, `ctx.errors` and `ctx.options` to those of your pack. This page is made from the types of `toolwright/support`.',
    ['| member | what it is |', '|---|---|', ...rows].join('\n'),
    ...groups.flatMap(({ title, about, members }) => [
      `## ${title}`,
      ...(members.length === 0 ? ['Nothing besides.'] : [about]),
      ...members.map(({ name, symbol, text }) => {
        const { text: told, examples } = docsOf(symbol);
        return [
          `### \`${name}\``,
          escapeText(told),
          code(text),
          ...examples.flatMap(one => ['Example:', code(one)]),
        ].join('\n\n');
      }),
    ]),
    '## Types',
    ...used.map(symbol =>
      [`### ${symbol.getName()}`, escapeText(docsOf(symbol).text), code(signaturesOf(symbol).join('\n\n'))]
        .filter(part => part !== '')
        .join('\n\n'),
    ),
  ].join('\n\n')}\n`;
}

/** The types of ours that the declarations of members name, and those that they name in turn. */
function typesUsed(members) {
  const { checker } = open();
  const found = new Set();
  const visit = node => {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const [declaration] = target?.declarations ?? [];
      const isOurs = declaration?.getSourceFile().fileName.startsWith(join(root, 'dist/'));
      const isType = declaration && (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration));
      if (isOurs && isType && !found.has(target)) {
        found.add(target);
        visit(declaration);
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const symbol of members) for (const node of symbol.declarations) visit(node);
  return [...found].sort((one, other) => (one.getName() < other.getName() ? -1 : 1));
}
