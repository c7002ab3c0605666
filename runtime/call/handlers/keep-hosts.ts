// In: a way to open the host of a pack. Out: the hosts of all packs of a server, each opened once.
import { sep } from 'node:path';
import type { Diagnostic } from '../../../schema/diagnostics.js';
import type { OpenPack } from '../../packs/open-pack.js';
import type { PackHost, ServedTool } from '../ports.js';
import type { OpenHost } from './open-host.js';

export interface Hosts {
  /** Opens the host of a pack that has none yet. */
  of(pack: OpenPack): PackHost;
  /** The same with what runs at start. */
  open(pack: OpenPack): OpenHost;
  /** What is wrong with the configuration of all packs so far; those of other packs have full paths. */
  problems(): readonly Diagnostic[];
  /** Runs `initialize` of the tools that ask for it at start, in order. */
  startTools(tools: readonly ServedTool[]): Promise<void>;
  /** A string without the secrets of any pack. */
  redact(text: string): string;
  close(): Promise<void>;
}

/** `own` is the pack of the server. */
export function keepHosts(own: OpenPack | undefined, make: (pack: OpenPack) => OpenHost): Hosts {
  const opened = new Map<OpenPack, OpenHost>();
  const open = (pack: OpenPack): OpenHost => {
    const host = opened.get(pack) ?? make(pack);
    opened.set(pack, host);
    return host;
  };
  return {
    open,
    of: pack => open(pack).host,
    problems: () =>
      [...opened].flatMap(([pack, { problems }]) => (pack === own ? problems : withFullPaths(pack, problems))),
    async startTools(tools) {
      for (const { tool, host } of tools) {
        const found = [...opened.values()].find(one => one.host === host);
        await found?.startTools([tool]);
      }
    },
    redact: text => [...opened.values()].reduce((rest, { host }) => host.settings.redact(rest), text),
    async close() {
      await Promise.all([...opened.values()].map(({ host }) => host.close()));
    },
  };
}

function withFullPaths({ program }: OpenPack, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const start = program.pack.folder.split(sep).join('/');
  return diagnostics.map(one => ({ ...one, file: `${start}/${one.file}` }));
}
