// In: the packs of a server. Out: a host for each, opened once: its own configuration, context and initialize. Code of packs that may
// vanish, change or be broken while the server runs is watched.

import { nodeFolder } from '../../load/folder.js';
import { manifestFile, readManifest } from '../../load/manifest.js';
import type { Program } from '../../load/program.js';
import { createReader } from '../../load/read.js';
import type { OpenPack } from '../../packs/open-pack.js';
import type { Environment } from '../context/config.js';
import { HandlerProblem } from '../handler-problem.js';
import { ToolError } from '../tool-error.js';
import type { LoadWatch } from './load-handler.js';
import { isInstalled } from './missing-handlers.js';
import { type Hosts, keepHosts, type OpenHost } from './open-host.js';
import { createPackHost } from './pack-host.js';

export interface HostOptions {
  readonly env: Environment;
  report(text: string): void;
  /** In place of what `context:` of the server's own pack builds. */
  readonly app?: unknown;
  /** Runs what code defines, which is the server's own pack then. */
  readonly code?: OpenHost | undefined;
  /** Imports modules of the server's own pack in place of Node. */
  readonly importModule?: ((path: string) => Promise<object>) | undefined;
}

/** `own` is the pack of the server; what is installed or of others may vanish or change while it runs, and is watched. */
export function openHosts(own: OpenPack | undefined, options: HostOptions): Hosts {
  const { env, report } = options;
  return keepHosts(own, pack => {
    if (pack === own && options.code !== undefined) return options.code;
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

/** Clients learn the name of the pack; everything else is for the operator. */
function watchPack({ name, version, folder: path }: Program['pack'], folder = nodeFolder(path)): LoadWatch {
  return {
    check() {
      if (folder.status(manifestFile) === 'missing') {
        throw new ToolError(`The pack ${name} is not installed any more`, {
          ...unavailable,
          code: 'PACK_MISSING',
          suggestedFix: `This server's operator should install ${name} again and restart the server.`,
          meta: { pack: name },
        });
      }
      const now = readManifest(createReader(folder)).value?.version;
      if (now !== version) {
        throw new ToolError(`The pack ${name} was changed while the server was running`, {
          ...unavailable,
          code: 'PACK_CHANGED',
          suggestedFix: "This server's operator should restart it.",
          meta: { pack: name, loaded: version, installed: now ?? null },
        });
      }
    },
    explain(error) {
      if (!(error instanceof HandlerProblem)) return error;
      return new ToolError(`The code in the pack ${name} cannot be loaded`, {
        ...unavailable,
        code: 'PACK_BROKEN',
        suggestedFix: `The reason is in the server's log.`,
        meta: { pack: name },
        cause: error,
      });
    },
  };
}

const unavailable = { status: 503, retryable: false };
