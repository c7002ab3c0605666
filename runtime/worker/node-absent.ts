// What our own code imports of Node's other modules, where there is no Node: files are not there, and paths are those of the web.

const noFiles = (): never => {
  throw new Error('there are no files in a worker');
};

export const existsSync = (): boolean => false;
export const closeSync = noFiles;
export const fstatSync = noFiles;
export const lstatSync = noFiles;
export const openSync = noFiles;
export const readdirSync = noFiles;
export const readFileSync = noFiles;
export const readSync = noFiles;
export const realpathSync = noFiles;
export const statSync = noFiles;
export const createRequire = (): typeof noFiles => noFiles;
export const constants = { O_RDONLY: 0, O_NONBLOCK: 0 };

export const sep = '/';
export const delimiter = ':';
export const isAbsolute = (path: string): boolean => path.startsWith('/');
export const resolve = (...paths: readonly string[]): string => paths.filter(path => path !== '').join('/');
export const relative = (_: string, to: string): string => to;
export const join = (...paths: readonly string[]): string => resolve(...paths);
export const dirname = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const fileURLToPath = (url: string | URL): string => new URL(url).pathname;
export const pathToFileURL = (path: string): URL => new URL(`file://${path}`);

/** Web-standard signals warn nobody. */
export const setMaxListeners = (): void => {};

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
