// In: the command or the address of a server that runs somewhere else. Out: everything that it lists, or why it cannot be asked. The process that was
// started has ended when this is over, however it ends.
import type { ListLimits, Offer, PartialOffer } from '../../../runtime/backends/mcp/list-all.js';
import { type OpenMcpBackend, openMcp } from '../../../runtime/backends/mcp/open-mcp.js';
import type { BackendScope, CallScope } from '../../../runtime/backends/ports.js';
import type { Environment } from '../../../runtime/call/context/config.js';
import { createRedact } from '../../../runtime/call/context/secret-forms.js';
import type { Request } from '../../../runtime/call/ports.js';
import { messageOf } from '../../../runtime/call/print-cause.js';
import { UpstreamFailure } from '../../../runtime/call/upstream-failure.js';
import type { McpBackendDefinition } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose, hasErrors, type Site } from '../../../schema/diagnostics.js';
import { visible } from '../../../schema/print/visible.js';
import { literalText } from '../literal-text.js';
import { readFlagWords } from './flag-words.js';
import { hideSecrets, secretsOf } from './hide-secrets.js';
import { findSecrets, inWords } from './secrets.js';
import { serverSite } from './server-site.js';

/** How a server is reached now; `env` and `bearer` are values, which get into no file. */
export type ServerAddress =
  | {
      readonly command: readonly string[];
      readonly cwd?: string | undefined;
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly url: string; readonly bearer?: string | undefined };

export interface CaptureOptions {
  /** Where relative paths of the command start. */
  readonly folder: string;
  /** Of this process: programs get a few variables of it. */
  readonly environment: Environment;
  /** Further words for this capture: flags, and `NAME=value` for variables. Only of a command. */
  readonly words?: readonly string[] | undefined;
  /** For the start, which may download a package, and once more for all lists together. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What is being done, in a few words. */
  onProgress?(step: string): void;
}

/** What a server lists, and the words under which it does. */
export interface Capture {
  readonly offer: Offer;
  /** Empty: the command as it is. */
  readonly words: readonly string[];
  /** A list broke off. */
  readonly isPartial?: boolean | undefined;
}

export interface Captured {
  /** Undefined where nothing could be asked; then an error is among the diagnostics. */
  readonly capture: Capture | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const defaultTimeoutMs = 120_000;
/** Of one answer: the largest list of a real server has a few hundred thousand bytes. */
const mostBytes = 32 * 1024 * 1024;
const mostItems = 20_000;

/**
 * Asks a server for everything that it offers. Never throws for what the server does.
 *
 * @example const { capture, diagnostics } = await captureServer({ command: ['npx', '-y', '@playwright/mcp'] }, { folder, environment });
 */
export async function captureServer(address: ServerAddress, options: CaptureOptions): Promise<Captured> {
  const { words = [], signal, timeoutMs = defaultTimeoutMs } = options;
  const site = serverSite(address);
  const refused = [...findSecrets(address, site), ...inWords(words, site), ...readFlagWords(words, site).diagnostics];
  const [first] = words;
  if ('url' in address && first !== undefined)
    refused.push(diagnose('import/flag-word', { word: first, reason: 'an address takes no flags' }, site));
  if (hasErrors(refused)) return { capture: undefined, diagnostics: refused };
  const failed = (reason: string, hint?: string): Captured => {
    const extras = hint === undefined ? {} : { hint };
    return { capture: undefined, diagnostics: [diagnose('import/server-failed', { reason }, site, extras)] };
  };
  const isStopped = (): boolean => signal?.aborted === true;
  if (isStopped()) return failed('it was stopped', 'import again');
  const secrets = secretsOf(address, readFlagWords(words, site).env);
  const said: string[] = [];
  const scope = makeScope(options, secrets, text => said.push(text));
  const backend = openMcp('the server', definitionOf(address, words, timeoutMs), scope);
  try {
    const listed = await listInTime(backend, timeoutMs, options);
    const { offer, hidden } = hideSecrets(listed.offer, secrets);
    const notes = hidden.map(one => diagnose('import/secret-text', one, site));
    const broken = brokenLists(listed, site, scope.settings.redact);
    const capture = { offer, words, ...(broken.length > 0 ? { isPartial: true } : {}) };
    return { capture, diagnostics: [...broken, ...notes] };
  } catch (error) {
    if (isStopped()) return failed('it was stopped', 'import again');
    return failed(visible(scope.settings.redact(messageOf(error))), hintOf(said));
  } finally {
    await backend.close();
  }
}

/** The last thing that it said is what a person would look at first. */
function hintOf(said: readonly string[]): string | undefined {
  const odd = said.find(text => text.includes('not a message of the protocol'));
  const last = odd ?? said.at(-1);
  return last === undefined ? undefined : visible(last).slice(0, 400);
}

/** The start is limited by itself: nobody knows how long a download takes, and a server that is ready answers soon. */
async function listInTime(
  backend: OpenMcpBackend,
  timeoutMs: number,
  { signal, onProgress }: CaptureOptions,
): Promise<PartialOffer> {
  const call = new AbortController();
  const late = (what: string): UpstreamFailure =>
    new UpstreamFailure('UPSTREAM_TIMEOUT', `the server ${what} within ${timeoutMs} ms`);
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('it was stopped'));
    signal?.addEventListener('abort', stop, { once: true });
    timer = setTimeout(() => reject(late('was not ready')), timeoutMs);
  });
  const limits: ListLimits = {
    items: mostItems,
    characters: 2 * mostBytes,
    connected(version) {
      clearTimeout(timer);
      // What was listed until then counts.
      timer = setTimeout(() => call.abort(late('did not end its lists')), timeoutMs);
      onProgress?.(`connected, version ${version} of the protocol`);
    },
    listed: (method, count) => onProgress?.(`${method}: ${count}`),
  };
  onProgress?.('connecting');
  try {
    return await Promise.race([backend.listWhatWorks(loneCall(call.signal), limits), stopped]);
  } finally {
    clearTimeout(timer);
    if (stop !== undefined) signal?.removeEventListener('abort', stop);
  }
}

