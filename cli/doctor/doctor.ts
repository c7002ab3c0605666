// toolwright doctor [path]
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backendRules } from '../../generator/doctor/backend-rules.js';
import { configRules } from '../../generator/doctor/config-rules.js';
import type { Rule } from '../../generator/doctor/finding.js';
import { examine, type Finding, type FindingStatus, type Situation } from '../../generator/doctor/finding.js';
import { machineRules } from '../../generator/doctor/machine-rules.js';
import { packRules, readPack } from '../../generator/doctor/pack-rules.js';
import { projectRules } from '../../generator/doctor/project-rules.js';
import { upgradeRules } from '../../generator/doctor/upgrade-rules.js';
import { upwards } from '../../runtime/load/find-pack.js';
import { manifestFile } from '../../runtime/load/manifest.js';
import { isVersion } from '../../runtime/packs/installed-package.js';
import { plural } from '../../schema/print/diagnostics.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { version } from '../../schema/version.js';
import { build } from '../memory/build-id.js';
import { cacheFolder } from '../memory/memory.js';
import { findPack } from '../pack/find-pack.js';
import { colors, findPackAround, overlaysOf, workingFolder } from '../pack/pack-command.js';
import { peekDotEnv } from '../start/env-file.js';
import type { CommonFlags } from '../terminal/flags.js';
import { UsageError } from '../terminal/usage-error.js';
import { clientRules } from './doctor-clients.js';

export interface DoctorFlags extends CommonFlags {
  /** The version to upgrade from. */
  readonly since?: string;
}

export async function doctor(path: string | undefined, flags: DoctorFlags): Promise<number> {
  const situation = await lookAround(path, flags);
  const rules = [
    ...machineRules,
    cacheRule,
    ...packRules,
    ...upgradeRules,
    ...projectRules,
    ...configRules,
    ...backendRules,
    ...clientRules,
  ];
  const checks = await examine(rules, situation);
  const ok = !checks.some(({ status }) => status === 'error');
  process.stdout.write(flags.format === 'json' ? `${visibleJson({ ok, checks })}\n` : printFindings(checks, flags));
  return ok ? 0 : 1;
}

async function lookAround(path: string | undefined, flags: DoctorFlags): Promise<Situation> {
  const { since } = flags;
  if (since !== undefined && !isVersion(since))
    throw new UsageError(`--since needs a version such as ${version}, not "${visible(since)}"`);
  const cwd = workingFolder(flags);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`there is no folder "${cwd}"`);
  const folder = path === undefined ? findPackAround(cwd) : findPack(path, cwd);
  const isPack = existsSync(join(folder, manifestFile));
  // Anyone who names a pack means one.
  if (!isPack && path !== undefined) throw new UsageError(`there is no ${manifestFile} in "${folder}"`);
  const { env } = process;
  const overlays = overlaysOf({ overlay: [] }, cwd);
  return {
    cwd,
    env,
    dotEnv: peekDotEnv(folder),
    node: process.versions.node,
    pack: isPack ? await readPack(folder, { env, overlays, since, build }) : undefined,
  };
}

function printFindings(findings: readonly Finding[], flags: CommonFlags): string {
  const paint = colors(flags);
  const paints: Readonly<Record<FindingStatus, (text: string) => string>> = {
    ok: paint.green,
    info: paint.blue,
    warning: paint.yellow,
    error: paint.red,
  };
  const shown = flags.quiet ? findings.filter(({ status }) => status === 'error') : findings;
  const width = Math.max(0, ...shown.map(({ id }) => id.length));
  const lines = shown.flatMap(({ id, status, message, hint }) => [
    `${paints[status](status.padEnd(7))}  ${id.padEnd(width)}  ${visible(message)}`,
    ...(hint === undefined ? [] : [`${' '.repeat(11 + width)}${paint.dim(visible(hint))}`]),
  ]);
  const summary = flags.quiet ? [] : [countFindings(findings)];
  return [...lines, ...summary].map(line => `${line}\n`).join('');
}

function countFindings(findings: readonly Finding[]): string {
  const counts = (['error', 'warning'] as const).flatMap(word => {
    const count = findings.filter(({ status }) => status === word).length;
    return count === 0 ? [] : [plural(count, word)];
  });
  return counts.length === 0 ? 'no problems found' : counts.join(', ');
}

const cacheRule: Rule = {
  id: 'cache',
  find() {
    const folder = cacheFolder('');
    if (folder === undefined) return [{ status: 'info', message: 'the cache is off: every run reads all files' }];
    if (canBeWritten(folder)) return [{ status: 'ok', message: `the cache is in ${folder}` }];
    const message = `the cache folder cannot be written: ${folder}. Every run reads all files`;
    return [{ status: 'warning', message, hint: 'set TOOLWRIGHT_CACHE to another folder' }];
  },
};

/** The folder, or where it would be made. */
function canBeWritten(folder: string): boolean {
  try {
    const nearest = upwards(folder).find(one => statSync(one, { throwIfNoEntry: false }) !== undefined) ?? folder;
    accessSync(nearest, constants.W_OK);
    return statSync(nearest).isDirectory();
  } catch {
    return false;
  }
}
