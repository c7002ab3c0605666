// In: a surface and the hosts below it. Out: the server that code holds: ways to serve, tools that come and go, an end.
import type { PackHost } from '../../call/ports.js';
import type { Surface } from '../../surface/surface.js';
import type { OpenServer } from '../open-server.js';
import { makeRegistry } from '../registry/make-registry.js';
import { makeGrowth } from './growth.js';
import type { CodePack } from './link-code.js';
import type { ToolServer } from './server.js';
import type { SettledOptions } from './server-options.js';
import { makeServing } from './serving.js';

export interface ServerParts {
  readonly options: SettledOptions;
  readonly codePack: CodePack;
  /** Runs what code defines, also later. */
  readonly codeHost: PackHost;
  readonly open: OpenServer;
}

export function runServer(surface: Surface, { options, codePack, codeHost, open }: ServerParts): ToolServer {
  const serving = makeServing(surface, options);
  const { add, remove } = makeGrowth(surface, { options, codePack, codeHost, open });
  const registry = makeRegistry(surface, async () => {});
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await serving.close();
      await registry.close();
      await open.close();
    })();
    return closing;
  };
  return {
    name: surface.info.name,
    get tools() {
      return registry.list();
    },
    registry,
    serveStdio: serving.serveStdio,
    serveHttp: serving.serveHttp,
    fetch: serving.fetch,
    add,
    remove,
    close,
    [Symbol.asyncDispose]: close,
  };
}
