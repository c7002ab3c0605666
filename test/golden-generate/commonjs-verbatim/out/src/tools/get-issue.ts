import generated = require('../../generated/index.js');

/** Get an issue. */
const getIssue = generated.tools.getIssue(async ({ issueKey }, ctx) => {
  throw ctx.notImplemented();
});

export = getIssue;
