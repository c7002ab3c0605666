// I4: examples/github imported again, from the document that it was made of and from one in which things have changed. What was done by hand is
// found by comparing the example with a fresh import of the same operations.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { copyExample, installOriginal, run } from './ports/originals.js';

const root = join(import.meta.dirname, '../../..');
const main = join(root, 'dist/cli/main.js');
const documentPath = 'node_modules/@octokit/openapi/generated/api.github.com.json';
const example = JSON.parse(readFileSync(join(root, 'examples/github/package.json'), 'utf8'));
const document = installOriginal(
  '@octokit/openapi',
  example.devDependencies['@octokit/openapi'],
  'generated/api.github.com.json',
);

type Json = Record<string, unknown>;
interface Operation {
  summary?: string;
  description?: string;
  parameters?: Json[];
}
interface Api {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
}

describe.skipIf(document === undefined)('examples/github, imported again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-import-github-'));
  const text = document === undefined ? '' : readFileSync(document, 'utf8');
  /** What each tool was when it was imported, by the name that it has now. */
  let imported: ReadonlyMap<string, Json>;
  let pack: string;
  let count = 0;

  beforeAll(() => {
    imported = importAfresh();
  }, 120_000);
  beforeEach(() => {
    count += 1;
    pack = copyExample('github', mkdirIn(folder, `copy-${count}`));
    writeDocument(text);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function writeDocument(written: string): void {
    mkdirSync(join(pack, documentPath, '..'), { recursive: true });
    writeFileSync(join(pack, documentPath), written);
  }

  /** The document of a later day. */
  function changeDocument(change: (api: Api) => void): void {
    const api = JSON.parse(text) as Api;
    change(api);
    writeDocument(JSON.stringify(api));
  }

  function importAgain(...words: readonly string[]): { status: number | null; stdout: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'import', '--no-color', ...words], {
      cwd: pack,
      encoding: 'utf8',
    });
    return { status, stdout: stdout + stderr };
  }

  function importAfresh(): ReadonlyMap<string, Json> {
    const { source, items } = readRecord(join(root, 'examples/github'));
    const words = Object.entries(source.settings).flatMap(([key, value]) =>
      key === 'outputs' ? ['--no-outputs'] : (value as string[]).flatMap(one => [`--${key}`, one]),
    );
    const fresh = mkdirIn(folder, 'fresh');
    writeFileSync(join(fresh, 'toolwright.yaml'), 'description: Fresh\n');
    run(fresh, 'import', document ?? '', '--name', 'github', ...words);
    const nameOf = new Map(Object.entries(readRecord(fresh).items).map(([name, { id }]) => [id, name.slice(5)]));
    return new Map(
      Object.entries(items).flatMap(([name, { id }]) =>
        id === undefined ? [] : [[name.slice(5), toolOf(fresh, nameOf.get(id) ?? '')] as const],
      ),
    );
  }

  /** What differs from the import: values that an author wrote, and `undefined` for what an author took away. */
  function workOf(name: string, definition: Json): ReadonlyMap<string, unknown> {
    const [before, now] = [leavesOf(imported.get(name)), leavesOf(definition)];
    return new Map(
      [...new Set([...before.keys(), ...now.keys()])]
        .filter(path => JSON.stringify(before.get(path)) !== JSON.stringify(now.get(path)))
        .map(path => [path, now.get(path)]),
    );
  }

  function expectWorkKept(except: readonly string[] = []): void {
    let leaves = 0;
    for (const name of imported.keys()) {
      const now = leavesOf(toolOf(pack, name));
      for (const [path, value] of workOf(name, toolOf(join(root, 'examples/github'), name))) {
        if (except.includes(`${name}:${path}`)) continue;
        expect([name, path, now.get(path)]).toEqual([name, path, value]);
        leaves += 1;
      }
    }
    expect(leaves).toBeGreaterThan(200);
  }

  it('I4 the same document changes no byte, and the example is up to date with it', () => {
    const before = textsOf(pack);
    expect(importAgain()).toMatchObject({ status: 0, stdout: expect.stringContaining('20 of 1,') });
    expect(importAgain('--check')).toMatchObject({ status: 0, stdout: expect.stringMatching(/1[0-9] items stay as/) });
    expect(textsOf(pack)).toEqual(before);
    expectWorkKept();
  });

  it('I4 what changed in the document is taken, and all that was done by hand stays', { timeout: 120_000 }, () => {
    changeDocument(({ paths }) => {
      const issues = operation(paths, 'get /repos/{owner}/{repo}/issues');
      issues.parameters = (issues.parameters ?? []).filter(({ name }) => name !== 'mentioned');
      issues.parameters.push({ name: 'weight', in: 'query', description: 'How heavy', schema: { type: 'integer' } });
      for (const one of issues.parameters) if (one['name'] === 'issue_field_values') one['description'] = 'Anew';
      operation(paths, 'get /repos/{owner}/{repo}/branches').description = 'Lists branches, the newest first.';
      operation(paths, 'post /repos/{owner}/{repo}/issues').summary = 'Open an issue';
      operation(paths, 'get /repos/{owner}/{repo}/contents/{path}').parameters?.push({
        ...{ name: 'depth', in: 'query', schema: { type: 'integer' } },
      });
      paths['/search/packages'] = { get: packages };
    });
    const handler = readFileSync(join(pack, 'src/tools/repos-get-content.ts'), 'utf8');
    expect(importAgain('--check').status).toBe(1);
    const { status, stdout } = importAgain();
    expect(status).toBe(0);
    expect(stdout).toMatch(/update +tool issues-list .* called issues-list-for-repo there/);
    expect(stdout).toMatch(/update +tool repos-get-content .* look at its handler, too\n/);
    expect(stdout).toMatch(/create +tool search-packages/);
    const issues = leavesOf(toolOf(pack, 'issues-list'));
    expect(issues.get('inputSchema/properties/weight/type')).toBe('integer');
    expect(issues.get('http/query/weight')).toBe('{weight}');
    expect([...issues.keys()].filter(path => /mentioned|issue_field_values/.test(path))).toEqual([]);
    expect(toolOf(pack, 'repos-list-branches')['description']).toBe('Lists branches, the newest first.');
    expect(toolOf(pack, 'issues-create')['title']).toBe('Open an issue');
    expect(leavesOf(toolOf(pack, 'repos-get-content')).get('inputSchema/properties/depth/type')).toBe('integer');
    expect(readFileSync(join(pack, 'src/tools/repos-get-content.ts'), 'utf8')).toBe(handler);
    expect(textsOf(pack)['mcp/tools/issues-list.yaml']).toContain('  # Half of each answer are addresses');
    expectWorkKept();
    run(pack, 'check', '--strict');
    run(pack, 'generate', '--check');
    run(pack, 'typecheck');
    const tested = spawnSync(process.execPath, ['stand-in.mjs', process.execPath, main, 'test'], { cwd: pack });
    expect([tested.status, String(tested.stdout)]).toEqual([0, expect.stringMatching(/\d+ passed {2}/)]);
    expect(importAgain('--check').status).toBe(0);
  });

  it('I4 a tool whose operation is gone stays, and `--prune` deletes it unless somebody has changed it', () => {
    changeDocument(({ paths }) => {
      delete paths['/repos/{owner}/{repo}/pulls/{pull_number}/reviews']?.['post'];
      delete paths['/repos/{owner}/{repo}/pulls/{pull_number}/merge']?.['put'];
    });
    const { status, stdout } = importAgain();
    expect(status).toBe(0);
    expect(stdout).toMatch(/gone there +tool pulls-create-review/);
    expect(stdout).toMatch(/gone there +tool pulls-merge/);
    expectWorkKept();
    expect(importAgain('--prune').status).toBe(0);
    expect(Object.keys(textsOf(pack)).filter(path => path.includes('/pulls-'))).toEqual(
      ['create', 'get', 'list-files', 'list', 'merge'].map(name => `mcp/tools/pulls-${name}.yaml`),
    );
  });

  describe('with changes on both sides', () => {
    beforeEach(() =>
      changeDocument(api => {
        api.servers = [{ url: 'https://api.github.dev' }];
        operation(api.paths, 'get /repos/{owner}/{repo}/issues/{issue_number}').description = 'Get one issue.';
        operation(api.paths, 'get /repos/{owner}/{repo}/branches').description = 'Branches.';
      }),
    );

    it('I4 conflicts are shown with both texts, and nothing is written', () => {
      const before = textsOf(pack);
      const { status, stdout } = importAgain();
      expect(status).toBe(1);
      for (const said of [
        '"issues-get:/description" was changed here and in the source: "Get an issue or a pull request by its number, with its text." here, "Get one issue." there',
        '"github:/url" was changed here and in the source: "{config.GITHUB_URL}" here, "https://api.github.dev" there',
        'Nothing is written',
      ])
        expect(stdout).toContain(said);
      expect(textsOf(pack)).toEqual(before);
    });

    it('I4 `--ours` keeps what was done by hand, and nobody is asked again', () => {
      const one = importAgain('--ours', 'issues-get:/description');
      expect(one.status).toBe(1);
      expect(one.stdout).not.toContain('"issues-get:/description" was changed');
      expect(importAgain('--ours')).toMatchObject({ status: 0 });
      expectWorkKept();
      expect(textsOf(pack)['toolwright.yaml']).toContain('url: "{config.GITHUB_URL}"');
      expect(toolOf(pack, 'repos-list-branches')['description']).toBe('Branches.');
      expect(importAgain('--check').status).toBe(0);
    });

    it('I4 `--theirs` takes the text of the document where it is named', () => {
      expect(importAgain('--theirs', 'issues-get:/description', '--ours', 'github:/url')).toMatchObject({ status: 0 });
      expect(toolOf(pack, 'issues-get')['description']).toBe('Get one issue.');
      expectWorkKept(['issues-get:description']);
      expect(textsOf(pack)['toolwright.yaml']).toContain('url: "{config.GITHUB_URL}"');
    });
  });
});

