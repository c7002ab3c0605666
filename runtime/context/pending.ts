// Promises that do not end as usual: the ones that handlers wait for while somebody else is asked.

/** A promise that can only fail. */
export interface Failing {
  readonly promise: Promise<never>;
  reject(problem: unknown): void;
}

export function makeFailing(): Failing {
  let reject = (_problem: unknown): void => undefined;
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  return { promise, reject };
}

/** What nobody waits for must not end the process when it fails. */
export function quietly<T>(run: () => Promise<T>): Promise<T> {
  const promise = run();
  promise.catch(() => undefined);
  return promise;
}

/** A question that stays open: what waits for it is left behind. */
export function forever<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}
