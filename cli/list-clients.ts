// toolwright install, without a client: which ones there are, and where their settings would be.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { clients } from '../generator/clients/client-table.js';
import { userFiles } from '../generator/clients/config-paths.js';
import type { PackFlags } from './pack-command.js';

export function listClients(flags: PackFlags): number {
  const machine = { platform: process.platform, home: homedir(), env: process.env, exists: existsSync };
  const rows = clients.map(client => {
    const files = userFiles(client, machine);
    const found = files.find(file => existsSync(file));
    return {
      client: client.id,
      title: client.title,
      file: found ?? files[0] ?? null,
      project: client.project ?? null,
      found: found !== undefined,
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
