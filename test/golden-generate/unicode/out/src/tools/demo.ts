import { tools } from '../../generated/index.js';

/** Größe messen — 日本語 😀 עברית. */
export default tools.demo(async ({ größe, 名前, naïve }, ctx) => {
  throw ctx.notImplemented();
});
