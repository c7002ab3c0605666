// Whether a server may listen on an address: everybody who can reach it may call it.

/**
 * Loopback: only this machine can reach it.
 *
 * @example isLoopback('127.0.0.1') // true
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name);
}

export interface Bind {
  readonly host: string;
  readonly hasAuth: boolean;
  /** `--insecure`: the operator knows, and something else keeps strangers out. */
  readonly insecure: boolean;
  /** How the reader of the answer would allow it: a flag, or an option of a function. */
  readonly allow?: string;
}

/**
 * Why a server may not listen there; undefined where it may.
 *
 * @example checkBind({ host: '0.0.0.0', hasAuth: false, insecure: false }) // 'listening on 0.0.0.0 lets ...'
 */
export function checkBind({ host, hasAuth, insecure, allow = '--insecure' }: Bind): string | undefined {
  if (hasAuth || insecure || isLoopback(host)) return undefined;
  return (
    `listening on ${host} lets anyone who can reach this machine call the server's tools. ` +
    `Add \`auth\` to the server, or listen on 127.0.0.1; ${allow} allows it if something else keeps strangers out`
  );
}
