// The titles of all tests, as their files write them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

export interface TestTitle {
  readonly place: string;
  readonly text: string;
}

/** `it`, `test`, `it.each(rows)`, `it.skipIf(reason)` and so on, where they get their title. */
function isTest(called: ts.Expression): boolean {
  let name = called;
  while (!ts.isIdentifier(name)) {
    if (!ts.isPropertyAccessExpression(name) && !ts.isCallExpression(name)) return false;
    name = name.expression;
  }
  return name.text === 'it' || name.text === 'test';
}

function titlesOf(file: string): readonly TestTitle[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ESNext);
  const titles: TestTitle[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push({ place, text: title.text });
      if (title !== undefined && ts.isTemplateExpression(title))
        titles.push({ place, text: title.getText(source).slice(1, -1).replaceAll('\\`', '`') });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

export function listTestTitles(): readonly TestTitle[] {
  const listed = execFileSync('git', ['ls-files', '--', 'test/**/*.ts'], { cwd: root, encoding: 'utf8' });
  const files = listed
    .split('\n')
    .filter(file => file !== '' && !/^test\/(?:golden|golden-generate|fixtures)\//.test(file));
  return files.flatMap(titlesOf);
}
