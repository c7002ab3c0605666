// toolwright init [dir]
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { scriptName } from '../../generator/author/init-package.js';
import {
  type Editor,
  editors,
  type Found,
  findProjectFiles,
  type InitSettings,
  listsTypeScript,
  packageNameProblem,
  toPackageName,
} from '../../generator/author/init-settings.js';
import { type ManagerChoice, runScript, wordsFor } from '../../generator/author/manager-words.js';
import { planInit } from '../../generator/author/plan-init.js';
import { upwards } from '../../runtime/load/find-pack.js';
import { codeOf, nodeFolder } from '../../runtime/load/folder.js';
import { packageFile } from '../../runtime/load/own-package.js';
import { findProject, isManagerKnown, isModernYarn, managerOfAgent } from '../../runtime/packs/package-manager.js';
import { readMap } from '../../runtime/packs/workspaces.js';
import { hasErrors } from '../../schema/diagnostics.js';
import { packageOfPack } from '../../schema/names.js';
import { firstDescription } from '../../schema/placeholders.js';
import { visible } from '../../schema/print/visible.js';
import { mayInstall } from '../fetch/install-packs.js';
import { type AuthorFlags, carryOut, operationOf, printAuthored } from '../generate/author-report.js';
import { workingFolder } from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';
import { type Answers, askInit, askInstall } from './ask-init.js';
import { installNow, missingPackages } from './install-now.js';

export interface InitFlags extends AuthorFlags, Partial<Answers> {
  readonly toolwright?: string;
  readonly yes?: boolean;
  readonly editor: readonly string[];
  /** Only a server, nothing to start from. */
  readonly empty?: boolean;
  /** Undefined where neither `--install` nor `--no-install` is given. */
  readonly install?: boolean;
}

export async function init(typed: string | undefined, flags: InitFlags): Promise<number> {
  const cwd = workingFolder(flags);
  const pack = resolve(cwd, typed ?? '.');
  if (existsSync(pack) && !statSync(pack).isDirectory()) throw new UsageError(`${visible(pack)} is not a folder`);
  const folder = nodeFolder(pack);
  const found = findProjectFiles(folder);
  const settings = await settle(pack, found, flags);
  const plan = planInit(folder, settings);
  const isRefused = hasErrors(plan.diagnostics);
  if (!isRefused && !flags.dryRun) makeFolder(pack);
  const done = isRefused ? undefined : await carryOut(plan.changes, pack, flags);
  const operations = [
    ...plan.changes.map(operationOf),
    ...plan.kept.map(({ path, why }) => ({ op: 'keep' as const, path, why })),
  ];
  const diagnostics = [...plan.diagnostics, ...(done?.diagnostics ?? [])];
  const authored = { operations, generated: done?.generated ?? [], diagnostics, isApplied: done?.isApplied ?? false };
  const { name, language, transport, manager } = settings;
  const { notes } = plan;
  const more = { name, language, transport, manager: manager.name, notes };
  process.stdout.write(printAuthored(authored, flags, { cwd, pack, more }));
  if (hasErrors(diagnostics)) return 1;
  const isTalking = !flags.quiet && flags.format === 'text';
  if (isTalking) for (const note of notes) process.stdout.write(`${visible(note)}\n`);
  if (!authored.isApplied) return 0;
  const missing = missingPackages(pack, neededPackages(language));
  const problem = await installMissing(pack, { manager, missing, flags });
  if (isTalking) {
    const test = runScript(manager, scriptName('test', found.packageJson));
    const isInstalled = missing.length === 0 || problem === undefined;
    process.stderr.write(nextSteps(settings, { pack, cwd, isPack: found.isPack, isInstalled, test }));
  }
  // Who asked for it wants to know; for everybody else the files are what they came for.
  return typeof problem === 'string' && flags.install === true ? 1 : 0;
}

function neededPackages(language: InitSettings['language']): readonly string[] {
  return language === 'ts' ? ['toolwright', 'typescript'] : ['toolwright'];
}

/** Undefined where it was done, false where nobody wanted it, else the reason why it could not be done. */
async function installMissing(
  pack: string,
  { manager, missing, flags }: { manager: ManagerChoice; missing: readonly string[]; flags: InitFlags },
): Promise<string | false | undefined> {
  const isWanted = flags.install ?? flags.yes ?? undefined;
  if (!mayInstall(flags) || (missing.length === 0 && flags.install !== true)) return false;
  const { install } = wordsFor(manager);
  if (!(isWanted ?? (flags.format === 'text' && (await askInstall(install))))) return false;
  process.stderr.write(`\n${install} ...\n`);
  const problem = await installNow(pack, manager);
  if (problem !== undefined)
    process.stderr.write(`toolwright: the pack is written, but its dependencies are not installed: ${problem}\n`);
  return problem;
}

