// What holds for a connection over stdio holds with `--lane sdk` as well: the same tests, without the lean lane.
import { describe } from 'vitest';
import { useLane } from './serve-pipes.js';

useLane('sdk');
describe('stdio through the SDK alone', async () => {
  await import('./stdio-eras.test.js');
  await import('./stdio-lines.test.js');
});
