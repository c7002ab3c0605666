// @ts-check

/**
 * The resource.
 * @type {import('../../generated/index.js').IssueResourceHandler_}
 */
export default async ({ id }, ctx) => {
  throw ctx.notImplemented();
};
