// toolwright inspect [server or pack]
import { relative, sep } from 'node:path';
import { readConfig } from '../../runtime/call/context/config.js';
import { isOfferedWith } from '../../runtime/packs/compose.js';
import {
  type InspectedPack,
  type InspectedServer,
  inspectLoaded,
  inspectWhole,
  type Look,
  onlyTagged,
} from '../../runtime/packs/inspect.js';
import { type OpenPack, toPack } from '../../runtime/packs/open-pack.js';
import { findProject, installCommand } from '../../runtime/packs/package-manager.js';
import { type Diagnostic, diagnose, hasErrors, startOf } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import { visible, visibleJson } from '../../schema/print/visible.js';
import { colors, printDiagnostics, rebaseDiagnostics, workingFolder } from '../pack/pack-command.js';
import { exitWithoutPack, lookUpAround } from '../start/load-server.js';
import { UsageError } from '../terminal/usage-error.js';
import { findInspected, type Inspected, type InspectFlags } from './find-inspected.js';
import { printInspection } from './print-inspection.js';
import { printMermaid } from './print-mermaid.js';

/** `mermaid` beside the formats that every command has. */
interface Flags extends Omit<InspectFlags, 'format'> {
  readonly format: InspectFlags['format'] | 'mermaid';
  /** Only items with this tag. */
  readonly tag?: string;
  /** X2: KEY=value; only what servers offer with it. */
  readonly config: readonly string[];
}

