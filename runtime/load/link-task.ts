// T1. In: what a tool says about running as a task. Out: what of it makes no difference, or does harm.
import { callKindOf } from '../../schema/backend/calls.js';
import { diagnose } from '../../schema/diagnostics.js';
import { isMap, type Locator } from '../../schema/document.js';
import type { Raw } from './link-inputs.js';
import type { Scope } from './link-item.js';

export function checkTask(raw: Raw, at: Locator, { diagnostics }: Pick<Scope, 'diagnostics'>): void {
  const { task, effect, confirm, annotations } = raw;
  if (!isMap(task)) return;
  const idle = (key: 'ask' | 'restart', why: 'forbidden' | 'confirmed'): void => {
    diagnostics.push(diagnose('link/idle-task', { key, why }, at.site(['task', key], 'key')));
  };
  if (task['mode'] === 'forbidden') {
    for (const key of ['ask', 'restart'] as const) if (task[key] !== undefined) idle(key, 'forbidden');
    return;
  }
  if (task['ask'] === 'inside' && confirm === true) idle('ask', 'confirmed');
  const key = callKindOf(raw);
  const isRepeatable = effect === 'read' || (isMap(annotations) && annotations['idempotentHint'] === true);
  // A handler has ctx.once for what must not happen twice; what runs in place of one has nothing.
  if (key !== undefined && !isRepeatable && task['restart'] === 'resume')
    diagnostics.push(diagnose('link/repeated-request', { key }, at.site(['task', 'restart'])));
}
