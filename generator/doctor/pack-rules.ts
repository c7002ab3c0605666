// Rules about a pack. Most of them tell what check and generate have found already, each its own codes.
import { isInstalled } from '../../runtime/call/handlers/missing-handlers.js';
import { startsOf } from '../../runtime/load/find-pack.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import type { LoadedPack } from '../../runtime/load/load.js';
import { settingsFolder, settingsVariable } from '../../runtime/load/overlay.js';
import { createReader } from '../../runtime/load/read.js';
import { checkPack } from '../../runtime/packs/check.js';
import { type ComposedServer, composeServer, hasForeign } from '../../runtime/packs/compose.js';
import { makeLookup } from '../../runtime/packs/look-up.js';
import { toPack } from '../../runtime/packs/open-pack.js';
import type { Diagnostic } from '../../schema/diagnostics.js';
import { lockFile } from '../../schema/lock/lock.js';
import { plural } from '../../schema/print/diagnostics.js';
import { generate } from '../compile/generate.js';
import { detectProject, readTsconfig } from '../compile/project/project.js';
import { isPending } from '../compile/reconcile.js';
import { madeBy } from '../compile/snapshot.js';
import { type ExaminedPack, type Judgement, ofPack, type Rule, type Situation } from './finding.js';

/** A part of what was reported, told under a name of its own. */
interface Share {
  readonly id: string;
  of(pack: ExaminedPack): readonly Diagnostic[];
  readonly codes: RegExp;
  readonly hint: string;
  /** What is said where there is nothing; undefined where that is not worth a word. */
  fine(pack: ExaminedPack): string | undefined;
}

function takesFromOthers({ loaded }: ExaminedPack['generated']): boolean {
  return loaded.servers.some(hasForeign);
}

const packs: Share = {
  id: 'packs',
  of: ({ report }) => report.diagnostics,
  codes: /^pack\/not-installed$/,
  hint: 'run toolwright inspect, which has the commands',
  fine: ({ generated }) =>
    takesFromOthers(generated) ? 'every pack that a server takes from is installed' : undefined,
};

const lock: Share = {
  id: 'lock',
  of: ({ report }) => report.diagnostics,
  codes: /^lock\/|^pack\/(?:changed|not-locked)$/,
  hint: 'run toolwright lock --check',
  // Of packs that are missing or broken nobody knows whether they are as they were.
  fine: ({ folder, report, generated }) =>
    report.ok && takesFromOthers(generated) && nodeFolder(folder).status(lockFile) === 'file'
      ? 'toolwright.lock is as the packs are'
      : undefined,
};

const handlers: Share = {
  id: 'handlers',
  of: ({ generated }) => generated.diagnostics,
  codes: /^generate\/(?:missing-|wrong-tool|unimportable|unknown-member|orphan-stub)/,
  hint: 'run toolwright generate --check',
  fine: pack => (isBroken(pack) ? undefined : 'all handlers exist'),
};

/** Of one rule; more are counted, since the command that is named tells them better. */
const mostTold = 3;

function ruleOf({ id, of, codes, hint, fine }: Share): Rule {
  return ofPack(id, pack => {
    const mine = of(pack).filter(one => codes.test(one.code) && one.severity !== 'info');
    const message = fine(pack);
    if (mine.length === 0) return message === undefined ? [] : [{ status: 'ok', message }];
    if (mine.length > mostTold)
      return [{ status: worstOf(mine), message: `${countsOf(mine)}, such as: ${mine[0]?.message}`, hint }];
    return mine.map(one => ({ status: worstOf([one]), message: one.message, hint: one.hint ?? hint }));
  });
}

function worstOf(diagnostics: readonly Diagnostic[]): 'error' | 'warning' {
  return diagnostics.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
}

/** `2 errors and 1 warning` */
function countsOf(diagnostics: readonly Diagnostic[]): string {
  const counts = (['error', 'warning'] as const).flatMap(word => {
    const count = diagnostics.filter(({ severity }) => severity === word).length;
    return count === 0 ? [] : [plural(count, word)];
  });
  return counts.join(' and ');
}

/** Nothing is generated of a pack with errors, and its handlers are not looked at. */
function isBroken({ generated }: ExaminedPack): boolean {
  return !generated.ok && generated.operations.length === 0;
}

/** What other rules tell is not counted twice. Overlays are of the environment here. */
const toldElsewhere = [packs.codes, lock.codes, /^overlay\/not-found$/];

function judgeCheck({ report }: ExaminedPack): readonly Judgement[] {
  const name = `${report.pack ?? 'the pack'} ${report.version ?? ''}`.trim();
  const mine = report.diagnostics.filter(
    ({ code, severity }) => severity !== 'info' && !toldElsewhere.some(codes => codes.test(code)),
  );
  if (mine.length > 0)
    return [{ status: worstOf(mine), message: `${name} has ${countsOf(mine)}`, hint: 'run toolwright check' }];
  const counts = Object.entries(report.items)
    .filter(([kind, names]) => kind !== 'schemas' || names.length > 0)
    .map(([kind, names]) => plural(names.length, kind.slice(0, -1)));
  return [{ status: 'ok', message: `${name}: ${counts.join(', ')}` }];
}

