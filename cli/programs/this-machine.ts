// Where clients keep their settings depends on the machine, which only the command line knows.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Machine } from '../../generator/clients/config-paths.js';

export function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), env: process.env, exists: existsSync };
}
