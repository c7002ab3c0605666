import generated = require('../generated/index.js');

const issue = generated.resources.issue(async ({ key }, ctx) => {
  throw ctx.notImplemented();
});

/** The completion for "key" in the prompt "triage": gives the values that fit what the user has typed so far. */
async function issueKeys(typed: string, ctx: generated.Completion_Context): Promise<generated.Completion_Result> {
  throw ctx.notImplemented();
}

const handlers = { issue, issueKeys };

export = handlers;
