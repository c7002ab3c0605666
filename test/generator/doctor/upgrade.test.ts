// What `doctor` and `generate` say after an upgrade, of a pack that the version before has generated.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { versionOfLedger } from '../../../generator/compile/ledger.js';
import { behaviourChanges } from '../../../generator/doctor/upgrade-rules.js';
import { compareVersions, isVersion } from '../../../runtime/packs/installed-package.js';
import { version } from '../../../schema/version.js';
import { linkDependencies } from '../../cli/author-world.js';
import { openCommands, type Ran } from '../../harness/commands.js';
import { writeFiles } from '../../harness/files.js';

const root = join(import.meta.dirname, '../../..');
const world = mkdtempSync(join(tmpdir(), 'toolwright-upgrade-'));
const commands = openCommands();
const ledger = 'generated/.toolwright.json';
let pack = '';
let count = 0;

function run(...args: readonly string[]): Ran {
  const PATH = process.env['PATH'] ?? '';
  return commands.runSync(args, { cwd: pack, env: { PATH, HOME: world, TOOLWRIGHT_CACHE: 'off' } });
}

/** The ids of the changes that `doctor` names. */
function named(...args: readonly string[]): readonly string[] {
  const { stdout } = run('doctor', '--format', 'json', ...args);
  const checks: { readonly id: string; readonly hint?: string }[] = JSON.parse(stdout).checks;
  return checks.flatMap(({ id, hint }) => (id === 'upgrade' ? [/\[([\w-]+)\]$/.exec(hint ?? '')?.[1] ?? ''] : []));
}

beforeEach(() => {
  count += 1;
  pack = join(world, `pack-${count}`);
  cpSync(join(root, 'test/fixtures/previous-version/pack'), pack, { recursive: true });
  linkDependencies(pack);
});

/** The fixture without the one thing that a change touches. */
function withoutRawDefault(): void {
  const file = 'mcp/tools/merge-entries.yaml';
  writeFiles(pack, { [file]: readFileSync(join(pack, file), 'utf8').replace(', default: slow', '') });
}
afterAll(() => {
  commands.close();
  rmSync(world, { recursive: true, force: true });
});

describe('`doctor` after an upgrade', () => {
  it('`doctor` names the one change that touches a pack of the version before', () => {
    expect(versionOfLedger(readFileSync(join(pack, ledger), 'utf8'))).toBe('0.0.0');
    const { stdout } = run('doctor', '--no-color');
    const lines = stdout.split('\n');
    const [at = 0, ...others] = lines.flatMap((line, index) => (/^info +upgrade /.test(line) ? [index] : []));
    expect(others).toEqual([]);
    expect(lines[at]).toMatch(/since 0\.1\.0, defaults in a raw .* \(here: merge-entries\)$/);
    expect(lines[at + 1]).toMatch(/^ +set `defaults: fill` on the tool.* \[raw-defaults\]$/);
  });

  const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['env-file', { '.env': 'A=1\n' }],
    [
      'first-server',
      {
        'toolwright.yaml': 'description: Two servers\nservers: [entries, second]\n',
        'mcp/servers/second.yaml': 'description: Second.\n',
      },
    ],
    [
      'confirm-refused',
      {
        'mcp/tools/wipe.yaml': 'description: Wipe.\nconfirm: true\nhandler: src/tools/wipe.js\n',
        'src/tools/wipe.js': 'export default () => "";\n',
      },
    ],
    [
      'raw-defaults',
      {
        'mcp/tools/raw.yaml':
          'description: Raw.\ninputSchema: { type: object, properties: { a: { type: string, default: x } } }\n',
        'src/tools/raw.js': 'export default () => "";\n',
      },
    ],
    [
      'output-defaults',
      {
        'mcp/tools/out.yaml': 'description: Out.\noutput: { a: { type: string, default: x } }\n',
        'src/tools/out.js': 'export default () => ({});\n',
      },
    ],
    [
      'tasks',
      {
        'mcp/tools/slow.yaml': 'description: Slow.\ntask: optional\n',
        'src/tools/slow.js': 'export default () => "";\n',
      },
    ],
    [
      'protocol-flag',
      {
        'package.json':
          '{"name": "entries", "version": "1.0.0", "type": "module", "scripts": {"serve": "toolwright start --lane sdk"}}',
      },
    ],
  ];
  it.each(cases)('`doctor` names the change %s for a pack that it touches, and only that one', (id, files) => {
    withoutRawDefault();
    expect(named()).toEqual([]);
    writeFiles(pack, files);
    expect(named()).toEqual([id]);
  });

  it('`doctor` names no change for several servers without a list: commands still ask which one', () => {
    withoutRawDefault();
    writeFiles(pack, { 'mcp/servers/second.yaml': 'description: Second.\n' });
    expect(named()).toEqual([]);
  });

  it('`doctor` names what changes for handlers that nobody has written', () => {
    withoutRawDefault();
    writeFiles(pack, {
      'mcp/tools/new.yaml': 'description: New.\n',
      'src/tools/new.js': 'export default (_, ctx) => {\n  throw ctx.notImplemented();\n};\n',
    });
    expect(named()).toEqual(['untouched-stubs', 'unwritten-handlers']);
  });

  it('`doctor` names the compiler for a TypeScript pack without one', () => {
    withoutRawDefault();
    writeFiles(pack, { 'tsconfig.json': '{"compilerOptions": {"module": "nodenext"}, "include": ["src"]}\n' });
    expect(named()).toEqual([]);
    rmSync(join(pack, 'node_modules/typescript'));
    expect(named()).toEqual(['compiler']);
  });

  it('every change has a test here, a row of its own and a place in docs/upgrading.md', () => {
    const ids = behaviourChanges.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const tested = [...cases.map(([id]) => id), 'untouched-stubs', 'unwritten-handlers', 'compiler'];
    expect([...tested].sort()).toEqual([...ids].sort());
    const page = readFileSync(join(root, 'docs/upgrading.md'), 'utf8');
    for (const { id, since } of behaviourChanges) {
      expect(page).toContain(`\`${id}\``);
      expect(isVersion(since) && compareVersions(since, version) <= 0).toBe(true);
    }
  });
});

