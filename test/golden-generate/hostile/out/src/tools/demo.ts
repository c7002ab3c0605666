import { tools } from '../../generated/index.js';

/** Ends *\/ here `${process.exit(1)}` </script> 'single' "double" */
export default tools.demo(async ({ a, b, c }, ctx) => {
  throw ctx.notImplemented();
});
