// T1: what a tool says about running as a task, and what `check` says about that.
import { describe, expect, it } from 'vitest';
import { type TaskPolicy, taskPolicyOf } from '../../../runtime/load/program.js';
import { check, loadFiles, tool } from '../../harness/pack.js';

function policyOf(definition: string): TaskPolicy | undefined {
  const [first] = loadFiles(tool(definition)).program?.tools ?? [];
  if (first === undefined) throw new Error('the pack has no tool');
  return taskPolicyOf(first);
}

const told = async (definition: string): Promise<readonly string[]> =>
  (await check(tool(definition))).map(({ code, severity, line, column }) => `${code} ${severity} ${line}:${column}`);

describe('the key task', () => {
  it('T1 a tool without it, and one that forbids it, never runs as a task', () => {
    for (const definition of [
      'description: d',
      'description: d\ntask: forbidden',
      'description: d\ntask: { mode: forbidden }',
    ])
      expect(policyOf(definition)).toBeUndefined();
  });

  it('T1 a word or a map says when it runs as one, and a map without a mode means optional', () => {
    expect(policyOf('description: d\ntask: required')?.mode).toBe('required');
    expect(policyOf('description: d\ntask: { mode: required }')?.mode).toBe('required');
    expect(policyOf('description: d\ntask: optional')).toEqual({ mode: 'optional', asksBefore: false, resumes: false });
    expect(policyOf('description: d\ntask: {}')).toEqual({ mode: 'optional', asksBefore: false, resumes: false });
    expect(policyOf('description: d\ntask: { ask: before, restart: resume }')).toEqual({
      ...{ mode: 'optional', asksBefore: true, resumes: true },
    });
  });

  it('T1 what reads or is idempotent resumes unless it says otherwise, and what must be confirmed asks before', () => {
    expect(policyOf('description: d\neffect: read\ntask: optional')?.resumes).toBe(true);
    expect(policyOf('description: d\nannotations: { idempotentHint: true }\ntask: optional')?.resumes).toBe(true);
    expect(policyOf('description: d\neffect: read\ntask: { restart: fail }')?.resumes).toBe(false);
    expect(policyOf('description: d\neffect: destructive\ntask: optional')?.resumes).toBe(false);
    expect(policyOf('description: d\nconfirm: true\ntask: optional')?.asksBefore).toBe(true);
  });

  it('T1 a word or key that does not exist is an error at its place', async () => {
    expect(await told('description: d\ntask: true\n')).toEqual(['validate/type error 2:7']);
    expect(await told('description: d\ntask: sometimes\n')).toEqual(['validate/value error 2:7']);
    expect(await told('description: d\ntask: [optional]\n')).toEqual(['validate/type error 2:7']);
    expect(await told('description: d\ntask:\n  restarts: resume\n')).toEqual(['validate/unknown-key error 3:3']);
    expect(await told('description: d\ntask:\n  ask: after\n')).toEqual(['validate/value error 3:8']);
  });

  it('T1 `check` warns of what makes no difference', async () => {
    expect(await told('description: d\ntask:\n  mode: forbidden\n  ask: before\n  restart: fail\n')).toEqual([
      'link/idle-task warning 4:3',
      'link/idle-task warning 5:3',
    ]);
    expect(await told('description: d\nconfirm: true\ntask:\n  ask: inside\n')).toEqual(['link/idle-task warning 4:3']);
    for (const task of ['forbidden', 'optional', 'required', '{ ask: before, restart: resume }', '{ mode: forbidden }'])
      expect(await told(`description: d\neffect: destructive\ntask: ${task}\n`)).toEqual([]);
  });

  it('T1 `check` warns of a request that a restart would send twice, unless the tool calls that harmless', async () => {
    const request = (more: string): string =>
      `description: d\nexec: { command: git }\n${more}task:\n  restart: resume\n`;
    expect(await told(request('effect: write\n'))).toEqual(['link/repeated-request warning 5:12']);
    expect(await told(request('effect: read\n'))).toEqual([]);
    expect(await told(request('effect: write\nannotations: { idempotentHint: true }\n'))).toEqual([]);
    expect(await told('description: d\nexec: { command: git }\neffect: write\ntask: optional\n')).toEqual([]);
  });
});
