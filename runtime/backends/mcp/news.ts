// What a server says without being asked. In: its notifications. Out: changes of lists told to our clients, logs to the calls that they
// belong to, or to the operator.
import { isMap } from '../../../schema/document.js';
import type { Log } from '../../../schema/support/mcp/client.js';
import type { BackendScope, CallScope } from '../ports.js';
import type { Connection } from './connection.js';
import type { Sender } from './link.js';
import type { OperatorLines } from './operator-lines.js';
import { envelopeOf } from './request-params.js';
import type { Params, ServerFacts } from './wire.js';

/** Tells those whom it concerns. */
export function spread(
  method: string,
  params: Params,
  callers: readonly CallScope[],
  { notify, lines }: { readonly notify: BackendScope['notify']; readonly lines: OperatorLines },
): void {
  switch (method) {
    case 'notifications/message':
      spreadLog(params, callers, lines);
      return;
    case 'notifications/tools/list_changed':
      notify?.toolsChanged();
      return;
    case 'notifications/prompts/list_changed':
      notify?.promptsChanged();
      return;
    case 'notifications/resources/list_changed':
      notify?.resourcesChanged();
      return;
    case 'notifications/resources/updated':
      if (typeof params['uri'] === 'string') notify?.resourceUpdated(params['uri']);
      return;
    default:
  }
}

const levels: ReadonlySet<unknown> = new Set('debug info notice warning error critical alert emergency'.split(' '));

function spreadLog({ level, logger, data }: Params, callers: readonly CallScope[], lines: OperatorLines): void {
  const known = (levels.has(level) ? level : 'info') as keyof Log;
  const [message, more] = readLog(data, logger);
  for (const { log } of callers) log[known](message, more);
  if (callers.length === 0) lines.add(more === undefined ? message : `${message} ${JSON.stringify(more)}`);
}

/** Servers log strings, or a string with data, or just data. */
function readLog(data: unknown, logger: unknown): readonly [message: string, data: unknown] {
  if (typeof data === 'string') return [data, undefined];
  if (isMap(data) && typeof data['message'] === 'string') {
    const { message, data: inner, ...rest } = data;
    const isPair = Object.keys(rest).length === 0;
    return [data['message'], isPair ? inner : { ...rest, ...(inner !== undefined && { data: inner }) }];
  }
  return [typeof logger === 'string' ? logger : 'log', data];
}

const longestPauseMs = 30_000;

/** 2026: those who listen learn of changes. A stream that ends is opened again, unless the server has none. */
export function listen(
  connection: Connection,
  { capabilities }: ServerFacts,
  sender: Sender | undefined,
  pauseMs = 1000,
): void {
  const has = (name: string): boolean => {
    const capability = capabilities[name];
    return isMap(capability) && capability['listChanged'] === true;
  };
  const notifications = {
    ...(has('tools') && { toolsListChanged: true }),
    ...(has('prompts') && { promptsListChanged: true }),
    ...(has('resources') && { resourcesListChanged: true }),
  };
  if (Object.keys(notifications).length === 0) return;
  const begun = performance.now();
  const again = (): void => {
    if (connection.isGone) return;
    const next = performance.now() - begun > longestPauseMs ? 1000 : Math.min(pauseMs * 2, longestPauseMs);
    setTimeout(
      () => connection.isGone || listen(connection, { capabilities } as ServerFacts, sender, next),
      pauseMs,
    ).unref();
  };
  const waiting = {
    scope: undefined,
    done: again,
    // A protocol error is an answer: it does not want to.
    fail: (problem: unknown) => (isAnswer(problem) ? undefined : again()),
  };
  const params = (): Params => ({ notifications, _meta: envelopeOf({}) });
  connection.request('subscriptions/listen', { params, waiting, sender, isListening: true });
}

function isAnswer(problem: unknown): boolean {
  return (
    problem instanceof Error &&
    (problem.name === 'ProtocolError' || ('isAnswer' in problem && problem.isAnswer === true))
  );
}
