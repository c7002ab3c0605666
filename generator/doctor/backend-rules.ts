// Rules about what items without code need on this machine: programs, and drivers of databases. Nothing is started.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environmentOf, prepareCommand } from '../../runtime/backends/exec/prepare-command.js';
import { findPostgresDriver, findSqliteDriver } from '../../runtime/backends/sql/drivers.js';
import type { Environment } from '../../runtime/call/context/config.js';
import { messageOf } from '../../runtime/call/print-cause.js';
import { isToolError } from '../../runtime/call/tool-error.js';
import type { Program } from '../../runtime/load/program.js';
import type { BackendDefinition } from '../../schema/definitions.js';
import { asList, asMap } from '../../schema/document.js';
import { type ExaminedPack, type Judgement, ofPack, type Rule, type Situation } from './finding.js';

/** Programs by name or path, and what needs each. */
function programsOf({ pack, tools }: Program): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const note = (command: unknown, user: string): void => {
    // With a setting in it, only the operator knows.
    if (typeof command !== 'string' || command.includes('{')) return;
    found.set(command, [...(found.get(command) ?? []), user]);
  };
  for (const { item, definition } of tools)
    if (definition.exec !== undefined && definition.enabled !== false) note(asMap(definition.exec)['command'], item);
  for (const [name, backend] of Object.entries(pack.backends ?? {}))
    if (backend.type === 'mcp') note(asList(backend.command)[0], `the backend ${name}`);
  return found;
}

/** Where it is not certain, as on Windows with its endings, nothing is said. */
function isThere(command: string, folder: string, env: Environment): boolean {
  if (process.platform === 'win32') return true;
  const ready = prepareCommand({ command }, { folder });
  if (ready.file !== command || ready.file.includes('/')) return isProgram(ready.file);
  const { PATH = '' } = environmentOf(ready, env);
  return PATH.split(delimiter).some(one => isProgram(join(one, command)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function judgePrograms({ generated, folder }: ExaminedPack, { env }: Situation): readonly Judgement[] {
  const { program } = generated.loaded;
  if (program === undefined) return [];
  const programs = [...programsOf(program)];
  const missing = programs.filter(([command]) => !isThere(command, folder, env));
  if (missing.length === 0) {
    const names = programs.map(([command]) => command);
    return names.length === 0 ? [] : [{ status: 'ok', message: `found ${names.join(', ')}` }];
  }
  return missing.map(([command, users]) => ({
    status: 'warning',
    message: `the program ${command} (needed by ${users.length > 3 ? `${users.length} items` : users.join(', ')}) is not there`,
    hint: command.includes('/')
      ? 'correct the path, or make the file executable'
      : 'install it, or add its folder to PATH',
  }));
}

function judgeDrivers({ generated, folder }: ExaminedPack): readonly Judgement[] {
  return Object.entries(generated.loaded.program?.pack.backends ?? {}).flatMap(
    ([name, backend]): readonly Judgement[] => {
      const find = driverOf(backend);
      if (find === undefined) return [];
      try {
        return [{ status: 'ok', message: `${name} uses ${find(folder, name).name}` }];
      } catch (error) {
        const hint = isToolError(error) ? error.suggestedFix : undefined;
        return [{ status: 'warning', message: messageOf(error), ...(hint === undefined ? {} : { hint }) }];
      }
    },
  );
}

/** Undefined where the address says which database it is, and only the operator knows it. */
function driverOf({
  type,
  ...backend
}: BackendDefinition): typeof findSqliteDriver | typeof findPostgresDriver | undefined {
  const url = 'url' in backend ? String(backend.url ?? '') : '';
  if (type === 'sqlite' || (type === 'sql' && url.startsWith('sqlite:'))) return findSqliteDriver;
  if (type === 'postgres' || (type === 'sql' && /^postgres(?:ql)?:/.test(url))) return findPostgresDriver;
  return undefined;
}

export const backendRules: readonly Rule[] = [ofPack('programs', judgePrograms), ofPack('drivers', judgeDrivers)];
