// In: groups of processes that must not outlive this one. Out: their end, also when this one is ended without a word, as by SIGKILL or for want
// of memory: a small shell reads from a pipe of ours which there are, and ends what is left of them when the pipe closes.
import { type ChildProcess, spawn } from 'node:child_process';

/** As long as endTree waits. */
const script = `pids=
while read -r sign pid; do
  case $sign in
    +) pids="$pids $pid" ;;
    -) left=; for one in $pids; do [ "$one" = "$pid" ] || left="$left $one"; done; pids=$left ;;
  esac
done
[ -z "$pids" ] && exit
for pid in $pids; do kill -s TERM -- "-$pid"; done
sleep 2
for pid in $pids; do kill -s KILL -- "-$pid"; done`;

let guard: ChildProcess | undefined;

/** `leader`: the id of a process, and of the group that it leads. */
export function guardTree(leader: number): void {
  guard ??= startGuard();
  guard.stdin?.write(`+ ${leader}\n`);
}

/** What it may have left behind is meant to stay, and its id may be another one's soon. */
export function unguardTree(leader: number): void {
  guard?.stdin?.write(`- ${leader}\n`);
}

/** In a group of its own: a terminal sends its Ctrl-C to all of ours. It keeps nothing waiting. */
function startGuard(): ChildProcess {
  const env = { PATH: '/usr/bin:/bin' };
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    cwd: '/',
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // A system without a shell has no guard; the handler of 'exit' is there all the same.
  child.once('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return child;
}
