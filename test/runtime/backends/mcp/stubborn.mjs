// A server that never says a word, ignores the end of its stdin, and has started another program like it.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const [port, role] = process.argv.slice(2);
connect(Number(port), '127.0.0.1').on('error', () => process.exit());
setInterval(() => undefined, 1000);
if (role === 'parent') spawn(process.execPath, [fileURLToPath(import.meta.url), port, 'child'], { stdio: 'ignore' });
