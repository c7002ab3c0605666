// toolwright install, without a client: which ones there are, and where their settings would be.
import { clients } from '../generator/clients/client-table.js';
import { findUserFile } from '../generator/clients/config-paths.js';
import type { PackFlags } from './pack-command.js';
import { thisMachine } from './this-machine.js';

export function listClients(flags: PackFlags): number {
  const machine = thisMachine();
  const rows = clients.map(client => {
    const file = findUserFile(client, machine);
    return {
      client: client.id,
      title: client.title,
      file: file?.path ?? null,
      project: client.project ?? null,
      found: file?.isThere === true,
    };
  });
  if (flags.format === 'json') {
    process.stdout.write(`${JSON.stringify({ clients: rows }, undefined, 2)}\n`);
    return 0;
  }
  const width = Math.max(...rows.map(({ client }) => client.length));
  const line = ({ client, file, found }: (typeof rows)[number]): string =>
    `${found ? '*' : ' '} ${client.padEnd(width)}  ${file ?? 'not on this system'}\n`;
  process.stdout.write(rows.map(line).join(''));
  process.stderr.write('* has settings on this machine. toolwright install <client> [server]\n');
  return 0;
}
