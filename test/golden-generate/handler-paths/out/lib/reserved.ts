import { tools } from '../build/api/index.js';

/** An export with a reserved word for its name. */
const _delete = tools.reserved(async (_args, ctx) => {
  throw ctx.notImplemented();
});

export { _delete as delete };