describe('`generate` after an upgrade', () => {
  it('`generate` says once that another version generated before, and `doctor --since` still lists what changed', () => {
    withoutRawDefault();
    writeFiles(pack, { '.env': 'A=1\n' });
    const first = run('generate');
    expect(first.stderr).toContain(`generated by an earlier version before, by ${version} now`);
    expect(first.stderr).toContain('toolwright doctor --since 0.0.0');
    expect(versionOfLedger(readFileSync(join(pack, ledger), 'utf8'))).toBe(version);
    expect(run('generate').stderr).toBe('');
    expect(named()).toEqual([]);
    expect(named('--since', '0.0.0')).toEqual(['env-file']);
    expect(named('--since', version)).toEqual([]);
    expect(run('doctor', '--since', 'yesterday')).toMatchObject({ status: 2, stdout: '' });
  });

  it('`generate` says nothing of it with `--quiet`, in JSON, in a new pack and after a later version', () => {
    expect(run('generate', '--quiet').stderr).toBe('');
    rmSync(join(pack, 'generated'), { recursive: true });
    expect(run('generate').stderr).toBe('');
    const text = readFileSync(join(pack, ledger), 'utf8');
    writeFiles(pack, { [ledger]: text.replace(`"version":"${version}"`, '"version":"99.0.0"') });
    expect(run('generate').stderr).toBe('');
    writeFiles(pack, { [ledger]: text.replace(`"version":"${version}"`, '"version":"0.0.9"') });
    expect(run('generate', '--format', 'json').stderr).toBe('');
  });

  it('`generate --check` passes where only the version in the ledger differs', () => {
    run('generate', '--quiet');
    const text = readFileSync(join(pack, ledger), 'utf8');
    writeFiles(pack, { [ledger]: text.replace(`"version":"${version}"`, '"version":"0.0.9"') });
    expect(run('generate', '--check')).toMatchObject({ status: 0 });
    expect(run('generate').stderr).toContain('generated by 0.0.9 before');
  });
});

describe('the version of a ledger', () => {
  it('the version is that of package.json', () => {
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).toBe(version);
  });

  it('the earlier version counts in a ledger that git could not merge, and odd ones say nothing', () => {
    const line = (text: string): string => `  "toolwright": {"version":"${text}"},\n`;
    expect(versionOfLedger(`{\n<<<<<<< a\n${line('0.10.0')}=======\n${line('0.9.1')}>>>>>>> b\n}\n`)).toBe('0.9.1');
    for (const text of ['', '{}', '[', '{"toolwright": 1}', '{"toolwright": {"version": "1; rm"}}'])
      expect([text, versionOfLedger(text)]).toEqual([text, '0.0.0']);
    expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0);
    expect(compareVersions('1.0.0-rc.1', '1.0.0')).toBe(0);
  });
});
