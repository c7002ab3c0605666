// `node-sqlite3-wasm` locks with a folder beside the database, which stays if a process is killed inside a statement. In: the database. Out:
// a guard that knows such a folder from one in use, and removes it. The text of the function runs in the process of sqlite-helper.ts: it
// uses nothing from outside.

export interface LockGuard {
  /** Before a statement, and after it. */
  enter(): void;
  leave(): void;
  /** Whether a lock of the dead was there and is removed. */
  removeStale(): boolean;
}

/**
 * While a process may hold the lock, a file of ours beside it has the number of the process. A lock is stale where such a process is dead,
 * began before the lock was made, and no living one could have made it.
 */
export function makeLockGuard(
  fs: typeof import('node:fs'),
  path: typeof import('node:path'),
  file: string,
  /** Nothing else runs in this process. */
  isHelper: boolean,
): LockGuard {
  const lock = `${file}.lock`;
  const prefix = `${path.basename(file)}.user-`;
  const own = path.join(path.dirname(file), `${prefix}${process.pid}`);
  // A lock that is young may belong to somebody whose record is just being removed.
  const leastAgeMs = 1000;

  // SQLite asks for the locks of others only while it holds the lock itself. The driver takes its own for that of another, and so would
  // never undo what a killed process left half written.
  if (isHelper) {
    const { accessSync } = fs;
    fs.accessSync = (asked, mode) => {
      if (asked === lock) throw Object.assign(new Error('it is our own'), { code: 'ENOENT' });
      accessSync(asked, mode);
    };
  }

  /** Tells a process from a later one with the same number, where the system says when they began. */
  function beginOf(pid: number): string {
    try {
      const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    } catch {
      return '';
    }
  }

  const ownBegin = beginOf(process.pid);

  function isAlive(pid: number, begin: string): boolean {
    try {
      process.kill(pid, 0);
    } catch (error) {
      // It is there, and somebody else's.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
    }
    return beginOf(pid) === begin;
  }

  function records(): readonly { readonly path: string; readonly since: number; readonly isAlive: boolean }[] {
    return fs
      .readdirSync(path.dirname(file))
      .filter(name => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
      .map(name => path.join(path.dirname(file), name))
      .filter(one => one !== own)
      .flatMap(one => {
        try {
          const begin = fs.readFileSync(one, 'utf8');
          const pid = Number(path.basename(one).slice(prefix.length));
          return [{ path: one, since: fs.statSync(one).mtimeMs, isAlive: isAlive(pid, begin) }];
        } catch {
          return [];
        }
      });
  }

  /** One process at most gets it: the others find nothing to rename. */
  function claim(record: string): boolean {
    try {
      fs.renameSync(record, `${own}-claim`);
      fs.unlinkSync(`${own}-claim`);
      return true;
    } catch {
      return false;
    }
  }

  return {
    enter() {
      try {
        fs.writeFileSync(own, ownBegin);
      } catch {
        // A folder that nobody can write to has no locks either.
      }
    },
    leave() {
      try {
        fs.unlinkSync(own);
      } catch {
        // It was not written.
      }
    },
    removeStale() {
      try {
        const made = fs.statSync(lock).mtimeMs;
        if (Date.now() - made < leastAgeMs) return false;
        const before = records().filter(({ since }) => since <= made);
        const dead = before.filter(one => !one.isAlive);
        if (dead.length === 0 || dead.length < before.length || !dead.every(one => claim(one.path))) return false;
        if (fs.statSync(lock).mtimeMs !== made) return false;
        fs.rmdirSync(lock);
        return true;
      } catch {
        return false;
      }
    },
  };
}
