// B3. In: `exec` of a tool. Out: what runs it: the program with its arguments filled in.
import { makeFillArgs } from '../../../schema/backend/exec-args.js';
import { type FillValues, makeFillText, makeFillTree } from '../../../schema/backend/fill.js';
import type { ExecCall } from '../../../schema/definitions.js';
import type { Command } from '../../../schema/support/mcp/backends.js';
import { previewCommand, runCommand } from '../exec/run-command.js';
import type { BackendScope } from '../ports.js';
import type { FilledWork } from './item-work.js';

export function execWork(exec: ExecCall, scope: BackendScope): FilledWork {
  const fillArgs = makeFillArgs(exec.args);
  const fillStdin = exec.stdin === undefined ? undefined : makeFillText(exec.stdin);
  const fillCwd = exec.cwd === undefined ? undefined : makeFillText(exec.cwd);
  const fillEnv = makeFillTree(exec.env ?? {});
  const commandOf = (values: FillValues): Command => ({
    command: exec.command,
    args: fillArgs(values),
    cwd: fillCwd?.(values) as string | undefined,
    env: fillEnv(values) as Command['env'],
    stdin: fillStdin?.(values),
    result: exec.result,
    ok: exec.ok,
  });
  return {
    run: (values, call) => runCommand(commandOf(values), call, scope),
    preview: values => previewCommand(commandOf(values), scope),
  };
}
