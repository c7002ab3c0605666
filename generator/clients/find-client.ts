// In: what a person typed for a client. Out: its row of the table.
import type { Client } from './client.js';
import { clients } from './client-table.js';

/** A client by what somebody typed: its id or an alias, whatever the case. */
export function findClient(typed: string): Client | undefined {
  const wanted = typed.toLowerCase();
  return clients.find(({ id, aliases, title }) =>
    [id, title.toLowerCase(), ...aliases].some(name => name === wanted || name === wanted.replaceAll(/[\s_-]/g, '')),
  );
}
