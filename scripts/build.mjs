// Compiles the sources to dist/ and makes the published schemas and their validators. `--clean` starts from nothing.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { must, root } from './run.mjs';

if (process.argv.includes('--clean')) rmSync(join(root, 'dist'), { recursive: true, force: true });
must(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
must(process.execPath, ['dist/schema/source/make.js']);
chmodSync(join(root, 'dist/cli/main.js'), 0o755);
