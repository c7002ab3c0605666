// What generated validators call, and the types that handlers see. Only ever grows: published packs depend on it.

export { type Format, formats } from './support/formats.js';
export type * from './support/mcp/backends.js';
export type * from './support/mcp/client.js';
export type * from './support/mcp/content.js';
export type * from './support/mcp/context.js';
export { Steps } from './support/steps.js';
export { boundValidator, type Filling, inTurn, makeValidator } from './support/validator.js';
export { equal, findSame, ucs2length } from './support/values.js';
