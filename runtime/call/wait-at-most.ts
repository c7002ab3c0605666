// In: something that may take for ever. Out: a wait that does not. On its own, since servers load it before anything else.

/** Waits until it is done, or gives up after that many milliseconds. */
export async function waitAtMost(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
