// In: a server that is open, and how its diagnostics are said. Out: the same for commands that run it: what cannot be served has been
// said on stderr, once.

import { loadProblemOf } from '../../runtime/call/handler-problem.js';
import type { Hosts } from '../../runtime/call/handlers/open-host.js';
import { messageOf } from '../../runtime/call/print-cause.js';
import type { Server } from '../../runtime/load/program.js';
import type { ComposedServer } from '../../runtime/packs/compose.js';
import { printReport } from '../../runtime/serve/print-report.js';
import type { Watchdog } from '../../runtime/serve/watchdog.js';
import type { Composition, OpenServer, Resolved } from '../../runtime/server/open-server.js';
import type { Surface } from '../../runtime/surface/surface.js';

export interface Served {
  readonly composed: ComposedServer;
  readonly surface: Surface;
}

export interface OpenedServer {
  readonly server: Server;
  readonly hosts: Hosts;
  /** Knows what runs; serving arms it. */
  readonly watchdog: Watchdog;
  /** Undefined where it cannot be served, which has been said. */
  resolve(): Served | undefined;
  /** Once everything that runs at start has run. Undefined where the server cannot start, which has been said. */
  start(): Promise<Served | undefined>;
  /** Leaves tasks to another process, and disposes of what handlers share. */
  close(): Promise<void>;
}

export type Opened<O extends OpenedServer = OpenedServer> = { readonly exit: number } | { readonly open: O };

type FromManifest = Composition & { readonly composed: ComposedServer };

/** `accept` says what there is to say, and whether the server may be served all the same. */
export function tellOfServer<C extends FromManifest>(
  open: OpenServer<C>,
  { server, watchdog }: Pick<OpenedServer, 'server' | 'watchdog'>,
  accept: (resolved: Resolved<C>) => boolean,
): OpenedServer {
  const { hosts } = open;
  let told: { readonly served: Served | undefined } | undefined;
  const tell = (resolved: Resolved<C>): Served | undefined => {
    const { surface, composition } = resolved;
    told ??= {
      served: accept(resolved) && surface !== undefined ? { composed: composition.composed, surface } : undefined,
    };
    return told.served;
  };
  return {
    server,
    hosts,
    watchdog,
    resolve: () => tell(open.resolve()),
    async start() {
      try {
        await open.start(resolved => tell(resolved) !== undefined);
      } catch (error) {
        const reason = loadProblemOf(error) ?? messageOf(error);
        printReport(hosts.redact(`initialize for the server ${server.item} failed: ${reason}`));
        await open.close();
        return undefined;
      }
      if (told?.served === undefined) await open.close();
      return told?.served;
    },
    close: () => open.close(),
  };
}

/** One line for a person, unless nobody wants to hear it. */
export function talk(flags: { readonly quiet?: boolean }, text: string): void {
  if (!flags.quiet) printReport(text);
}
