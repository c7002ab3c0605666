import { resources } from '../../generated/index.js';

/** An issue. */
export default resources.issue(async ({ project, key, fields, expand }, ctx) => {
  throw ctx.notImplemented();
});
