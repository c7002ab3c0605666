import type { Initialize_Context } from '../generated/index.js';

/** The initialize function for the tool "search": prepares what must be ready before the first call. */
export default async function initialize(_ctx: Initialize_Context): Promise<void> {
  // Nothing to prepare yet.
}