const packages = {
  ...{ operationId: 'search/packages', tags: ['search'], summary: 'Search packages' },
  parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }],
  responses: { '200': { description: 'Found' } },
};

/** @example operation(paths, 'get /search/code').summary */
function operation(paths: Api['paths'], place: string): Operation {
  const [method = '', path = ''] = place.split(' ');
  const found = paths[path]?.[method];
  if (found === undefined) throw new Error(`the document has no ${place}`);
  return found;
}

interface Recorded {
  readonly source: { readonly settings: Json };
  readonly items: Readonly<Record<string, { readonly id?: string }>>;
}

function readRecord(pack: string): Recorded {
  const source = JSON.parse(readFileSync(join(pack, 'toolwright.import.json'), 'utf8')).sources.github;
  return { source, items: source.items };
}

function toolOf(pack: string, name: string): Json {
  return parse(readFileSync(join(pack, 'mcp/tools', `${name}.yaml`), 'utf8'));
}

/** Everything that an import may write, by its path. */
function textsOf(pack: string): Record<string, string> {
  const paths = ['toolwright.yaml', 'toolwright.import.json'];
  for (const below of ['mcp/tools', 'mcp/servers', 'src/tools', 'generated'])
    for (const entry of readdirSync(join(pack, below), { withFileTypes: true }))
      if (entry.isFile()) paths.push(`${below}/${entry.name}`);
  return Object.fromEntries(paths.map(path => [path, readFileSync(join(pack, path), 'utf8')]));
}

/** Lists are leaves. */
function leavesOf(value: unknown, path = ''): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]]);
  const below = Object.entries(value).map(([key, one]) => leavesOf(one, path === '' ? key : `${path}/${key}`));
  return new Map(below.flatMap(leaves => [...leaves]));
}

function mkdirIn(folder: string, name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}
