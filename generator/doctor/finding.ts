// The nouns of `toolwright doctor`: what rules look at, and what they find. In: rules and a situation. Out: findings, in the order of
// the rules.
import type { Environment } from '../../runtime/call/context/config.js';
import type { CheckReport } from '../../runtime/packs/check.js';
import type { ComposedServer } from '../../runtime/packs/compose.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import type { Generated } from '../compile/generate.js';
import type { Project, TsconfigOptions } from '../compile/project/project.js';

export type FindingStatus = 'ok' | 'info' | 'warning' | 'error';

export interface Judgement {
  readonly status: FindingStatus;
  /** A sentence. Never a value of the environment: those may be secret, whatever they are called. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}

export interface Finding extends Judgement {
  /** The name of the rule. */
  readonly id: string;
}

/** What a pack is found to be without running any of it. */
export interface ExaminedPack {
  readonly folder: string;
  /** The version that generated last, or that somebody asks about; undefined where nothing was generated. */
  readonly madeBy: string | undefined;
  readonly report: CheckReport;
  /** What `generate --check` sees. */
  readonly generated: Generated;
  /** Its servers with what they take from other packs. */
  readonly servers: readonly ComposedServer[];
  /** What the settings of an install (TOOLWRIGHT_SETTINGS) get wrong in this pack. */
  readonly settings: readonly Diagnostic[];
  readonly project: Project | undefined;
  readonly tsconfig: { readonly options: TsconfigOptions | undefined; readonly diagnostics: readonly Diagnostic[] };
}

export interface Situation {
  /** Where somebody asked. */
  readonly cwd: string;
  readonly env: Environment;
  /** What `.env` adds for `dev`, `call` and `test`. */
  readonly dotEnv: Environment;
  /** Of the Node that runs, as in `22.11.0`. */
  readonly node: string;
  /** Undefined where there is none. */
  readonly pack: ExaminedPack | undefined;
}

export interface Rule {
  readonly id: string;
  /** Nothing where the rule does not apply. */
  find(situation: Situation): readonly Judgement[] | Promise<readonly Judgement[]>;
}

/** A rule for those who are in a pack. */
export function ofPack(
  id: string,
  find: (pack: ExaminedPack, situation: Situation) => readonly Judgement[] | Promise<readonly Judgement[]>,
): Rule {
  return { id, find: situation => (situation.pack === undefined ? [] : find(situation.pack, situation)) };
}

/** @example const findings = await examine([...machineRules, ...packRules], situation); */
export async function examine(rules: readonly Rule[], situation: Situation): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { id, find } of rules) {
    for (const { status, message, hint } of await find(situation))
      findings.push({ id, status, message, ...(hint === undefined ? {} : { hint }) });
  }
  return findings;
}
