// In: the params of a request, and the call that it is for. Out: the same with what each era wants to know of every request.
import type { CallScope } from '../ports.js';
import type { Connection } from './connection.js';
import { foreignMeta, metaKeys, newestVersion, ownInfo, type Params } from './wire.js';

/** What our client sent along goes with it; a token for progress is the id of the request. */
export function requestParams(
  { facts }: Pick<Connection, 'facts'>,
  call: Pick<CallScope, 'request' | 'questions'>,
  params: Params,
  id: number,
): Params {
  const { request } = call;
  const sent = request.meta;
  // Over a network a client says whether it wants to hear of progress, and answers without it are cheaper.
  const wantsProgress = request.isRemote !== true || sent?.['progressToken'] !== undefined;
  const meta: Record<string, unknown> = wantsProgress ? { progressToken: id } : {};
  if (sent !== undefined) Object.assign(meta, foreignMeta(sent));
  if (facts?.era !== 'modern') return { ...params, _meta: meta };
  // To ask for the questions of a call is to make them.
  Object.assign(meta, envelopeOf(call.questions?.pass === undefined ? {} : passable(request)));
  const level = sent?.[metaKeys.logLevel] ?? (facts.capabilities['logging'] === undefined ? undefined : 'info');
  if (level !== undefined) meta[metaKeys.logLevel] = level;
  return { ...params, _meta: meta };
}

/** What every request of 2026 says about its client. */
export function envelopeOf(capabilities: Params): Params {
  return { [metaKeys.version]: newestVersion, [metaKeys.client]: ownInfo(), [metaKeys.capabilities]: capabilities };
}

/** Of what the present client can do, that which questions of a server need. Folders can always be named, if only none. */
function passable({ client, depth = 0 }: CallScope['request']): Params {
  if (depth > 0) return {};
  const { elicitation, sampling } = client.capabilities;
  return { ...(elicitation && { elicitation }), ...(sampling && { sampling }), roots: {} };
}
