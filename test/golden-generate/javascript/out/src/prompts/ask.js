// @ts-check

/**
 * Ask.
 * @type {import('../../generated/index.js').AskPromptHandler}
 */
export default async ({ topic }, ctx) => {
  throw ctx.notImplemented();
};
