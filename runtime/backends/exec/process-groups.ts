// B3. In: groups of processes. Out: these and the groups of all that their processes have started, also of what has left them, as browsers
// and servers do that begin a session of their own. What has left and whose parent has ended belongs to nobody any more, and is not found.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** Not on Windows, which has no groups. */
export function groupsBelow(known: ReadonlySet<number>): ReadonlySet<number> {
  const table = process.platform === 'linux' ? readProc() : askPs();
  const groups = new Set(known);
  const pids = new Set<number>();
  for (let before = -1; before !== pids.size + groups.size; ) {
    before = pids.size + groups.size;
    for (const { pid, parent, group } of table) {
      if (!groups.has(group) && !pids.has(parent)) continue;
      pids.add(pid);
      groups.add(group);
    }
  }
  return groups;
}

/** `123 (name) S 1 123 ...`: names may have anything in them. */
function readProc(): readonly Entry[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

function askPs(): readonly Entry[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid='], { encoding: 'utf8', timeout: 1000 });
  return (stdout ?? '').split('\n').flatMap(line => {
    const [pid = 0, parent = 0, group = 0] = line.trim().split(/\s+/).map(Number);
    return pid > 0 && group > 0 ? [{ pid, parent, group }] : [];
  });
}
