// @ts-check

/**
 * A named export.
 * @type {import('../generated/index.js').NamedHandler}
 */
const run = async (_args, ctx) => {
  throw ctx.notImplemented();
};

module.exports = { run };
