// toolwright init [dir]
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { wordsOf } from '../../generator/author/init-package.js';
import {
  type Found,
  findProjectFiles,
  type InitSettings,
  packageNameProblem,
  toPackageName,
} from '../../generator/author/init-settings.js';
import { planInit } from '../../generator/author/plan-init.js';
import { codeOf, nodeFolder } from '../../runtime/load/folder.js';
import { packageFile } from '../../runtime/load/own-package.js';
import { findProject } from '../../runtime/packs/package-manager.js';
import { readMap, upwards } from '../../runtime/packs/workspaces.js';
import { hasErrors } from '../../schema/diagnostics.js';
import { packageOfPack } from '../../schema/names.js';
import { visible } from '../../schema/print/visible.js';
import { type AuthorFlags, carryOut, operationOf, printAuthored } from '../generate/author-report.js';
import { workingFolder } from '../pack/pack-command.js';
import { UsageError } from '../terminal/usage-error.js';
import { type Answers, askInit } from './ask-init.js';

export interface InitFlags extends AuthorFlags, Partial<Answers> {
  readonly toolwright?: string;
  readonly yes?: boolean;
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
  const { name, language, transport } = settings;
  process.stdout.write(printAuthored(authored, flags, { cwd, pack, more: { name, language, transport } }));
  if (hasErrors(diagnostics)) return 1;
  if (authored.isApplied && !flags.quiet && flags.format === 'text')
    process.stderr.write(nextSteps(settings, { pack, cwd, hasGreet: !found.isPack }));
  return 0;
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
      flags.description ?? (typeof described === 'string' && described !== '' ? described : 'My first tools'),
    language:
      flags.language ?? (found.packageJson === undefined || found.isBare || usesTypeScript(found) ? 'ts' : 'js'),
    transport: flags.transport ?? 'stdio',
  };
  // Who has said it is not asked again.
  const isKnown = { ...flags, ...(written === undefined ? {} : { name: written }) };
  const mayAsk = flags.yes !== true && flags.format === 'text' && !found.isPack;
  const answers = mayAsk ? await askInit(defaults, isKnown) : defaults;
  const problem = written === undefined ? packageNameProblem(answers.name) : undefined;
  if (problem !== undefined) throw new UsageError(`"${answers.name}" cannot be the name of a package: ${problem}`);
  return {
    ...answers,
    toolwright: flags.toolwright ?? `^${ownVersion()}`,
    manager: findProject(pack)?.manager ?? 'npm',
    isRepository: isRepository(pack),
  };
}

function usesTypeScript({ hasTsconfig, packageJson }: Found): boolean {
  const listed = { ...(packageJson?.['devDependencies'] as object), ...(packageJson?.['dependencies'] as object) };
  return hasTsconfig || Object.hasOwn(listed, 'typescript');
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

function makeFolder(pack: string): void {
  try {
    mkdirSync(pack, { recursive: true });
  } catch (error) {
    throw new UsageError(`${visible(pack)} cannot be made (${codeOf(error)})`);
  }
}

function nextSteps(
  { manager }: InitSettings,
  { pack, cwd, hasGreet }: { readonly pack: string; readonly cwd: string; readonly hasGreet: boolean },
): string {
  const { install, test, exec } = wordsOf(manager);
  const way = relative(cwd, pack);
  const steps = [
    ...(way === '' ? [] : [`cd ${/[^\w./-]/.test(way) ? JSON.stringify(way) : way}`]),
    install.text,
    test.text,
    ...(hasGreet ? [`${exec.text} toolwright call greet --arg name=Ada`] : []),
    `${exec.text} toolwright install claude-code`,
  ];
  return `\nNext:\n${steps.map(step => `  ${step}\n`).join('')}`;
}
