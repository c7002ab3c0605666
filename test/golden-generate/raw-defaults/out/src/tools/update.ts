import { tools } from '../../generated/index.js';

/** A default of JSON Schema is an annotation, so that handlers may find nothing there. */
export default tools.update(async ({ owner, limits }, ctx) => {
  throw ctx.notImplemented();
});
