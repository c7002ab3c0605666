// What our own code uses of node:util, where there is no Node. Nobody can tell a proxy there.

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);
const isA =
  (...tags: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && tags.includes(tagOf(value));

export const types = {
  isProxy: (): boolean => false,
  isMap: isA('[object Map]'),
  isSet: isA('[object Set]'),
  isPromise: isA('[object Promise]'),
  isUint8Array: isA('[object Uint8Array]'),
  isArrayBuffer: isA('[object ArrayBuffer]'),
  isAnyArrayBuffer: isA('[object ArrayBuffer]', '[object SharedArrayBuffer]'),
  isNativeError: isA('[object Error]'),
};

/** For reports to the operator. */
export function inspect(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? `'${value}'` : String(value);
  try {
    return JSON.stringify(value) ?? tagOf(value);
  } catch {
    return tagOf(value);
  }
}
