// What `context:` builds for all handlers (M33, W61b). In: how to load and call it. Out: one object, built when it is
// first needed and disposed of at the end.
import type { HandlerRef } from '../../load/program.js';
import { runOnce } from './run-once.js';

export interface AppOptions {
  readonly ref: HandlerRef | undefined;
  load(ref: HandlerRef): Promise<unknown>;
  /** An export of the same module that need not be there. */
  find(ref: HandlerRef): Promise<unknown>;
  /** What the function is given. */
  setup(): object;
  /** Something went wrong while disposing; nobody waits for an answer any more. */
  failed(error: unknown): void;
}

export interface SharedApp {
  get(): Promise<unknown>;
  close(): Promise<void>;
}

export function createSharedApp({ ref, load, find, setup, failed }: AppOptions): SharedApp {
  let built: { readonly app: unknown } | undefined;
  let isClosed = false;
  const build = runOnce(async (where: HandlerRef): Promise<unknown> => {
    const create = (await load(where)) as (ctx: object) => unknown;
    const app = await create(setup());
    built = { app };
    return app;
  });
  let building: Promise<unknown> = Promise.resolve();
  return {
    async get() {
      if (isClosed) throw new Error('the server is shutting down');
      if (ref === undefined) return undefined;
      building = build(ref);
      return await building;
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      // What is only half built may hold a connection already.
      await building.catch(() => {});
      if (built === undefined || ref === undefined) return;
      try {
        await dispose(built.app, await find({ path: ref.path, export: 'dispose' }));
      } catch (error) {
        failed(error);
      }
    },
  };
}

/**
 * The object's own way first (`await using` of JavaScript, then a method `dispose`), else `dispose(app)` that the module of
 * the context exports.
 */
async function dispose(app: unknown, exported: unknown): Promise<void> {
  if (typeof app === 'object' && app !== null) {
    for (const key of [Symbol.asyncDispose, Symbol.dispose, 'dispose']) {
      const own = (app as Record<string | symbol, unknown>)[key];
      if (typeof own !== 'function') continue;
      await own.call(app);
      return;
    }
  }
  if (typeof exported === 'function') await exported(app);
}
