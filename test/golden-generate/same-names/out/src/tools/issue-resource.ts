import { tools } from '../../generated/index.js';

/** A tool whose types are called like those of a resource. */
export default tools.issueResource(async (_args, ctx) => {
  throw ctx.notImplemented();
});