/** Flags first, then what the folder says; a person at a terminal is asked for the rest. */
async function settle(pack: string, found: Found, flags: InitFlags): Promise<InitSettings> {
  const named = found.packageJson?.['name'];
  const written = typeof named === 'string' ? named : undefined;
  const given = flags.name === undefined ? undefined : packageOfPack(flags.name.replace(/^@/, ''));
  if (given !== undefined && written !== undefined && given !== written)
    throw new UsageError(`package.json has the name "${written}": leave out --name, or change it there`);
  const described = found.packageJson?.['description'];
  const defaults: Answers = {
    name: given ?? written ?? toPackageName(basename(pack)),
    description:
      flags.description ?? (typeof described === 'string' && described !== '' ? described : firstDescription),
    language: flags.language ?? (found.isNew || found.packageJson === undefined || usesTypeScript(found) ? 'ts' : 'js'),
    transport: flags.transport ?? 'stdio',
  };
  // Who has said it is not asked again.
  const isKnown = { ...flags, ...(written === undefined ? {} : { name: written }) };
  const mayAsk = flags.yes !== true && flags.format === 'text' && !found.isPack;
  const answers = mayAsk ? await askInit(defaults, isKnown) : defaults;
  const problem = written === undefined ? packageNameProblem(answers.name) : undefined;
  if (problem !== undefined) throw new UsageError(`"${answers.name}" is not a valid package name: ${problem}`);
  const surroundings = findSurroundings(pack, found, flags.editor);
  return {
    ...answers,
    ...surroundings,
    isEmpty: flags.empty === true,
    toolwright: flags.toolwright ?? surroundings.toolwright,
  };
}

/** What nobody is asked for: the folder says it, or the program that runs us. */
export function findSurroundings(
  pack: string,
  found: Found,
  editor: readonly string[] = [],
): Pick<InitSettings, 'toolwright' | 'manager' | 'editors' | 'isRepository'> {
  return {
    toolwright: `^${ownVersion()}`,
    manager: chooseManager(pack),
    editors: chooseEditors(editor, found),
    isRepository: isRepository(pack),
  };
}

/** What the project says, else who runs us: `pnpm dlx toolwright init` is of somebody who uses pnpm. */
function chooseManager(pack: string): ManagerChoice {
  const project = findProject(pack);
  const agent = managerOfAgent(process.env['npm_config_user_agent']);
  const isKnown = project !== undefined && isManagerKnown(project);
  const { manager, major } = (isKnown ? project : agent) ?? { manager: 'npm' as const, major: undefined };
  const { folder, lockfile } = project ?? { folder: pack, lockfile: undefined };
  return {
    name: manager,
    major: major ?? (agent?.manager === manager ? agent.major : undefined),
    isModernYarn: manager === 'yarn' && isModernYarn({ major, folder, lockfile }),
    isPinned: isKnown && project.major !== undefined,
  };
}

/** Most have VS Code; a folder of JetBrains alone is of somebody who has not. */
function chooseEditors(named: readonly string[], found: Found): readonly Editor[] {
  if (named.length > 0) return editors.filter(editor => named.includes(editor));
  return found.editors.length > 0 ? found.editors : ['vscode'];
}

function usesTypeScript({ hasTsconfig, packageJson, source }: Found): boolean {
  return hasTsconfig || listsTypeScript(packageJson) || /\.[cm]?tsx?$/.test(source ?? '');
}

/** A folder below the root of a repository or of workspaces is a part of somebody's project. */
function isRepository(pack: string): boolean {
  const [own, ...above] = upwards(pack);
  if (own !== undefined && existsSync(`${own}/.git`)) return true;
  return !above.some(path => existsSync(`${path}/.git`) || isWorkspaceRoot(path));
}

function isWorkspaceRoot(path: string): boolean {
  return existsSync(`${path}/pnpm-workspace.yaml`) || readMap(path, 'package.json')['workspaces'] !== undefined;
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

export function makeFolder(pack: string): void {
  try {
    mkdirSync(pack, { recursive: true });
  } catch (error) {
    throw new UsageError(`${visible(pack)} cannot be created (${codeOf(error)})`);
  }
}

interface NextView {
  readonly pack: string;
  readonly cwd: string;
  /** It was one before. */
  readonly isPack: boolean;
  readonly isInstalled: boolean;
  /** What runs the tests. */
  readonly test: string;
}

function nextSteps({ manager, isEmpty }: InitSettings, { pack, cwd, isPack, isInstalled, test }: NextView): string {
  const { install, exec } = wordsFor(manager);
  const way = relative(cwd, pack);
  const steps = [
    ...(way === '' ? [] : [`cd ${/[^\w./-]/.test(way) ? JSON.stringify(way) : way}`]),
    ...(isInstalled ? [] : [install]),
    ...(isEmpty && !isPack ? [`${exec} toolwright add tool <name>`] : [test]),
    ...(isEmpty || isPack ? [] : [`${exec} toolwright call greet --arg name=Ada`]),
    `${exec} toolwright install claude-code`,
  ];
  return `\nNext:\n${steps.map(step => `  ${step}\n`).join('')}`;
}
