// In: processes that were replaced while they had calls to answer. Out: each ends when they are answered, or when it is time.
import { within } from '../protocol/within.js';
import type { RemoteServer } from './remote-server.js';

/** As long as a tool may take where it says nothing else. */
const defaultMs = 60_000;
/** More than this do not stay, whatever they still do. */
const most = 3;

export interface Drain {
  add(remote: RemoteServer): void;
  /** Ends all of them now; settled when they are gone. */
  close(): Promise<void>;
}

export function openDrain(milliseconds: number = defaultMs): Drain {
  const all = new Map<Promise<void>, () => void>();
  const endOldest = (): void => {
    const [oldest] = all;
    oldest?.[1]();
  };
  return {
    add(remote) {
      let end = (): void => undefined;
      const early = new Promise<void>(resolve => {
        end = resolve;
      });
      const done = within(milliseconds, Promise.race([early, remote.idle()])).then(() => remote.end());
      all.set(done, end);
      void done.then(() => all.delete(done));
      if (all.size > most) endOldest();
    },
    async close() {
      for (const end of all.values()) end();
      await Promise.all(all.keys());
    },
  };
}
