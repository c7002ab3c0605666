import generated = require('../generated/index.js');

/** The completion for "project" in the prompt "triage": gives the values that fit what the user has typed so far. */
async function complete(typed: string, ctx: generated.Completion_Context): Promise<generated.Completion_Result> {
  throw ctx.notImplemented();
}

export = complete;