/** A pack that is not installed: only names. */
export interface AbsentPack {
  readonly name: string;
  readonly version: string;
  readonly installed: false;
  readonly server?: string | undefined;
  readonly servers: readonly unknown[];
  readonly tools: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly missing: readonly { readonly pack: string; readonly command: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

export type Inspection = InspectedServer | InspectedPack | AbsentPack;

export async function inspect(typed: string | undefined, flags: Flags): Promise<number> {
  const common: InspectFlags = { ...flags, format: flags.format === 'mermaid' ? 'text' : flags.format };
  const cwd = workingFolder(common);
  const found = await findInspected(typed, common);
  const keeper = keeperOf(flags.config, found);
  const all = inspectionOf(found, cwd, keeper);
  if (typeof all === 'number') return all;
  keeper?.refuseUnknown();
  const inspection = flags.tag === undefined ? all : filterByTag(all, flags.tag, flags.quiet === true);
  const shown = movePaths(inspection, cwd);
  const problems = printDiagnostics(
    shown.diagnostics,
    { ...common, format: 'text' },
    cwd,
    foldersOf(found, inspection),
  );
  switch (flags.format) {
    case 'json':
      process.stdout.write(`${visibleJson(shown)}\n`);
      break;
    case 'mermaid':
      process.stdout.write(printMermaid(shown));
      break;
    case 'text':
      process.stdout.write(printInspection(shown, colors(common)));
      if (shown.diagnostics.length > 0) process.stdout.write(`\n${problems}`);
      break;
    default:
      process.stdout.write(printDiagnostics(shown.diagnostics, common, cwd, foldersOf(found, inspection)));
  }
  return hasErrors(shown.diagnostics) ? 1 : 0;
}

function filterByTag(inspection: Inspection, tag: string, isQuiet: boolean): Inspection {
  // The summary of a pack that is not installed has no tags of items.
  if ('installed' in inspection) return { ...inspection, tools: [], prompts: [], resources: [] };
  const kept = onlyTagged(inspection, tag);
  if (kept.tools.length + kept.prompts.length + kept.resources.length === 0 && !isQuiet) {
    const items = [...inspection.tools, ...inspection.prompts, ...inspection.resources];
    const hint = didYouMean(
      tag,
      items.flatMap(({ tags }) => (Array.isArray(tags) ? tags.map(String) : [])),
    );
    process.stderr.write(
      `toolwright: ${visible(`nothing here has the tag "${tag}"${hint === undefined ? '' : `: ${hint}`}`)}\n`,
    );
  }
  return kept;
}

/** An exit code where there is no usable manifest, which has been said. */
function inspectionOf(found: Inspected, cwd: string, look: Look | undefined): Inspection | number {
  if ('remote' in found) return absentPack(found, cwd);
  const { loaded, item } = found;
  const pack = toPack(loaded);
  if ('unusable' in pack) {
    loaded.say(loaded.diagnostics);
    return exitWithoutPack(loaded);
  }
  const lookUp = lookUpAround(loaded, cwd);
  const shown = <I extends InspectedServer | InspectedPack>(inspected: I): I => ({
    ...inspected,
    diagnostics: rebaseDiagnostics(inspected.diagnostics, loaded.folder, cwd),
  });
  if (item === undefined) return shown(inspectWhole(loaded, pack, lookUp, look));
  const server = loaded.servers.find(one => one.item === item);
  if (server === undefined) {
    loaded.say(loaded.diagnostics.filter(({ severity }) => severity === 'error'));
    throw new UsageError(`the definition for the server "${item}" is missing or cannot be read`);
  }
  return shown(inspectLoaded(loaded, pack, server, lookUp, look));
}

interface Keeper extends Look {
  /** Throws for a key that none of the packs has; which packs there are is known once items were looked at. */
  refuseUnknown(): void;
}

/** Undefined: everything is shown, with its conditions. */
function keeperOf(words: readonly string[], found: Inspected): Keeper | undefined {
  if (words.length === 0 || 'remote' in found) return undefined;
  const env = Object.fromEntries(
    words.map(word => {
      const [, key, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
      if (key === undefined) throw new UsageError(`--config takes KEY=value, not "${visible(word)}"`);
      return [key, value];
    }),
  );
  const known = new Set(Object.keys(found.loaded.manifest?.config ?? {}));
  const read = new Map<OpenPack, Readonly<Record<string, unknown>>>();
  const valuesOf = (pack: OpenPack): Readonly<Record<string, unknown>> => {
    const before = read.get(pack);
    if (before !== undefined) return before;
    const { config, at } = pack.program.pack;
    const { settings, diagnostics } = readConfig(config, env, at);
    const [wrong] = diagnostics;
    if (wrong !== undefined) throw new UsageError(visible(wrong.message));
    read.set(pack, settings.values);
    return settings.values;
  };
  return {
    keep(one, server) {
      for (const key of Object.keys(one.pack.program.pack.config)) known.add(key);
      return isOfferedWith(valuesOf, one, server);
    },
    valuesOf,
    refuseUnknown() {
      const unknown = Object.keys(env).find(key => !known.has(key));
      if (unknown === undefined) return;
      const keys = known.size === 0 ? 'there are none' : `there are ${[...known].join(', ')}`;
      throw new UsageError(`there is no config key "${visible(unknown)}": ${didYouMean(unknown, known) ?? keys}`);
    },
  };
}

/** W53: what the published summary says; anything deeper needs the pack itself. */
function absentPack({ pack, remote, item }: Extract<Inspected, { remote: unknown }>, cwd: string): AbsentPack {
  const { version, summary } = remote;
  const servers = summary?.servers ?? [];
  if (item !== undefined && !servers.some(({ name }) => name === item))
    throw new UsageError(`the pack "${pack}" ${version} has no server "${item}"; it is not installed`);
  const command = installCommand(pack, findProject(cwd));
  return {
    name: pack,
    version,
    installed: false,
    server: item,
    servers: item === undefined ? servers : servers.filter(({ name }) => name === item),
    tools: summary?.tools ?? [],
    prompts: summary?.prompts ?? [],
    resources: summary?.resources ?? [],
    missing: [{ pack, command }],
    diagnostics: [diagnose('pack/not-installed', { pack }, startOf(pack), { hint: command })],
  };
}

function foldersOf(found: Inspected, inspection: Inspection): readonly string[] {
  const others = 'packs' in inspection ? inspection.packs.map(({ folder }) => folder) : [];
  return 'loaded' in found ? [found.loaded.folder, ...found.loaded.overlays, ...others] : [];
}

/** People and scripts want files relative to where they are; only `file` and `folder` of our own records are paths. */
function movePaths<I extends Inspection>(inspection: I, cwd: string): I {
  const move = (path: unknown): unknown =>
    typeof path === 'string' ? (relative(cwd, path) || '.').split(sep).join('/') : path;
  const moveOne = (value: unknown): unknown => {
    if (!isMap(value)) return value;
    const moved = { ...value };
    for (const key of ['file', 'folder']) if (typeof moved[key] === 'string') moved[key] = move(moved[key]);
    for (const key of ['servers', 'tools', 'prompts', 'resources', 'packs'])
      if (Array.isArray(moved[key])) moved[key] = moved[key].map(moveOne);
    return moved;
  };
  return 'installed' in inspection ? inspection : (moveOne(inspection) as I);
}
