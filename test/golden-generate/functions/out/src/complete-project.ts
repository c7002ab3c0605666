import type { Completion_Context, Completion_Result } from '../generated/index.js';

/** The completion for "project" in the prompt "triage": gives the values that fit what the user has typed so far. */
export default async function complete(typed: string, ctx: Completion_Context): Promise<Completion_Result> {
  throw ctx.notImplemented();
}
