// An editor as authors have it: this repository as the workspace, fixtures bound to the published schemas by their names.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CompletionItem, type LanguageServer, type Position, startLanguageServer } from './language-server.js';

const root = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/, '');

/** The fixtures of the editor tests, relative to the repository. */
export const fixtures = 'test/fixtures/editor';

const names = ['pack', 'server', 'tool', 'prompt', 'resource', 'overlay'];
const combined = ['servers', 'tools', 'prompts', 'resources', 'overlays'];

/** `tool-x.yaml` is a tool, `tools-x.yaml` a combined file. */
const schemas = {
  ...Object.fromEntries(
    [...names, ...combined].map(name => [`./schema/${name}.schema.json`, [`${fixtures}/**/${name}-*.yaml`]]),
  ),
  './schema/pack.schema.json': [`${fixtures}/**/pack-*.yaml`, 'canary.yaml'],
};

export interface EditorFinding {
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

export interface Cursor {
  readonly text: string;
  readonly position: Position;
}

/** Takes the mark out of a text. */
export function atMark(marked: string): Cursor {
  const [before, after] = marked.split('‸');
  if (before === undefined || after === undefined) throw new Error('the fixture has no ‸');
  const lines = before.split('\n');
  return { text: before + after, position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
}

export function readFixture(name: string): string {
  return readFileSync(`${root}/${fixtures}/${name}`, 'utf8').replaceAll('\r\n', '\n');
}

export function startEditor(): Promise<LanguageServer> {
  return startLanguageServer({ root, schemas });
}

/** What the editor says about a text under a name. */
export async function findingsOf(server: LanguageServer, name: string, text: string): Promise<EditorFinding[]> {
  const findings = await server.open(name, text).findings;
  return findings.map(({ range, message }) => ({ line: range.start.line + 1, message }));
}

/**
 * What the editor says about a fixture, for instance `bad/tool-effect.yaml`. Without a server one is started for it.
 *
 * @example await editorDiagnostics('bad/tool-effect.yaml', server) // [{ line: 2, message: 'Value is not accepted. ...' }]
 */
export async function editorDiagnostics(file: string, server?: LanguageServer): Promise<EditorFinding[]> {
  if (server !== undefined) return findingsOf(server, `${fixtures}/${file}`, readFixture(file));
  const own = await startEditor();
  try {
    return await editorDiagnostics(file, own);
  } finally {
    await own.stop();
  }
}

/** The text after a completion was accepted and its placeholders were left as they are. */
export function accept({ text, position }: Cursor, item: CompletionItem): string {
  const lines = text.split('\n');
  const { range, newText } = item.textEdit ?? {
    range: { start: position, end: position },
    newText: item.insertText ?? '',
  };
  const first = lines[range.start.line] ?? '';
  const last = lines[range.end.line] ?? '';
  const indent = /^ */.exec(first)?.[0] ?? '';
  const inserted = fillPlaceholders(newText).replaceAll('\n', `\n${indent}`);
  const changed = first.slice(0, range.start.character) + inserted + last.slice(range.end.character);
  return [...lines.slice(0, range.start.line), changed, ...lines.slice(range.end.line + 1)].join('\n');
}

/** `${1:text}` -> text, `${1|a,b|}` -> a, `$1` -> nothing, `\}` -> `}`. */
function fillPlaceholders(snippet: string): string {
  return snippet
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1')
    .replace(/\$\{\d+:((?:\\.|[^}])*)\}/g, '$1')
    .replace(/\$\{\d+\}|\$\d+/g, '')
    .replace(/\\(.)/g, '$1');
}
