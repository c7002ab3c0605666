// Makes a clone ready for any other script: installs what is missing, then builds. Quick when there is nothing to do.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { must, root } from './run.mjs';

const installed = join(root, 'node_modules/.package-lock.json');
const wanted = join(root, 'package-lock.json');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs) {
  console.error('Installing dependencies ...');
  must('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}
console.error('Building ...');
must(process.execPath, ['scripts/build.mjs', '--setup']);
