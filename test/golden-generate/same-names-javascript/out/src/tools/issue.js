// @ts-check

/**
 * The tool.
 * @type {import('../../generated/index.js').IssueHandler}
 */
export default async ({ id }, ctx) => {
  throw ctx.notImplemented();
};
