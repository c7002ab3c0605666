// Which era a server speaks. In: a connection on which nothing was said. Out: what the server says about itself, after the handshake of 2025
// or by `server/discover` of 2026. Servers of either kind answer the other's opening with an error.
import { asMap, isMap } from '../../../schema/document.js';
import { ProtocolError } from '../../call/protocol-error.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { Connection } from './connection.js';
import type { Sender } from './link.js';
import { envelopeOf } from './request-params.js';
import {
  handshakeVersions,
  metaKeys,
  newestVersion,
  ownInfo,
  type Params,
  type ServerFacts,
  sharedCapabilities,
  type UpstreamEra,
} from './wire.js';

/** The other era is tried where the first gets an answer that is not one. */
export async function negotiate(
  connection: Connection,
  name: string,
  first: UpstreamEra,
  call: Sender | undefined,
): Promise<ServerFacts> {
  const attempts = { legacy: shakeHands, modern: discover };
  const facts = await attempts[first](connection, name, call).catch(async (error: unknown) => {
    if (!isRefusal(error)) throw error;
    const second = first === 'legacy' ? 'modern' : 'legacy';
    return await attempts[second](connection, name, call).catch((again: unknown) => {
      // What went wrong with the handshake says more: most servers are of 2025.
      throw isRefusal(again) ? toFailure(name, first === 'legacy' ? error : again) : again;
    });
  });
  return facts;
}

/** It was understood, and not wanted. Credentials that are missing are missing in both eras. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ProtocolError) return true;
  if (!(error instanceof UpstreamFailure)) return false;
  const { code, status, isAnswer } = error;
  if (code === 'UPSTREAM_INVALID') return true;
  return (
    code === 'UPSTREAM_ERROR' && isAnswer && status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status)
  );
}

/** A call has nothing to do with how the connection began: it gets no protocol error for it. */
function toFailure(name: string, error: unknown): unknown {
  if (!(error instanceof ProtocolError)) return error;
  return new UpstreamFailure('UPSTREAM_ERROR', `${name} refused the connection: ${error.message}`, {
    upstream: error.code,
  });
}

async function shakeHands(connection: Connection, name: string, call: Sender | undefined): Promise<ServerFacts> {
  const [wanted] = handshakeVersions;
  const params = { protocolVersion: wanted, capabilities: sharedCapabilities, clientInfo: ownInfo() };
  const { protocolVersion, capabilities, serverInfo, instructions } = await ask(connection, 'initialize', params, call);
  const version = handshakeVersions.find(known => known === protocolVersion);
  if (version === undefined)
    throw new UpstreamFailure(
      'UPSTREAM_INVALID',
      `${name} speaks version ${JSON.stringify(protocolVersion)} of the protocol, which is not known here`,
    );
  const facts = factsOf('legacy', version, capabilities, serverInfo, instructions);
  connection.settle(facts);
  connection.notify('notifications/initialized', undefined, call);
  // What it logs below that is for its own operator.
  if (isMap(facts.capabilities['logging']))
    ask(connection, 'logging/setLevel', { level: 'info' }, call).catch(() => undefined);
  return facts;
}

async function discover(connection: Connection, name: string, call: Sender | undefined): Promise<ServerFacts> {
  const result = await ask(connection, 'server/discover', { _meta: envelopeOf({}) }, call);
  const { supportedVersions, capabilities, instructions, _meta } = result;
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(newestVersion))
    throw new UpstreamFailure('UPSTREAM_INVALID', `${name} does not speak version ${newestVersion} of the protocol`);
  const info = result['serverInfo'] ?? asMap(_meta)[metaKeys.server];
  const facts = factsOf('modern', newestVersion, capabilities, info, instructions);
  connection.settle(facts);
  return facts;
}

function factsOf(
  era: UpstreamEra,
  version: string,
  capabilities: unknown,
  serverInfo: unknown,
  instructions: unknown,
): ServerFacts {
  return {
    era,
    version,
    capabilities: asMap(capabilities),
    serverInfo: asMap(serverInfo),
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
}

/** A request of the connection itself; `call` is whom it is sent for. */
function ask(connection: Connection, method: string, params: Params, call: Sender | undefined): Promise<Params> {
  return new Promise((done, fail) => {
    connection.request(method, { params: () => params, waiting: { scope: undefined, done, fail }, sender: call });
  });
}
