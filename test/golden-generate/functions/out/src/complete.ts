import { type Completion_Context, type Completion_Result, resources } from '../generated/index.js';

export const issue = resources.issue(async ({ key }, ctx) => {
  throw ctx.notImplemented();
});

/** The completion for "key" in the prompt "triage": gives the values that fit what the user has typed so far. */
export async function issueKeys(typed: string, ctx: Completion_Context): Promise<Completion_Result> {
  throw ctx.notImplemented();
}
