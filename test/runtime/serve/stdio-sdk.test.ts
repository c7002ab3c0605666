// What holds for a connection over stdio holds with `--protocol sdk` as well: the same tests, without our own code.
import { describe } from 'vitest';
import { useProtocol } from './serve-pipes.js';

useProtocol('sdk');
describe('stdio through the SDK alone', async () => {
  await import('./stdio-eras.test.js');
  await import('./stdio-lines.test.js');
});
