// In: the backends of a pack. Out: each of them opened when it is first needed, shared by all items and handlers, and closed with the server.
// Nothing connects before the first call.
import { findBackend } from '../../../schema/backend/calls.js';
import type { BackendDefinition } from '../../../schema/definitions.js';
import type { Backends as BackendClients } from '../../../schema/support/mcp/backends.js';
import type { Program } from '../../load/program.js';
import type { OpenHttp } from '../http/open-http.js';
import type { OpenMcpBackend } from '../mcp/open-mcp.js';
import type { BackendScope, CallScope, OpenBackend } from '../ports.js';
import type { OpenSqlBackend } from '../sql/open-sql.js';

type AnyBackend = OpenHttp | OpenSqlBackend | OpenMcpBackend;

export class OpenBackends {
  readonly #definitions: Readonly<Record<string, BackendDefinition>>;
  readonly #scope: BackendScope;
  readonly #opened = new Map<string, Promise<AnyBackend>>();
  #notify: BackendScope['notify'];
  #isClosed = false;

  constructor({ pack: { backends = {} } }: Program, scope: Omit<BackendScope, 'notify'>) {
    this.#definitions = backends;
    const lastNotify = (): BackendScope['notify'] => this.#notify;
    this.#scope = {
      ...scope,
      // A server is opened by a call, and tells about changes by the way of the last one.
      get notify() {
        return lastNotify();
      },
    };
  }

  get scope(): BackendScope {
    return this.#scope;
  }

  /** Undefined: requests have addresses of their own. */
  async http(call: unknown): Promise<OpenHttp> {
    const found = findBackend('http', call, this.#definitions);
    if (found === undefined) return (await this.#keep('', () => this.#openHttp('The service', undefined))) as OpenHttp;
    return (await this.#named(found.problem === undefined ? found.name : '')) as OpenHttp;
  }

  async of(kind: 'sql', call: unknown): Promise<OpenSqlBackend>;
  async of(kind: 'mcp', call: unknown): Promise<OpenMcpBackend>;
  async of(kind: 'sql' | 'mcp', call: unknown): Promise<OpenSqlBackend | OpenMcpBackend> {
    const found = findBackend(kind, call, this.#definitions);
    const name = found === undefined || found.problem !== undefined ? '' : found.name;
    return (await this.#named(name)) as OpenSqlBackend | OpenMcpBackend;
  }

  /** What handlers have as `ctx.backends`: a client for each, made for the call that asks. */
  async clients(): Promise<(call: CallScope) => BackendClients> {
    const names = Object.keys(this.#definitions);
    const opened = await Promise.all(names.map(async name => [name, await this.#named(name)] as const));
    return call => {
      this.heard(call);
      return Object.fromEntries(
        opened.map(([name, one]) => [name, (one as OpenBackend<BackendClients[string]>).of(call)]),
      );
    };
  }

  /** A call that reaches other servers. */
  heard({ request }: CallScope): void {
    this.#notify = request.notify;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await Promise.allSettled(this.#opened.values());
    await Promise.all(opened.map(one => (one.status === 'fulfilled' ? one.value.close() : undefined)));
  }

  #named(name: string): Promise<AnyBackend> {
    return this.#keep(name, async () => {
      const definition = Object.hasOwn(this.#definitions, name) ? this.#definitions[name] : undefined;
      // Linking has refused a call that names no backend.
      if (definition === undefined) throw new Error(`there is no backend ${JSON.stringify(name)}`);
      switch (definition.type) {
        case 'http':
          return await this.#openHttp(name, definition);
        case 'mcp':
          return (await import('../mcp/open-mcp.js')).openMcp(name, definition, this.#scope);
        default:
          return (await import('../sql/open-sql.js')).openSql(name, definition, this.#scope);
      }
    });
  }

  async #openHttp(
    name: string,
    definition: Extract<BackendDefinition, { type: 'http' }> | undefined,
  ): Promise<OpenHttp> {
    const { openHttp } = await import('../http/open-http.js');
    return openHttp(name, definition, this.#scope);
  }

  #keep(name: string, open: () => Promise<AnyBackend>): Promise<AnyBackend> {
    if (this.#isClosed) throw new Error('the server is shutting down');
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const opening = open();
    this.#opened.set(name, opening);
    opening.catch(() => this.#opened.delete(name));
    return opening;
  }
}