function brokenLists(
  { offer, broken }: PartialOffer,
  site: Site,
  redact: (text: string) => string,
): readonly Diagnostic[] {
  const counts: Readonly<Record<string, number>> = {
    'tools/list': offer.tools.length,
    'prompts/list': offer.prompts.length,
    'resources/list': offer.resources.length,
    'resources/templates/list': offer.resourceTemplates.length,
  };
  return broken.map(({ method, problem }) => {
    const reason = visible(redact(messageOf(problem))).slice(0, 400);
    return diagnose('import/list-broken', { method, count: counts[method] ?? 0, reason }, site);
  });
}

const bearerKey = 'BEARER';

function definitionOf(address: ServerAddress, words: readonly string[], timeoutMs: number): McpBackendDefinition {
  const limits = { timeoutMs, bytes: mostBytes };
  if ('url' in address) {
    const auth = address.bearer === undefined ? {} : { auth: { bearer: bearerKey } };
    return { type: 'mcp', url: literalText(address.url), ...auth, limits };
  }
  const { command, cwd, env = {} } = address;
  const more = readFlagWords(words);
  const variables = Object.entries({ ...env, ...more.env }).map(([name, value]) => [name, literalText(value)] as const);
  return {
    type: 'mcp',
    command: [...command, ...more.flags].map(literalText),
    ...(cwd === undefined ? {} : { cwd: literalText(cwd) }),
    env: Object.fromEntries(variables),
    limits,
  };
}

type Secrets = ReturnType<typeof secretsOf>;

function makeScope(
  { folder, environment }: CaptureOptions,
  secrets: Secrets,
  report: (text: string) => void,
): BackendScope {
  const bearer = secrets.find(([name]) => name === bearerKey)?.[1];
  const values = bearer === undefined ? {} : { [bearerKey]: bearer };
  const redact = createRedact(secrets);
  return { folder, env: environment, settings: { values, redact, hasSecrets: secrets.length > 0 }, report };
}

/** A call that nobody is behind: questions are refused. */
export function loneCall(signal: AbortSignal): CallScope {
  const nothing = (): void => undefined;
  const log = {
    ...{ debug: nothing, info: nothing, notice: nothing, warning: nothing },
    ...{ error: nothing, critical: nothing, alert: nothing, emergency: nothing },
  };
  const notify = {
    toolsChanged: nothing,
    promptsChanged: nothing,
    resourcesChanged: nothing,
    resourceUpdated: nothing,
  };
  const request: Request = {
    id: 'import',
    signal,
    client: { name: 'toolwright', version: '', capabilities: {} },
    auth: undefined,
    principal: '',
    answers: {},
    state: undefined,
    notify,
    log: () => false,
    progress: nothing,
  };
  return { signal, log, request, progress: nothing };
}
