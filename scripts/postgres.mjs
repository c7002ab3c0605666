// A PostgreSQL for tests: a cluster of its own in a temporary folder, on loopback, with a random port and password. `startPostgres()` gives
// its url; undefined where PostgreSQL is not installed. `node scripts/postgres.mjs` starts one to try things by hand.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const isRoot = process.getuid?.() === 0;

/** Where its programs are: the newest version. */
function findPrograms() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : [];
  const folders = versions.map(version => join(debian, version, 'bin'));
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return [...folders, (stdout ?? '').trim()].find(folder => folder !== '' && existsSync(join(folder, 'initdb')));
}

/** A server does not run as root: then it runs as the user that the package made. */
function userOf() {
  if (!isRoot) return {};
  const id = flag => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort() {
  const server = createServer();
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** Tests that find none are skipped, which `.ci/run` counts as a failure. */
export async function startPostgres() {
  const programs = findPrograms();
  if (programs === undefined) {
    console.warn('Tests with PostgreSQL are skipped: it is not installed (apt-get install postgresql).');
    return undefined;
  }
  const user = userOf();
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (user.uid !== undefined) chownSync(passwordFile, user.uid, user.gid);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'toolwright',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
      '-N',
    ],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 30,
  };
  const words = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...words], { ...user, cwd: folder, stdio: 'ignore' });
  const gone = new Promise(resolve => server.once('exit', resolve));
  // A test run that ends early leaves no server behind.
  const end = () => server.kill('SIGINT');
  process.once('exit', end);
  const stop = async () => {
    process.off('exit', end);
    // SIGINT: connections end now, and the cluster is shut down in order.
    if (server.exitCode === null) server.kill('SIGINT');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  const ready = () =>
    spawnSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], { cwd: tmpdir() }).status ===
    0;
  for (let tries = 0; !ready(); tries += 1) {
    if (tries === 200 || server.exitCode !== null) {
      await stop();
      throw new Error('PostgreSQL did not start');
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return { url: `postgres://toolwright:${password}@127.0.0.1:${port}/postgres`, stop };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const started = await startPostgres();
  if (started !== undefined) {
    console.log(`${started.url}\nCtrl-C ends it.`);
    process.once('SIGINT', () => void started.stop());
  }
}
