// In: the program of what code defines, and its functions. Out: a host that runs them; no module is ever looked for.
import { compileValidators } from '../../call/compile-validators.js';
import { type Environment, readConfig } from '../../call/context/config.js';
import { hostItems } from '../../call/handlers/host-items.js';
import { createSetup, type OpenHost } from '../../call/handlers/open-host.js';
import type { PackHost, Validators } from '../../call/ports.js';
import type { Program, Tool } from '../../load/program.js';
import type { Functions } from './to-data.js';

export interface CodeHostOptions {
  readonly functions: Functions;
  /** For the configuration of what code defines. */
  readonly env: Environment;
  report(text: string): void;
  /** What handlers have as `ctx.app`; it stays the caller's to dispose of. */
  readonly app: unknown;
}

export function openCodeHost(program: Program, options: CodeHostOptions): OpenHost {
  const { functions, env, report, app } = options;
  const { settings, diagnostics } = readConfig(program.pack.config, env, program.pack.at);
  const closing = new AbortController();
  const setup = createSetup({ settings, report, signal: closing.signal });
  const validators = once((tool: Tool): Promise<Validators> => compileValidators(tool));
  const initialize = once(async ({ definition }: Tool): Promise<void> => {
    const { initialize: given } = definition;
    const path = typeof given === 'object' ? given.handler : given;
    const run = path === undefined ? undefined : functions.get(path);
    await run?.(...([{ ...setup, app }] as never[]));
  });
  const items = hostItems(program, { settings, env, report });
  const host: PackHost = {
    program,
    settings,
    async load({ path }) {
      const found = functions.get(path);
      // Linking has refused whatever names no function of the caller's.
      if (found === undefined) throw new Error(`nothing in code stands for ${path}`);
      return found;
    },
    validators,
    app: async () => app,
    initialize,
    work: items.work,
    items: items.items,
    async close() {
      closing.abort();
      await items.close();
    },
  };
  // Code is no server of a pack, and its tools are made ready by their first calls.
  return { host, setup, problems: diagnostics, startServer: async () => {}, startTools: async () => {} };
}

/** Runs once for each tool, for as long as the tool is there. Calls at the same time share it, a failure is tried again. */
function once<T>(run: (tool: Tool) => Promise<T>): (tool: Tool) => Promise<T> {
  const known = new WeakMap<Tool, Promise<T>>();
  return tool => {
    const running = known.get(tool);
    if (running !== undefined) return running;
    const started = run(tool);
    known.set(tool, started);
    started.catch(() => known.delete(tool));
    return started;
  };
}
