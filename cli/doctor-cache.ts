// The rule of doctor about the folder in which commands remember what they have read.
import { accessSync, constants, statSync } from 'node:fs';
import type { Rule } from '../generator/doctor/finding.js';
import { upwards } from '../runtime/packs/workspaces.js';
import { cacheFolder } from './memory/cache-file.js';

export const cacheRule: Rule = {
  id: 'cache',
  find() {
    const folder = cacheFolder('');
    if (folder === undefined)
      return [{ status: 'info', message: 'the cache is switched off: every run reads all files' }];
    if (canBeWritten(folder)) return [{ status: 'ok', message: `the cache is in ${folder}` }];
    const message = `the cache cannot be written: ${folder}. Every run reads all files`;
    return [{ status: 'warning', message, hint: 'TOOLWRIGHT_CACHE names another folder' }];
  },
};

/** The folder, or where it would be made. */
function canBeWritten(folder: string): boolean {
  try {
    const nearest = upwards(folder).find(one => statSync(one, { throwIfNoEntry: false }) !== undefined) ?? folder;
    accessSync(nearest, constants.W_OK);
    return statSync(nearest).isDirectory();
  } catch {
    return false;
  }
}
