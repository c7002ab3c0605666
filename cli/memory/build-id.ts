/** Set by scripts/build.mjs to a hash of the compiler's sources. */
declare const __TOOLWRIGHT_BUILD__: string | undefined;

/** Which compiler this is: files that another one wrote are rendered anew. */
export const build = typeof __TOOLWRIGHT_BUILD__ === 'undefined' ? 'source' : __TOOLWRIGHT_BUILD__;
