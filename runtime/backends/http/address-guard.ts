// B7. In: an address of the network, and those that are allowed. Out: whether this server talks to it. Only what is public is; an IPv4
// address inside an IPv6 one counts as itself.
import { BlockList, isIP } from 'node:net';
import { badValue } from './place-values.js';

/** True: this server does not talk to it. */
export type AddressGuard = (address: string) => boolean;

const words: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
};

/** What is not public: this network, special uses, documentation, benchmarks, multicast, reserved and broadcast. */
const special4 = [
  '0.0.0.0/8',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  // What a machine of Azure asks about itself.
  '168.63.129.16/32',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Protocols (Teredo and benchmarks among them) and documentation: the part of 2000::/3 that is not public. */
const special6 = ['2001::/23', '2001:db8::/32', '3fff::/20'];

const refused = listOf([...Object.values(words).flat(), ...special4, ...special6]);
const global6 = listOf(['2000::/3']);

/**
 * `allowed` has addresses, ranges and the words loopback, private and link-local.
 *
 * @example makeGuard([], 'jira')('127.0.0.1') // true
 */
export function makeGuard(allowed: readonly string[], name: string): AddressGuard {
  const allow = listOf(allowed.flatMap(entry => rangesOf(entry.trim(), name)));
  return address => {
    // fe80::1%eth0: the zone says nothing about what kind of address it is.
    const [bare = ''] = address.split('%');
    const family = isIP(bare);
    if (family === 4) return !allow.check(bare) && refused.check(bare);
    if (family !== 6) return true;
    if (allow.check(bare, 'ipv6')) return false;
    const inside = innerAddress(bare);
    if (inside !== undefined) return !allow.check(inside) && refused.check(inside);
    return !global6.check(bare, 'ipv6') || refused.check(bare, 'ipv6');
  };
}

function rangesOf(entry: string, name: string): readonly string[] {
  if (Object.hasOwn(words, entry)) return words[entry] ?? [];
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  if (family === 0 || !isRange || rest.length > 0)
    throw badValue(
      `allowAddresses of ${name}`,
      `has ${JSON.stringify(entry)}, which is not an address, a range (10.1.0.0/16), loopback, private or link-local`,
    );
  return [bits === undefined ? `${address}/${most}` : entry];
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** The IPv4 address that a packet to an IPv6 address ends up at: mapped, translated, NAT64 and 6to4. */
function innerAddress(address: string): string | undefined {
  const groups = groupsOf(address);
  const [first, second, third] = groups;
  const head = groups.slice(0, 6).join(':');
  if (head === '0:0:0:0:0:ffff' || head === '0:0:0:0:ffff:0' || head === '64:ff9b:0:0:0:0')
    return dotted(groups[6], groups[7]);
  return first === '2002' ? dotted(second, third) : undefined;
}

function dotted(high = '0', low = '0'): string {
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
}

/** Eight numbers in hex. URL knows all ways of writing one, and has one way itself. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map(part => (part === '' ? [] : part.split(':')));
  const missing = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0);
  return [...(before ?? []), ...Array.from({ length: missing }, () => '0'), ...(after ?? [])];
}
