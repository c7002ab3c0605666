// In: anything that was thrown. Out: whether it is of a class of ours, also of another copy of it: a built server keeps what it loads
// first and what it may never load in files of their own, each with its own classes.

/** Nothing can make it throw, not even a proxy that does not want to be asked. */
export function isBranded(value: unknown, brand: symbol): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return (value as Readonly<Record<symbol, unknown>>)[brand] === true;
  } catch {
    return false;
  }
}