function judgeGenerated(pack: ExaminedPack): readonly Judgement[] {
  // Anyone who installs a pack generates nothing in it.
  if (isInstalled(pack.folder)) return [];
  const { operations, diagnostics } = pack.generated;
  if (isBroken(pack)) {
    // What check does not find: a schema of which no code can be made, here or at all.
    const [first] = diagnostics.filter(({ code, severity }) => severity === 'error' && code.startsWith('generate/'));
    const message = `no code can be generated: ${first?.message}`;
    return first === undefined ? [] : [{ status: 'error', message, hint: 'run toolwright generate' }];
  }
  const refused = operations.flatMap(one => (one.op === 'refuse' ? [one.diagnostic] : []));
  if (refused.length > 0) {
    const message = `${plural(refused.length, 'generated file')} cannot be written, such as: ${refused[0]?.message}`;
    return [{ status: worstOf(refused), message, hint: 'run toolwright generate --check' }];
  }
  // Of a handler that is not there its own rule tells.
  const stale = operations.filter(one => isPending(one) && one.role !== 'stub');
  if (stale.length === 0) return [{ status: 'ok', message: 'generated code is up to date' }];
  const files = stale.filter(({ role }) => role === 'generated');
  const isNew = files.length > 0 && files.every(({ op }) => op === 'create');
  const count = plural(files.length === 0 ? stale.length : files.length, 'file');
  const message = isNew ? `generated code is not there (${count})` : `generated code is out of date (${count})`;
  return [{ status: 'warning', message, hint: 'run toolwright generate' }];
}

/** Counted only: what is said of a mistake may show the value, and this one comes from the environment. */
function judgeSettings({ settings }: ExaminedPack): readonly Judgement[] {
  // That it is not JSON, the rule about variables tells: it is so without a pack, too.
  const mine = settings.filter(({ severity, code }) => severity !== 'info' && !code.startsWith('parse/'));
  if (mine.length === 0) return [];
  const codes = [...new Set(mine.map(({ code }) => code))];
  const message = `${settingsVariable} has ${countsOf(mine)} for this pack (${codes.join(', ')})`;
  return [
    { status: worstOf(mine), message, hint: 'toolwright inspect shows them; toolwright install writes it again' },
  ];
}

const noPack: Rule = {
  id: 'pack',
  find: ({ pack }) =>
    pack === undefined
      ? [
          {
            status: 'info',
            message: 'there is no toolwright.yaml here or above',
            hint: 'toolwright init starts a pack',
          },
        ]
      : [],
};

export const packRules: readonly Rule[] = [
  noPack,
  ofPack('check', judgeCheck),
  ofPack('generated', judgeGenerated),
  ...[handlers, packs, lock].map(ruleOf),
  ofPack('settings', judgeSettings),
];

// In: the folder of a pack. Out: what the rules of doctor look at. Nothing is run, written or remembered: a cache might be what is wrong.

interface PackOptions extends Pick<Situation, 'env'> {
  readonly overlays: readonly string[];
  /** In place of the version that generated last. */
  readonly since?: string | undefined;
  /** Of the compiler, as `generate` gets it: else everything that is generated would look old. */
  readonly build: string;
}

/** @example const pack = await readPack('packs/jira', { env: process.env, overlays: [], build }); */
export async function readPack(folder: string, { env, overlays, since, build }: PackOptions): Promise<ExaminedPack> {
  const report = await checkPack(folder, { overlays });
  const generated = await generate(folder, { build, handlers: true });
  const handlers = generated.loaded.manifest?.handlers;
  const inside = nodeFolder(folder);
  const diagnostics: Diagnostic[] = [];
  const options = handlers === undefined ? undefined : readTsconfig(createReader(inside), handlers, diagnostics);
  return {
    folder,
    madeBy: since ?? madeBy(folder, generated.loaded.manifest?.generated),
    report,
    generated,
    servers: composeAll(generated.loaded),
    settings: await checkSettings(folder, env[settingsVariable], overlays),
    project: handlers === undefined ? undefined : detectProject(inside, handlers).value,
    tsconfig: { options, diagnostics },
  };
}

function composeAll(loaded: LoadedPack): readonly ComposedServer[] {
  const own = toPack(loaded);
  if ('unusable' in own) return [];
  const { folder } = own.program.pack;
  const lookUp = makeLookup({ starts: startsOf(folder, folder), project: folder });
  return own.program.servers.map(server => composeServer(own, server, lookUp));
}

async function checkSettings(
  folder: string,
  text: string | undefined,
  overlays: readonly string[],
): Promise<readonly Diagnostic[]> {
  const settings = settingsFolder(text, folder);
  if (settings === undefined) return [];
  const { diagnostics } = await checkPack(folder, { overlays: [...overlays, settings] });
  return diagnostics.filter(({ file }) => file.includes(settingsVariable));
}
