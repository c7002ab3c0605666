// The look of whole files. In: the name of a template and a flat view. Out: text.
// Handlebars is loaded with the first template that is rendered: a run that writes nothing does not need it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type HandlebarsModule from 'handlebars';
import { packageFile } from '../../runtime/load/own-package.js';
import { yaml } from '../../schema/parse/yaml-value.js';
import { Code, escapeHtml, printDoc, printIdentifier, printString } from './code.js';

const stubNames = ['handlers.ts', 'handlers.cts', 'handlers.js', 'handlers.cjs'] as const;
/** The look of a stub, by the language and module format of its project. */
export type StubTemplate = (typeof stubNames)[number];

/** What an author starts from: an item of each kind, and the files of a new pack. */
const starterNames = ['tool.yaml', 'prompt.yaml', 'resource.yaml', 'server.yaml', 'schema.yaml'] as const;
const initNames = [
  'init-manifest.yaml',
  'init-tool.yaml',
  'init-prompt.yaml',
  'init-server.yaml',
  'init-readme.md',
  'init-workflow.yml',
] as const;

export const templateNames = [...stubNames, ...starterNames, ...initNames, 'docs-page.html'] as const;
export type TemplateName = (typeof templateNames)[number];

export interface Templates {
  /** Throws where the view lacks a name that the template uses, or where a value is not what its helper prints. */
  render(name: TemplateName, view: object): string;
}

/** Every value of a template passes one of these: nothing else can print, so that text never becomes code. */
const helpers = {
  /** A string literal. */
  str: (text: unknown) => printString(expectText(text)),
  /** A JSDoc comment, with tags if there are any. */
  doc: (text: unknown, tags: unknown) => printDoc(expectText(text), Array.isArray(tags) ? tags.map(expectCode) : []),
  /** An identifier. */
  id: (name: unknown) => printIdentifier(expectText(name)),
  /** A string as a value of YAML, on one line. */
  yaml: (text: unknown) => printYaml(expectText(text)),
  /** A string inside HTML. */
  html: (text: unknown) => escapeHtml(expectText(text)),
  /** What a printer made. */
  code: (code: unknown) => expectCode(code).text,
};

/** The helpers that may print, for the test that reads the templates. */
export const helperNames: readonly string[] = Object.keys(helpers);

/** Older readers take `yes` and `no` for booleans. */
function printYaml(text: string): string {
  if (/^(?:y|n|yes|no|on|off)$/i.test(text)) return JSON.stringify(text);
  const options = { lineWidth: 0, blockQuote: false, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;
  return yaml().stringify(text, options).trimEnd();
}

function expectText(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`a template was given ${typeof value} for a string`);
  return value;
}

function expectCode(value: unknown): Code {
  if (!(value instanceof Code)) throw new Error(`a template was given ${typeof value} for code`);
  return value;
}

/**
 * The templates of this package, each compiled when it is first used.
 *
 * @example createTemplates().render('handlers.ts', view)
 */
export function createTemplates(read: (name: TemplateName) => string = readTemplate): Templates {
  const compiled = new Map<TemplateName, (view: object) => string>();
  return {
    render(name, view) {
      const template = compiled.get(name) ?? compile(read(name));
      compiled.set(name, template);
      // Templates may leave blank lines at both ends, where a block printed nothing.
      return `${template(view).trim()}\n`;
    },
  };
}

function compile(source: string): (view: object) => string {
  // Not `import()`: authors' commands render synchronously.
  const handlebars = createRequire(import.meta.url)('handlebars') as typeof HandlebarsModule;
  const own = handlebars.create();
  for (const [name, helper] of Object.entries(helpers)) own.registerHelper(name, helper);
  const knownHelpers = Object.fromEntries(helperNames.map(name => [name, true]));
  return own.compile(source, { strict: true, noEscape: true, knownHelpersOnly: true, knownHelpers });
}

export function readTemplate(name: string): string {
  return readFileSync(packageFile(`templates/${name}.hbs`), 'utf8');
}
