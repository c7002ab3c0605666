// @ts-check

/**
 * A named export.
 * @type {import('../generated/index.js').NamedHandler}
 */
export const run = async (_args, ctx) => {
  throw ctx.notImplemented();
};
