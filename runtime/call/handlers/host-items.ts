// In: a pack that runs. Out: what does the work of its items without code, loaded and opened with the first of them; every other server pays
// nothing for it.

import type { Program } from '../../load/program.js';
import type { Environment } from '../context/config.js';
import type { BackendItems, PackHost, Settings } from '../ports.js';
import { runOnce } from './run-once.js';

export interface HostItemsOptions {
  readonly settings: Settings;
  readonly env: Environment;
  /** Where relative paths start; default: the folder of the pack. */
  readonly home?: string | undefined;
  report(text: string): void;
}

export interface HostItems extends Pick<PackHost, 'work' | 'items'> {
  close(): Promise<void>;
}

export function hostItems(program: Program, { settings, env, report, home }: HostItemsOptions): HostItems {
  let opened: Promise<BackendItems> | undefined;
  const items = (): Promise<BackendItems> => {
    opened ??= import('../../backends/items/open-items.js').then(({ openItems }) =>
      openItems(program, {
        folder: home ?? program.pack.folder,
        settings,
        env,
        report: text => report(settings.redact(text)),
      }),
    );
    return opened;
  };
  return {
    items,
    work: runOnce(async item => (await items()).work(item)),
    async close() {
      await opened?.then(
        one => one.close(),
        () => undefined,
      );
    },
  };
}
