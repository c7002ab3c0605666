// In: a name and a guard. Out: its addresses, each of them checked, for who connects: nobody asks for the name a second time.
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { UpstreamFailure } from '../../call/upstream-failure.js';
import type { AddressGuard } from './address-guard.js';

/** As `lookup` of node:dns. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** For tests. */
export interface NetworkHooks {
  readonly lookup?: Lookup | undefined;
}

export interface Resolver {
  /** For connections; undefined: Node's own is as good. */
  readonly lookup: LookupFunction | undefined;
  /** Throws where the address is one, and refused. Connections to addresses ask for no name. */
  checkLiteral(hostname: string): void;
  /** Throws where the name leads to a refused address. */
  check(hostname: string): Promise<void>;
}

/** `guard` is undefined where the author wrote the address. */
export function makeResolver(name: string, guard: AddressGuard | undefined, hooks: NetworkHooks): Resolver {
  const lookupAll: Lookup = hooks.lookup ?? systemLookup;
  const checkLiteral = (hostname: string): void => {
    if (guard !== undefined && isIP(hostname) !== 0 && guard(hostname)) throw addressRefused(name);
  };
  const resolve: LookupFunction = (hostname, options, callback) => {
    const family = options.family === 4 || options.family === 6 ? { family: options.family } : {};
    lookupAll(hostname, { all: true, ...family }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) callback(error ?? nameUnknown(hostname), '', 0);
      // One refused address is enough: a name that is public and private at once is an attempt to get in.
      else if (guard !== undefined && addresses.some(({ address }) => guard(address)))
        callback(addressRefused(name), '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
  return {
    lookup: guard === undefined && hooks.lookup === undefined ? undefined : resolve,
    checkLiteral,
    check: hostname =>
      new Promise((done, fail) => {
        checkLiteral(hostname);
        if (guard === undefined || isIP(hostname) !== 0) done();
        else resolve(hostname, { all: true }, error => (error === null ? done() : fail(error)));
      }),
  };
}

function addressRefused(name: string): UpstreamFailure {
  return new UpstreamFailure(
    'ADDRESS_REFUSED',
    `${name} is at a private or reserved address, and this server talks to public ones only`,
    {
      suggestedFix: 'Where such an address is meant, allowAddresses of the backend has to name it.',
    },
  );
}

function nameUnknown(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' });
}
