// Tasks in memory, with nothing of the engine: what the protocol is tested with. And the tools that its tests call.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asking, Question, Request } from '../../../runtime/call/ports.js';
import { ProtocolError } from '../../../runtime/call/protocol-error.js';
import { taskPolicyOf } from '../../../runtime/load/program.js';
import type { Surface } from '../../../runtime/surface/surface.js';
import type { Task, TaskCall, TaskEnd, Tasks } from '../../../runtime/tasks/tasks.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import { type Fixture, type FixtureTool, said } from '../serve/serve-surface.js';

interface Kept {
  task: Task;
  readonly owner: string;
  readonly call: TaskCall;
  readonly abort: AbortController;
  answers: Record<string, unknown>;
}

interface FakeTasks extends Tasks {
  readonly calls: TaskCall[];
}

/** Runs the tools of a surface; where these ask, with the answers from the top again. */
function fakeTasks(surface: Surface): FakeTasks {
  const kept = new Map<string, Kept>();
  const watching = new Map<string, Set<(task: Task) => void>>();
  const calls: TaskCall[] = [];
  const find = (id: string, owner: string): Kept | undefined => {
    const found = kept.get(id);
    return found?.owner === owner ? found : undefined;
  };
  const change = (one: Kept, more: Partial<Task>): void => {
    if (one.task.end !== undefined) return;
    one.task = { ...one.task, ...more, updatedAt: Date.now() };
    for (const listen of [...(watching.get(one.task.id) ?? [])]) listen(one.task);
  };
  const requestOf = (one: Kept): Request => ({
    ...{ id: one.task.id, client: one.call.request.client, auth: undefined, principal: one.owner, state: undefined },
    ...{ signal: one.abort.signal, answers: one.answers, notify: one.call.request.notify, log: () => false },
    progress(done, total, message) {
      one.call.request.progress(done, total, message);
      if (message !== undefined) change(one, { note: message });
    },
  });
  const run = async (one: Kept): Promise<void> => {
    try {
      const outcome = await surface.callTool(one.call.tool, one.call.args, requestOf(one));
      if ('asking' in outcome) change(one, { asking: outcome.asking.questions });
      else end(one, { kind: 'result', result: outcome.result });
    } catch (error) {
      const { code, message } = error instanceof ProtocolError ? error : { code: -32603, message: String(error) };
      end(one, { kind: 'error', error: { code, message } });
    }
  };
  const end = (one: Kept, how: TaskEnd): void => change(one, { end: how, asking: {} });
  const tasks: FakeTasks = {
    calls,
    async start(call) {
      calls.push(call);
      const served = surface.tool(call.tool);
      if (served === undefined) throw new ProtocolError(-32602, `Unknown tool: ${call.tool}`);
      const { request } = call;
      const before = request.state === undefined ? {} : (JSON.parse(request.state) as object);
      const answers = { ...before, ...request.answers };
      if (taskPolicyOf(served.tool)?.asksBefore === true && Object.keys(answers).length === 0) {
        const outcome = await surface.callTool(call.tool, call.args, request);
        if ('asking' in outcome) return { asking: { ...outcome.asking, state: JSON.stringify(answers) } };
      }
      const now = Date.now();
      const about = { note: undefined, asking: {}, end: undefined, ttlMs: Math.min(call.ttlMs ?? 60_000, 60_000) };
      const task: Task = { id: randomUUID(), tool: call.tool, createdAt: now, updatedAt: now, ...about };
      const one: Kept = { task, owner: request.principal, call, abort: new AbortController(), answers };
      kept.set(task.id, one);
      setImmediate(() => void run(one));
      return { task };
    },
    get: async (id, owner) => find(id, owner)?.task,
    async list(owner, cursor) {
      if (cursor !== undefined && !/^\d+$/.test(cursor)) throw new ProtocolError(-32602, 'Unknown cursor');
      const all = [...kept.values()].filter(one => one.owner === owner).reverse();
      const start = Number(cursor ?? 0);
      const page = all.slice(start, start + 2).map(one => one.task);
      return { tasks: page, ...(start + 2 < all.length && { nextCursor: String(start + 2) }) };
    },
    async cancel(id, owner) {
      const one = find(id, owner);
      if (one === undefined) return undefined;
      end(one, { kind: 'cancelled' });
      one.abort.abort();
      return one.task;
    },
    async answer(id, owner, answers) {
      const one = find(id, owner);
      if (one === undefined) return undefined;
      const open: Record<string, Question> = { ...one.task.asking };
      for (const [key, value] of Object.entries(answers)) {
        if (!Object.hasOwn(open, key)) continue;
        one.answers = { ...one.answers, [key]: value };
        delete open[key];
      }
      const isDue = Object.keys(open).length === 0 && Object.keys(one.task.asking).length > 0;
      change(one, { asking: open });
      if (isDue) setImmediate(() => void run(one));
      return one.task;
    },
    watch(id, listen) {
      const all = watching.get(id) ?? new Set();
      watching.set(id, all.add(listen));
      return () => void all.delete(listen);
    },
    close: async () => undefined,
  };
  return tasks;
}

function form(name: string): Question {
  const requestedSchema = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
  return { kind: 'elicit', params: { message: `Your ${name}?`, requestedSchema } };
}

/** Asks all of these at once, and says the answers. */
function asks(...names: readonly string[]): FixtureTool['run'] {
  return (_, { answers }) => {
    const open = names.filter(name => answers[name] === undefined);
    const questions = Object.fromEntries(open.map(name => [name, form(name)]));
    if (open.length > 0) return { asking: { questions, state: 's' } satisfies Asking };
    const texts = names.map(name => {
      const { action, content } = answers[name] as { action: string; content?: Record<string, string> };
      return content?.[name] ?? action;
    });
    return said(texts.join(' and '));
  };
}

const broken: CallToolResult = { content: [{ type: 'text', text: 'it did not work' }], isError: true };

/** Tools of each kind. */
export const taskFixture: Fixture = {
  openTasks: fakeTasks,
  tools: {
    plain: { run: () => said('plain') },
    work: {
      task: 'optional',
      outputSchema: { type: 'array' },
      run: async ({ ms = 20 }, request) => {
        request.progress(1, 2, 'half');
        await sleep(Number(ms), undefined, { signal: request.signal });
        request.progress(2, 2);
        return { result: { content: [{ type: 'text', text: '[1]' }], structuredContent: [1] } };
      },
    },
    only: { task: 'required', run: () => sleep(10, { result: broken }) },
    breaks: {
      task: 'optional',
      run: () => {
        throw new ProtocolError(-32050, 'the job broke');
      },
    },
    inside: { task: 'optional', run: asks('name') },
    both: { task: 'optional', run: asks('first', 'second') },
    before: { task: { mode: 'required', ask: 'before' }, run: asks('name') },
    guarded: { task: 'optional', scopes: ['tasks:make'], run: () => said('allowed') },
    region: {
      task: 'optional',
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
      run: ({ region }) => said(`region ${String(region)}`),
    },
    sample: {
      task: 'optional',
      run: (_, { answers }) => {
        const { content } = (answers['model'] ?? {}) as { content?: { text: string } };
        if (content !== undefined) return said(content.text);
        const messages = [{ role: 'user', content: { type: 'text', text: 'pong?' } }];
        return { asking: { questions: { model: { kind: 'sample', params: { messages, maxTokens: 9 } } }, state: 's' } };
      },
    },
  },
};

export const withTasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
