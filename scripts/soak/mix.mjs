// What the clients of the soak ask for, and what a right answer looks like. Seeded: a run can be repeated.

/** Mulberry32: small, fast, good enough to mix traffic. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const codeOf = ({ result }) => result?._meta?.['toolwright/error']?.code;
const textOf = ({ result }) => result?.content?.[0]?.text;
const call = (name, args) => ({ method: 'tools/call', params: { name, arguments: args } });
const leaks = answer => JSON.stringify(answer).includes('no client may see');

/** `share`: of all requests. `fate`: what the client does instead of waiting for the answer. */
const kinds = [
  { share: 0.55, make: next => echo(next) },
  {
    share: 0.08,
    make: () => ({ ...call('fail', {}), isRight: one => codeOf(one) === 'UNEXPECTED_ERROR' && !leaks(one) }),
  },
  { share: 0.06, make: () => ({ ...call('refuse', {}), isRight: one => codeOf(one) === 'REFUSED' }) },
  { share: 0.05, make: () => ({ ...call('echo', { txt: 1 }), isRight: one => codeOf(one) === 'BAD_ARGUMENTS' }) },
  { share: 0.03, make: () => ({ ...call('wrong', {}), isRight: one => one.result?.isError === true }) },
  { share: 0.04, make: () => ({ ...call('noisy', {}), isRight: one => textOf(one) === 'quiet' }) },
  { share: 0.03, make: () => ({ ...call('nobody', {}), isRight: one => one.error?.code === -32602 }) },
  { share: 0.03, make: next => waiting(next) },
  { share: 0.005, make: () => ({ ...call('hang', {}), isRight: one => one.result?.isError === true }) },
  { share: 0.02, make: () => ({ ...call('wait', { ms: 200 }), fate: 'cancel', isRight: () => true }) },
  { share: 0.005, make: () => ({ ...call('wait', { ms: 100 }), fate: 'vanish', isRight: () => true }) },
  { share: 0.03, make: () => ({ method: 'tools/list', params: {}, isRight: one => one.result?.tools?.length === 9 }) },
  {
    share: 0.03,
    make: () => ({ method: 'prompts/get', params: { name: 'greet', arguments: { name: 'Ada' } }, isRight: greets }),
  },
  { share: 0.03, make: () => ({ method: 'resources/read', params: { uri: 'soak://note' }, isRight: reads }) },
  { share: 0.01, make: () => ({ method: 'no/such', params: {}, isRight: one => one.error?.code === -32601 }) },
];
const total = kinds.reduce((sum, { share }) => sum + share, 0);

function echo(next) {
  const text = `text ${Math.floor(next() * 1e9)}`;
  return { ...call('echo', { text }), isRight: one => one.result?.structuredContent?.text === text };
}

function waiting(next) {
  const ms = Math.floor(next() * 30);
  return { ...call('wait', { ms }), isRight: one => textOf(one) === `waited ${ms}` };
}

function greets({ result }) {
  return result?.messages?.[0]?.content?.text === 'Hello Ada';
}

function reads({ result }) {
  return result?.contents?.[0]?.text === 'Remember the milk';
}

/** The next request. The first answer of each two thousand is ten megabytes. */
export function pick(next, index) {
  if (index % 2_000 === 0) return { ...call('big', {}), isRight: one => textOf(one)?.length === 10_000_000 };
  let place = next() * total;
  for (const kind of kinds) {
    place -= kind.share;
    if (place <= 0) return kind.make(next);
  }
  return echo(next);
}

/** What every request of 2026-07-28 carries. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
};
