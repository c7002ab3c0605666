// @ts-check

/**
 * Search issues
 * @type {import('../../generated/index.js').SearchHandler}
 */
const search = async ({ query }, ctx) => {
  throw ctx.notImplemented();
};

module.exports = search;
