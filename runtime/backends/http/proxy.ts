// In: the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and where a request goes. Out: the proxy that it goes through, if any.
import { BlockList, isIP } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { Environment } from '../../call/context/config.js';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import { type Origin, originOf } from './base-url.js';

export interface HttpProxy extends Origin {
  /** For the header Proxy-Authorization. */
  readonly authorization: string | undefined;
}

/**
 * Names in lower case win, as with curl.
 *
 * @example proxyFor(originOf(new URL('https://jira.example.com')), process.env)
 */
export function proxyFor(target: Origin, env: Environment): HttpProxy | undefined {
  const [variable, text = ''] =
    read(env, target.isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? read(env, 'ALL_PROXY') ?? [];
  const [, exempt = ''] = read(env, 'NO_PROXY') ?? [];
  return variable === undefined || isExempt(target, exempt) ? undefined : parseProxy(text, variable);
}

/** As it is set: in lower case or not. */
function read(env: Environment, name: string): readonly [variable: string, text: string] | undefined {
  const pairs = [name.toLowerCase(), name].map(one => [one, (env[one] ?? '').trim()] as const);
  return pairs.find(([, text]) => text !== '');
}

function parseProxy(text: string, variable: string): HttpProxy {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  try {
    const url = new URL(address);
    const { auth } = urlToHttpOptions(url);
    if (url.protocol === 'http:' || url.protocol === 'https:') {
      const authorization = auth ? `Basic ${Buffer.from(auth).toString('base64')}` : undefined;
      return { ...originOf(url), authorization };
    }
  } catch {
    // Not an address, or one with broken escapes. It may have a password in it, and is in no message.
  }
  throw new UpstreamFailure('UPSTREAM_UNREACHABLE', `${variable} is not the address of an HTTP proxy`, {
    retryable: false,
    suggestedFix: `Set ${variable} to an address such as http://proxy.example.com:3128.`,
  });
}

/** `example.com` and `.example.com` also stand for what is below; `*` for everything; a port may follow; ranges of addresses. */
function isExempt({ hostname, port }: Origin, list: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const entries = list.split(/[\s,]+/).filter(entry => entry !== '');
  return entries.some(entry => {
    if (entry === '*') return true;
    const [, name = '', entryPort] = /^(.*?)(?::(\d+))?$/.exec(bare(entry.toLowerCase())) ?? [];
    if (entryPort !== undefined && isIP(bare(entry)) === 0 && Number(entryPort) !== port) return false;
    const wanted = isIP(bare(entry)) === 0 ? bare(name) : bare(entry.toLowerCase());
    if (wanted.includes('/')) return isInRange(host, wanted);
    const domain = wanted.replace(/^\*?\./, '');
    return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
  });
}

/** Addresses of IPv6 may stand in brackets. */
function bare(text: string): string {
  return /^\[[^\]]*\]$/.test(text) ? text.slice(1, -1) : text;
}

function isInRange(host: string, range: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128))
    return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, Number(bits), type);
  return list.check(host, type);
}
