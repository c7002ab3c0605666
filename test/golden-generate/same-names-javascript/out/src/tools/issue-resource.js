// @ts-check

/**
 * A tool whose types are called like those of a resource.
 * @type {import('../../generated/index.js').IssueResourceHandler}
 */
export default async (_args, ctx) => {
  throw ctx.notImplemented();
};
