// What an upgrade changes for this pack. In: the version that generated last (its ledger says so) and the pack. Out: one finding for
// each later change of behaviour that touches it. A change is a row below: add one whenever an upgrade makes a pack behave otherwise.
import { findUnwritten } from '../../runtime/call/handlers/unwritten-handlers.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import { taskPolicyOf } from '../../runtime/load/program.js';
import { compareVersions } from '../../runtime/packs/installed-package.js';
import { readMap } from '../../runtime/packs/workspaces.js';
import { hasDefault } from '../../schema/json-schema/walk.js';
import { version } from '../../schema/version.js';
import { findTypeScript } from '../typecheck/compile-project.js';
import { type ExaminedPack, type Judgement, ofPack, type Rule } from './finding.js';

export interface BehaviourChange {
  /** Stands in docs/upgrading.md, too. */
  readonly id: string;
  /** The first version that behaves so. */
  readonly since: string;
  readonly what: string;
  readonly todo: string;
  /** What of this pack is affected, as names; nothing where it is not. Says nothing where it is not sure. */
  affected(pack: ExaminedPack): readonly string[];
}

type Tool = NonNullable<ExaminedPack['generated']['loaded']['program']>['tools'][number];

function toolsWhere(isMeant: (tool: Tool) => boolean): BehaviourChange['affected'] {
  return ({ generated }) => (generated.loaded.program?.tools ?? []).filter(isMeant).map(({ item }) => item);
}

function unwrittenHandlers({ generated, folder }: ExaminedPack): readonly string[] {
  return [...new Set(findUnwritten(generated.loaded, nodeFolder(folder)).map(({ path }) => path))];
}

export const behaviourChanges: readonly BehaviourChange[] = [
  {
    id: 'env-file',
    since: '0.1.0',
    what: "`call` and `test` read the pack's .env, as `dev` does",
    todo: 'nothing, if the values in .env suit them; a variable that is set in the shell still wins',
    affected: ({ folder }) => (nodeFolder(folder).status('.env') === 'file' ? ['.env'] : []),
  },
  {
    id: 'first-server',
    since: '0.1.0',
    what: 'commands that name no server use the first in `servers:`; they asked which one before',
    todo: 'put the server that you mean first in the `servers` list of toolwright.yaml, or name it in scripts',
    affected: ({ servers: [first, ...others], generated }) => {
      const isListed = generated.loaded.manifest?.declarations.server !== undefined;
      return isListed && first !== undefined && others.length > 0 ? [first.server.item] : [];
    },
  },
  {
    id: 'untouched-stubs',
    since: '0.1.0',
    what: '`generate` rewrites a stub that nobody has edited when its manifest changes',
    todo: 'nothing: a stub that you have edited, by as little as a comment, is yours',
    affected: unwrittenHandlers,
  },
  {
    id: 'unwritten-handlers',
    since: '0.1.0',
    what: '`test` fails for a handler that is still a stub; its contract passed before',
    todo: 'write the handler, or set `enabled: false` on the tool until it is written',
    affected: unwrittenHandlers,
  },
  {
    id: 'confirm-refused',
    since: '0.1.0',
    what: '`call` of a tool with `confirm` exits with 1 if nobody confirms it; it exited with 0 before',
    todo: 'in scripts, add --arg confirmed=true',
    affected: toolsWhere(({ definition }) => definition.confirm === true),
  },
  {
    id: 'raw-defaults',
    since: '0.1.0',
    what: 'defaults in a raw `inputSchema` or `outputSchema` are no longer filled in',
    todo: 'set `defaults: fill` on the tool, or handle the missing value; then run toolwright generate',
    affected: toolsWhere(({ definition, inputSchema, outputSchema }) => {
      const raw = [definition.inputSchema && inputSchema, definition.outputSchema && outputSchema];
      return definition.defaults !== 'fill' && raw.some(schema => hasDefault(schema));
    }),
  },
  {
    id: 'output-defaults',
    since: '0.1.0',
    what: 'defaults of `output` are filled into results, and `result: envelope` fills in its status',
    todo: 'nothing, unless a client relies on the missing value',
    affected: toolsWhere(({ definition: { output, result } }) => result === 'envelope' || hasDefault(output)),
  },
  {
    id: 'tasks',
    since: '0.1.0',
    what: 'tools with `task: optional` or `required` run as tasks, and `required` refuses plain calls; `task` had no effect before',
    todo: 'write `task: forbidden` for a tool that is to be called like any other',
    affected: toolsWhere(tool => taskPolicyOf(tool) !== undefined),
  },
  {
    id: 'compiler',
    since: '0.1.0',
    what: '`typecheck` runs the TypeScript that the project has installed, and this project has none',
    todo: 'install typescript as a development dependency',
    affected: ({ project, folder }) =>
      project?.language === 'ts' && findTypeScript(folder) === undefined ? ['typescript'] : [],
  },
  {
    id: 'protocol-flag',
    since: '0.1.0',
    what: '`--lane sdk` is called `--protocol sdk`',
    todo: 'use the new name; the old one still works',
    affected: ({ folder }) =>
      /--lane\b/.test(JSON.stringify(readMap(folder, 'package.json')['scripts'])) ? ['package.json'] : [],
  },
];

/** More names than these are counted. */
const mostNamed = 3;

function judgeUpgrade(pack: ExaminedPack): readonly Judgement[] {
  const { madeBy } = pack;
  if (madeBy === undefined || compareVersions(madeBy, version) >= 0) return [];
  return behaviourChanges
    .filter(({ since }) => compareVersions(madeBy, since) < 0)
    .flatMap(change => {
      const names = change.affected(pack);
      if (names.length === 0) return [];
      const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
      const which = `${names.slice(0, mostNamed).join(', ')}${more}`;
      const message = `since ${change.since}, ${change.what} (here: ${which})`;
      return [{ status: 'info' as const, message, hint: `${change.todo} [${change.id}]` }];
    });
}

export const upgradeRules: readonly Rule[] = [ofPack('upgrade', judgeUpgrade)];
