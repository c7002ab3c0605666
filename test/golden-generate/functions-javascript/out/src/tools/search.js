// @ts-check

/**
 * Search issues
 * @type {import('../../generated/index.js').SearchHandler}
 */
export default async ({ query }, ctx) => {
  throw ctx.notImplemented();
};
