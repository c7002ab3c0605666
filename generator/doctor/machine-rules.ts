// Rules about the machine: Node, which toolwright runs, and what the environment says to both.

import { existsSync, realpathSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../../runtime/call/context/options.js';
import { readStateKey } from '../../runtime/call/context/seal.js';
import { settingsVariable } from '../../runtime/load/overlay.js';
import { packageFile } from '../../runtime/load/own-package.js';
import { copiesOf, isAtLeast, readPackage, versionOf } from '../../runtime/packs/installed-package.js';
import { isMap } from '../../schema/document.js';
import { parseJson } from '../../schema/json-text.js';
import { didYouMean } from '../../schema/nearest.js';
import { ownVariables } from '../../schema/variables.js';
import type { Judgement, Rule, Situation } from './finding.js';

function judgeNode({ node }: Situation): readonly Judgement[] {
  const engines = readPackage(fileURLToPath(packageFile()))?.['engines'];
  const wanted = isMap(engines) ? String(engines['node']) : '';
  const [, least] = /^>=(\d+\.\d+)/.exec(wanted) ?? [];
  if (least === undefined) return [];
  if (isAtLeast(node, least)) return [{ status: 'ok', message: `Node ${node}` }];
  return [{ status: 'error', message: `Node ${node} is too old`, hint: `install Node ${least} or later` }];
}

function judgeToolwright({ cwd, pack }: Situation): readonly Judgement[] {
  const running = realpathSync(fileURLToPath(packageFile()));
  const version = versionOf(readPackage(running)) ?? 'of an unknown version';
  const copies = copiesOf('toolwright', pack?.folder ?? cwd).map(folder => realpathSync(folder));
  const [own, ...others] = new Set(copies);
  const of = `toolwright ${version} in ${running}`;
  if (own === undefined) return [{ status: 'ok', message: `${of}; the project has none of its own` }];
  const more = others.map(
    (folder): Judgement => ({
      status: 'info',
      message: `there is another toolwright, ${versionOf(readPackage(folder))}, further up: ${folder}`,
    }),
  );
  if (own === running) return [{ status: 'ok', message: `${of}, the project's own` }, ...more];
  const theirs = versionOf(readPackage(own));
  if (theirs === version)
    return [{ status: 'info', message: `${of}; the project has its own copy of the same version` }, ...more];
  const message = `${of} runs, but the project has ${theirs ?? 'another version'}`;
  return [{ status: 'warning', message, hint: "run the project's version: npx toolwright" }, ...more];
}

interface NodeFlag {
  readonly flag: RegExp;
  readonly does: string;
}

const nodeFlags: readonly NodeFlag[] = [
  {
    flag: /(?:^|\s)(--disallow[-_]code[-_]generation[-_]from[-_]strings)\b/,
    does: 'forbids eval: unusual schemas need generated validators',
  },
  {
    flag: /(?:^|\s)(-r|--require|--import|--loader|--experimental-loader)(?=[\s=])/,
    does: 'loads code into every Node process: if it prints to stdout, it disturbs servers over stdio',
  },
  {
    flag: /(?:^|\s)(--permission|--experimental-permission)\b/,
    does: 'restricts what Node may read: packs and their handlers must be among it',
  },
];

/** By the names of flags only: what follows them is nobody's business. */
function judgeNodeOptions({ env }: Situation): readonly Judgement[] {
  const given = env['NODE_OPTIONS'] ?? '';
  return nodeFlags.flatMap(({ flag, does }): Judgement[] => {
    const [, name] = flag.exec(given) ?? [];
    return name === undefined ? [] : [{ status: 'info', message: `NODE_OPTIONS has ${name}, which ${does}` }];
  });
}

/** Undefined where nothing is wrong with the value, which is never shown. */
type FindProblem = (value: string, situation: Situation) => Judgement | undefined;

const problems: Readonly<Record<string, FindProblem>> = {
  TOOLWRIGHT_OPTIONS: judgeOptions,
  TOOLWRIGHT_OVERLAY: judgeFolders('error'),
  TOOLWRIGHT_ROOTS: judgeFolders('warning'),
  [settingsVariable]: judgeSettings,
  TOOLWRIGHT_STATE_KEY: judgeKey,
};

function judgeOptions(value: string): Judgement | undefined {
  // Which tools there are, the server knows; here it is about the form.
  const isBroken = readOptions(value, []).diagnostics.some(({ code }) => code === 'options/json');
  if (!isBroken) return undefined;
  return {
    status: 'warning',
    message: 'does not have the right JSON form, and is ignored',
    hint: '{"tool": {"option": 1}}',
  };
}

function judgeSettings(value: string): Judgement | undefined {
  if (value.trim() === '' || isMap(parseJson(value))) return undefined;
  const hint = '{"tools": {"delete-issue": {"enabled": false}}}';
  return { status: 'error', message: 'is not a map in JSON, and keeps servers from starting', hint };
}

function judgeKey(value: string): Judgement | undefined {
  const isBroken = readStateKey(value).diagnostics.length > 0;
  if (!isBroken) return undefined;
  const hint = 'openssl rand -base64 32 makes a good one';
  return { status: 'error', message: 'is too short, and keeps servers from starting', hint };
}

function judgeFolders(status: 'error' | 'warning'): FindProblem {
  return (value, { cwd }) => {
    const folders = value.split(delimiter).filter(path => path.trim() !== '');
    const isMissing = folders.some(path => !existsSync(resolve(cwd, path.trim())));
    const hint = 'name existing folders, or unset it';
    return isMissing ? { status, message: 'names a folder that is not there', hint } : undefined;
  };
}

function judgeVariables(situation: Situation): readonly Judgement[] {
  const { env, pack } = situation;
  const known = ownVariables.map(({ name }) => name);
  const own = Object.keys(pack?.generated.loaded.program?.pack.config ?? {});
  const names = Object.keys(env).filter(name => name.startsWith('TOOLWRIGHT_') && env[name] !== '');
  return names.sort().flatMap((name): Judgement[] => {
    const variable = ownVariables.find(one => one.name === name);
    if (variable === undefined) {
      const message = `${name} is set, but Toolwright does not read it`;
      return own.includes(name) ? [] : [{ status: 'info', message, hint: didYouMean(name, known) }];
    }
    const problem = problems[name]?.(env[name] ?? '', situation);
    if (problem === undefined) return [{ status: 'info', message: `${name} is set: it ${variable.does}` }];
    return [{ ...problem, message: `${name} ${problem.message}` }];
  });
}

export const machineRules: readonly Rule[] = [
  { id: 'node', find: judgeNode },
  { id: 'toolwright', find: judgeToolwright },
  { id: 'node-options', find: judgeNodeOptions },
  { id: 'variables', find: judgeVariables },
];
