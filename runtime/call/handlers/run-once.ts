// In: something to do for a key. Out: the same, done once: those who ask at the same time share it, a failure is tried again.

/**
 * Remembers successes only.
 *
 * @example const load = runOnce((path: string) => import(path));
 */
export function runOnce<K, T>(run: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const known = new Map<K, Promise<T>>();
  return key => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const running = run(key);
    known.set(key, running);
    running.catch(() => known.delete(key));
    return running;
  };
}
