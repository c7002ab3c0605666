// Both stores of ours keep the contract of all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileStore } from '../../../runtime/tasks/files/file-store.js';
import { openMemoryStore } from '../../../runtime/tasks/memory-store.js';
import { holdStore, type StoreBench } from './store-contract.js';

const leaseMs = 1000;

async function openMemoryBench(): Promise<StoreBench> {
  let passed = 0;
  const store = openMemoryStore({ now: () => Date.now() + passed, clock: () => performance.now() + passed, leaseMs });
  return {
    leaseMs,
    open: async () => store,
    pass: async ms => {
      passed += ms;
    },
    close: async () => undefined,
  };
}

function openFileBench(key?: string) {
  return async (): Promise<StoreBench> => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-tasks-'));
    let passed = 0;
    const times = { now: () => Date.now() + passed, clock: () => performance.now() + passed };
    return {
      leaseMs,
      open: async () => openFileStore({ folder: join(folder, 'a/b'), key, leaseMs, watchMs: 20, ...times }),
      pass: async ms => {
        passed += ms;
      },
      close: async () => rmSync(folder, { recursive: true }),
    };
  };
}

holdStore('in memory', openMemoryBench);
holdStore('in files', openFileBench());
holdStore('in sealed files', openFileBench('a key of sixteen characters or more'));
