// In: what an import did. Out: what people do next: settings that are new, and commands.
import { relative } from 'node:path';
import { findProjectFiles } from '../../generator/author/init-settings.js';
import { wordsFor } from '../../generator/author/manager-words.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { shellLine } from '../../schema/print/shell-words.js';
import { findSurroundings } from '../init/init.js';
import type { ImportView } from './print-import.js';

export function nextSteps(
  { target, cwd, done, isNew }: Pick<ImportView, 'target' | 'cwd' | 'done' | 'isNew'>,
  hasCode: boolean,
): string {
  const { manager } = findSurroundings(target, findProjectFiles(nodeFolder(target)));
  const { install, exec } = wordsFor(manager);
  const way = relative(cwd, target);
  const keys = done.flatMap(({ opened: { imported }, plan }) =>
    plan.items
      .filter(({ kind, state }) => kind === 'config' && (state === 'created' || state === 'restored'))
      .filter(({ name, called = name }) => imported?.config[called]?.['default'] === undefined)
      .map(({ name }) => name),
  );
  const steps = [
    ...(way === '' ? [] : [`cd ${shellLine([way])}`]),
    ...(isNew ? [install] : []),
    ...(hasCode ? [] : [`${exec} toolwright generate`]),
    ...(isNew ? [`${exec} toolwright inspect`] : []),
  ];
  const set =
    keys.length === 0
      ? ''
      : `\nIt needs ${keys.join(', ')}: set ${keys.length === 1 ? 'it' : 'them'} in the environment, or in .env.\n`;
  return `${set}${steps.length === 0 ? '' : `\nNext:\n${steps.map(step => `  ${step}\n`).join('')}`}`;
}
