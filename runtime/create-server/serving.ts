// In: a surface and the options of a server. Out: the ways to serve it. What speaks MCP is loaded when it is first used.
import type { Surface } from '../surface/surface.js';
import type { HttpServing, ServeHttpOptions, ServeStdioOptions, StdioServing } from './server.js';
import type { SettledOptions } from './server-options.js';

export interface Serving {
  serveStdio(options?: ServeStdioOptions): Promise<StdioServing>;
  serveHttp(options?: ServeHttpOptions): Promise<HttpServing>;
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export function makeServing(surface: Surface, settled: SettledOptions): Serving {
  const open = new Set<{ close(): Promise<void> }>();
  let isClosed = false;
  const track = <S extends { close(): Promise<void> }>(serving: S): S => {
    open.add(serving);
    return serving;
  };
  return {
    async serveStdio(options = {}) {
      const { serveStdio } = await import('../serve/serve-stdio.js');
      refuseIfClosed();
      return track(serveStdio(surface, options));
    },
    async serveHttp(options = {}) {
      throw new Error(`not yet ${String(options)} ${settled.name}`);
    },
    async fetch(request) {
      throw new Error(`not yet ${request.url}`);
    },
    async close() {
      isClosed = true;
      await Promise.all([...open].map(serving => serving.close()));
    },
  };

  function refuseIfClosed(): void {
    if (isClosed) throw new Error(`The server ${settled.name} is closed`);
  }
}
