// In: the packs of a server. Out: a host for each, opened once: its own configuration, context and initialize.
import type { Environment } from '../context/config.js';
import { isInstalled } from '../handlers/missing-handlers.js';
import { createPackHost } from '../handlers/pack-host.js';
import { type Hosts, keepHosts } from './keep-hosts.js';
import type { OpenPack } from './open-pack.js';
import { watchPack } from './watch-pack.js';

export interface HostOptions {
  readonly env: Environment;
  report(text: string): void;
  /** In place of what `context:` of the server's own pack builds. */
  readonly app?: unknown;
  /** Imports modules of the server's own pack in place of Node. */
  readonly importModule?: ((path: string) => Promise<object>) | undefined;
}

/** `own` is the pack of the server; what is installed or of others may vanish or change while it runs, and is watched. */
export function openHosts(own: OpenPack | undefined, options: HostOptions): Hosts {
  const { env, report } = options;
  return keepHosts(own, pack => {
    const { program, folder, catalog } = pack;
    const isMine = pack === own && (options.importModule !== undefined || !isInstalled(program.pack.folder));
    return createPackHost(program, {
      env,
      report,
      folder,
      catalog,
      ...(pack === own && Object.hasOwn(options, 'app') ? { app: options.app } : {}),
      ...(pack === own ? { importModule: options.importModule } : {}),
      ...(isMine ? {} : { watch: watchPack(program.pack, folder) }),
    });
  });
}
