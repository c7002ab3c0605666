// Addresses of files that documents refer to. In: an address as it is written, and the one of the file that has it. Out: the address relative
// to the first document, whose own is empty; addresses of the network stay whole.

const isWhole = /^[a-z][a-z\d+.-]+:/i;

/** @example resolveAddress('schemas/pet.yaml', '../common.yaml') // 'common.yaml' */
export function resolveAddress(from: string, written: string): string {
  const address = written.trim().replaceAll('\\', '/');
  if (isWhole.test(address)) return address;
  if (isWhole.test(from)) return joinUrl(from, address);
  if (address.startsWith('/')) return address;
  return normalize(`${folderOf(from)}${decodePath(address)}`);
}

/** What diagnostics call a file that the document `main` refers to. */
export function shownAddress(main: string, address: string): string {
  if (address === '') return main;
  if (isWhole.test(address) || address.startsWith('/')) return address;
  return isWhole.test(main) ? joinUrl(main, address) : normalize(`${folderOf(main.replaceAll('\\', '/'))}${address}`);
}

export function joinUrl(base: string, address: string): string {
  try {
    return new URL(address, base).href;
  } catch {
    return address;
  }
}

/** The last part of an address: `api.yaml` of `specs/api.yaml`. */
export function fileName(address: string): string {
  return address.slice(folderOf(address.replaceAll('\\', '/')).length);
}

function folderOf(address: string): string {
  return address.slice(0, address.lastIndexOf('/') + 1);
}

function decodePath(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

function normalize(path: string): string {
  const isAbsolute = path.startsWith('/');
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else steps.push(step);
  }
  return `${isAbsolute ? '/' : ''}${steps.join('/')}`;
}
