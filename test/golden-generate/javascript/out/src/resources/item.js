// @ts-check

/**
 * An item.
 * @type {import('../../generated/index.js').ItemResourceHandler}
 */
export default async ({ id }, ctx) => {
  throw ctx.notImplemented();
};
