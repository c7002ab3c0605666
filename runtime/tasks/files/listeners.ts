// Who wants to know of changes. Those of this process are reported at once, those of others are looked for, as long as somebody listens.
import { lookAt, type Shape } from './lookout.js';
import type { TaskFiles } from './task-files.js';

export interface Listeners {
  add(id: string, listen: () => void): () => void;
  tell(id: string): void;
  close(): void;
}

interface Watched {
  readonly listening: Set<() => void>;
  shape: Shape & { readonly isOver: boolean };
}

export function makeListeners(files: TaskFiles, everyMs: number): Listeners {
  const all = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;

  function shapeOf(id: string, known = { run: 0, answers: 0 }): Watched['shape'] {
    return { ...lookAt(files, id, known), isOver: files.has('ends', id) };
  }

  function look(): void {
    for (const [id, watched] of all) {
      const { shape } = watched;
      watched.shape = shapeOf(id, shape);
      const { run, answers, size, isOver } = watched.shape;
      const isSame = run === shape.run && answers === shape.answers && size === shape.size && isOver === shape.isOver;
      if (!isSame) tell(id);
    }
  }

  function tell(id: string): void {
    for (const listen of all.get(id)?.listening ?? []) queueMicrotask(listen);
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(id, listen) {
      const watched = all.get(id) ?? { listening: new Set(), shape: shapeOf(id) };
      all.set(id, watched);
      watched.listening.add(listen);
      timer ??= setInterval(look, everyMs).unref();
      return () => {
        watched.listening.delete(listen);
        if (watched.listening.size === 0 && all.get(id) === watched) all.delete(id);
        if (all.size === 0) stop();
      };
    },
    tell,
    close() {
      all.clear();
      stop();
    },
  };
}
