import { tools } from '../../generated/index.js';

/**
 * The first paragraph, which is long enough that it has to be broken somewhere, because nobody wants to read lines
 * that are longer than a screen is wide.
 */
export default tools.demo(async ({ old, sample, bounded, titled }, ctx) => {
  throw ctx.notImplemented();
});
