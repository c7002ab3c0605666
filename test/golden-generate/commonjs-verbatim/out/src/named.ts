import generated = require('../generated/index.js');

/** A named export. */
const run = generated.tools.named(async (_args, ctx) => {
  throw ctx.notImplemented();
});

const handlers = { run };

export = handlers;
