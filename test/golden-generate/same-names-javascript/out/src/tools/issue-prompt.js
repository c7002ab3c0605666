// @ts-check

/**
 * A tool whose types are called like those of a prompt.
 * @type {import('../../generated/index.js').IssuePromptHandler}
 */
export default async (_args, ctx) => {
  throw ctx.notImplemented();
};
