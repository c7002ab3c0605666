// In: an item without code, and a call of it. Out: what its work gives, or on a dry run what it would do.
import type { CallScope, ItemWork } from './ports.js';

/** What would be done, for people. Nothing was, so that it does not have to be what the item promises. */
export class Preview {
  constructor(readonly text: string) {}
}

export function runWork(work: ItemWork, args: unknown, call: CallScope): unknown {
  return call.request.isDryRun === true ? new Preview(work.preview(args, call)) : work.run(args, call);
}
