import generated = require('../../generated/index.js');

/** Search issues */
const search = generated.tools.search(async ({ query }, ctx) => {
  throw ctx.notImplemented();
});

export = search;
