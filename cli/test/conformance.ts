// In: a server. Out: what the scenarios of the official conformance suite say that fit any server; the others call tools of
// their own, which only a server that is made for the suite has.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Server } from '../../runtime/load/program.js';
import { type ChildOutput, collectOutput, keepTail } from '../../runtime/packs/child-output.js';
import type { Verdict } from '../../runtime/server/examples/run-tests.js';
import { diagnose } from '../../schema/diagnostics.js';
import { UsageError } from '../terminal/usage-error.js';
import { type ServerCommand, spawnSelf } from './server-process.js';
import type { ServerTest } from './test-server.js';

const suite = '@modelcontextprotocol/conformance';

interface Scenario {
  readonly name: string;
  readonly revision: '2025-11-25' | '2026-07-28';
  /** Kinds that the server must have. */
  readonly needs?: readonly ('tools' | 'prompts' | 'resources')[];
}

const scenarios: readonly Scenario[] = [
  { name: 'server-initialize', revision: '2025-11-25' },
  { name: 'server-session-lifecycle', revision: '2025-11-25' },
  { name: 'ping', revision: '2025-11-25' },
  { name: 'logging-set-level', revision: '2025-11-25' },
  { name: 'server-sse-multiple-streams', revision: '2025-11-25', needs: ['tools'] },
  ...(['2025-11-25', '2026-07-28'] as const).flatMap((revision): readonly Scenario[] => [
    { name: 'dns-rebinding-protection', revision },
    { name: 'tools-list', revision, needs: ['tools'] },
    { name: 'prompts-list', revision, needs: ['prompts'] },
    { name: 'resources-list', revision, needs: ['resources'] },
  ]),
  { name: 'http-header-validation', revision: '2026-07-28', needs: ['tools'] },
  { name: 'caching', revision: '2026-07-28', needs: ['tools', 'prompts', 'resources'] },
  { name: 'sep-2164-resource-not-found', revision: '2026-07-28', needs: ['resources'] },
];

/** `path`: of the suite. */
export async function runConformance(
  server: Server,
  path: string,
  command: ServerCommand,
): Promise<readonly ServerTest[]> {
  const start = server.at.site([]);
  const base = { server: server.item, kind: 'server', item: server.item, check: 'conformance', site: start } as const;
  const titled = scenarios.map(one => ({ ...one, title: `${one.name} (${one.revision})` }));
  if (server.definition.auth !== undefined) {
    const reason = 'the server wants a token, and the suite has none';
    return [{ ...base, title: 'conformance', durationMs: 0, status: 'skipped', reason }];
  }
  const http = await serveHttp(command);
  const fail = (test: string, reason: string): Verdict => ({
    status: 'failed',
    diagnostic: diagnose('test/conformance', { test, reason }, start),
  });
  if ('problem' in http) return [{ ...base, title: 'start', durationMs: 0, ...fail('start', http.problem) }];
  const tests: ServerTest[] = [];
  try {
    for (const { name, revision, needs = [], title } of titled) {
      const lacking = needs.find(kind => server[kind].length === 0);
      if (lacking !== undefined) {
        tests.push({ ...base, title, durationMs: 0, status: 'skipped', reason: `the server has no ${lacking}` });
        continue;
      }
      const started = performance.now();
      const args = ['server', '--url', http.url, '--scenario', name, '--spec-version', revision];
      const { status: code, output } = await runSuite(path, args, command.cwd);
      const verdict: Verdict = code === 0 ? { status: 'passed' } : fail(title, firstFailure(output));
      const log = code === 0 ? {} : { log: plain(output) };
      tests.push({ ...base, title, durationMs: performance.now() - started, ...verdict, ...log });
    }
  } finally {
    await http.close();
  }
  return tests;
}

/** Where the project has it: it is a tool of developers, and comes with a server framework of its own. */
export function findSuite(folders: readonly string[]): string {
  for (const folder of folders) {
    for (const path of createRequire(join(folder, 'package.json')).resolve.paths(suite) ?? []) {
      try {
        const manifest = join(path, suite, 'package.json');
        const { bin } = createRequire(manifest)(manifest) as { readonly bin?: string | Record<string, string> };
        const file = typeof bin === 'string' ? bin : Object.values(bin ?? {})[0];
        if (file !== undefined) return join(dirname(manifest), file);
      } catch {
        // Not in this folder.
      }
    }
  }
  throw new UsageError(`--conformance needs the official suite: npm install --save-dev ${suite}`);
}

type Serving = { readonly url: string; close(): Promise<void> } | { readonly problem: string };

async function serveHttp({ args, cwd, env }: ServerCommand): Promise<Serving> {
  // The address is talk, which --quiet would leave out.
  const words = [...args.filter(word => word !== '--quiet'), '--http', '0', '--host', '127.0.0.1'];
  const child = spawnSelf({ args: words, cwd, env });
  const log = keepTail(child.stderr);
  const exited = new Promise<void>(done => child.once('close', () => done()));
  const url = await new Promise<string | undefined>(resolve => {
    child.stderr.on('data', () => {
      const [found] = /http:\/\/\S+/.exec(log.text()) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('error', () => resolve(undefined));
    child.once('close', () => resolve(undefined));
  });
  if (url === undefined) return { problem: `the server does not start over HTTP: ${log.text().trim()}` };
  return {
    url,
    async close() {
      child.kill();
      await exited;
    },
  };
}

function runSuite(path: string, args: readonly string[], cwd: string): Promise<ChildOutput> {
  const child = spawn(process.execPath, [...hookFlags(), path, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  return collectOutput(child);
}

/** The suite imports fs.globSync, which came with Node 22, for a command that is not used here: it is taken out as it is loaded. */
function hookFlags(): readonly string[] {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= 22) return [];
  const hook = String.raw`export async function load(url, context, next) {
    const loaded = await next(url, context);
    const source = url.endsWith('/conformance/dist/index.js') ? String(loaded.source) : '';
    const [found, local] = /\bglobSync as (\w+),?/.exec(source) ?? [];
    if (found === undefined) return loaded;
    return { ...loaded, source: source.replace(found, '').replace(/^(#!.*\n)?/, '$1const ' + local + ' = () => [];') };
  }`;
  const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const code = `import { register } from 'node:module'; register(${JSON.stringify(asModule(hook))});`;
  return ['--import', asModule(code)];
}

function firstFailure(output: string): string {
  const lines = plain(output)
    .split('\n')
    .map(line => line.trim());
  const errors = lines.filter(line => line.startsWith('Error:'));
  return errors.length > 0 ? errors.join('; ') : (lines.findLast(line => line !== '') ?? 'it says nothing');
}

/** Without colours. */
function plain(text: string): string {
  return text.replaceAll(/\u001b\[[0-9;]*m/g, '').trim();
}
