import generated = require('../generated/index.js');

/** The initialize function for the tool "search": prepares what must be ready before the first call. */
async function initialize(_ctx: generated.Initialize_Context): Promise<void> {
  // Nothing to prepare yet.
}

export = initialize;
