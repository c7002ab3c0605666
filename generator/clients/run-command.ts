// In: a server of a pack, and what there is of it. Out: the command that a client runs.
import type { ServerEntry } from './client.js';

/** What a client can run: a built file, the published package, or the manifests with their handlers. */
export const ways = ['built', 'npx', 'start'] as const;
export type Way = (typeof ways)[number];

export interface Runnable {
  readonly server: string;
  /** Whether it says that it is for HTTP: a client that starts a server talks to it over stdio. */
  readonly isHttp: boolean;
  /** Absolute; undefined where nothing is built. */
  readonly built?: string | undefined;
  /** The name under which the package is published, if it has a server to run. */
  readonly published?: string | undefined;
  /** Where it is started; absolute. */
  readonly project: string;
  /** Node that runs now: clients that were not started from a shell know no `node`. */
  readonly node: string;
  /** The file of the command `toolwright`. */
  readonly cli: string;
  readonly isWindows: boolean;
}

/** Undefined where there is nothing to run that way. */
export function commandFor(way: Way, runnable: Runnable): Pick<ServerEntry, 'command' | 'args'> | undefined {
  const { server, built, published, project, node, cli, isHttp, isWindows } = runnable;
  const over = isHttp ? ['--stdio'] : [];
  switch (way) {
    case 'built':
      return built === undefined ? undefined : { command: node, args: [built, ...over] };
    case 'npx':
      if (published === undefined) return undefined;
      // There npx is a script, which only a shell runs.
      return isWindows
        ? { command: 'cmd', args: ['/c', 'npx', '-y', published, ...over] }
        : { command: 'npx', args: ['-y', published, ...over] };
    case 'start':
      return { command: node, args: [cli, 'start', server, '--cwd', project, ...over] };
    default:
      return way satisfies never;
  }
}
