// Preloaded by walk.mjs into the process that it watches: counts which functions run, from now on or since the last `reset`.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Taking the counts sets them to zero. In the same thread the answer is there when `post` returns. */
function take() {
  let taken;
  session.post('Profiler.takePreciseCoverage', (error, { result } = {}) => {
    if (error) throw error;
    taken = result;
  });
  return taken;
}

if (process.channel) {
  process.on('message', wish => {
    const taken = take();
    process.send(wish === 'reset' ? [] : taken);
  });
  process.channel.unref();
} else {
  process.on('exit', () => writeFileSync(process.env.TOOLWRIGHT_WALK_OUT, JSON.stringify(take())));
}
