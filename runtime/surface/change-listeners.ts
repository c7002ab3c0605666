// In: who wants to hear of changes. Out: a way to tell them all, in order; one that fails keeps nobody else from hearing.
import { printCause } from '../call/print-cause.js';
import type { Surface } from './surface.js';

type Listener = Parameters<Surface['onChange']>[0];

export function makeChangeListeners(report: (text: string) => void): Pick<Surface, 'onChange' | 'announce'> {
  const listeners = new Set<Listener>();
  return {
    onChange(listen) {
      // A function of its own, so that a listener that was added twice hears twice.
      const listener: Listener = change => listen(change);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    announce(change) {
      for (const listen of [...listeners]) {
        try {
          listen(change);
        } catch (error) {
          report(`A listener for changes failed: ${printCause(error)}`);
        }
      }
    },
  };
}
