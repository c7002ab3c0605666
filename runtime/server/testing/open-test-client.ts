// In: a pack and the world of a test. Out: a client of its server in this process, over the same surface as MCP clients.
import { isMap } from '../../../schema/document.js';
import type { Outcome, Request } from '../../call/ports.js';
import type { Wire } from '../../packs/list-entries.js';
import type { PackSource } from '../../packs/open-pack.js';
import { askUntilDone } from '../../protocol/questions.js';
import type { Change, ListName, Surface } from '../../surface/surface.js';
import { keepInMemory } from '../keep-in-memory.js';
import { answerQuestions } from '../registry/answer-questions.js';
import { openSurface } from '../registry/create-registry.js';
import { sendRounds } from '../registry/invoke.js';
import { makeRegistry } from '../registry/make-registry.js';
import type { InvokeOptions, LogEntry, Progress } from '../registry/registry.js';
import { startTestTask } from './start-test-task.js';
import type { TestCall, TestClient, TestClientOptions } from './test-client.js';
import type { TestTask, TestTaskOptions } from './test-task.js';

export async function openTestClient(pack: PackSource, options: TestClientOptions): Promise<TestClient> {
  const { elicit, sample, roots, auth, load, env = {}, ...settings } = options;
  const { surface, close } = await openSurface(pack, {
    ...settings,
    env,
    showCauses: true,
    importModule: load,
    tasks: keepInMemory,
  });
  const registry = makeRegistry(surface, close);
  const defaults: InvokeOptions = { elicit, sample, roots, auth };
  const changes: Change[] = [];
  const stopListening = surface.onChange(change => void changes.push(change));
  let lastId = 0;
  const closed = new AbortController();

  /** Runs a request to its end: what it asks is answered by the callbacks, as the client of a user would. */
  async function settle<T>(
    about: string,
    given: InvokeOptions,
    send: (request: Request) => Promise<Outcome<T>>,
  ): Promise<T> {
    lastId += 1;
    const all = { ...defaults, ...given };
    const signal = all.signal ?? new AbortController().signal;
    const call = { tool: about, args: {}, id: all.requestId ?? `test-${lastId}`, signal, options: all };
    const again = sendRounds(surface, call, send);
    const { result } = await askUntilDone<{ readonly result: T }>(await again(), {
      ask: async asking => ({ answers: await answerQuestions(asking, all, { tool: about, signal }) }),
      again,
      tooMany(rounds) {
        throw new Error(`${about} asked more than ${rounds} times`);
      },
    });
    return result;
  }

  async function shutDown(): Promise<void> {
    stopListening();
    closed.abort();
    await registry.close();
  }

  return {
    server: { name: surface.info.name, version: surface.info.version, instructions: surface.instructions },
    changes,
    tools: () => registry.list(),
    async call<Output>(name: string, args: object = {}, given: InvokeOptions = {}) {
      const logs: LogEntry[] = [];
      const progress: Progress[] = [];
      const all: InvokeOptions = {
        ...defaults,
        ...given,
        onLog(entry) {
          logs.push(entry);
          given.onLog?.(entry);
        },
        onProgress(step) {
          progress.push(step);
          given.onProgress?.(step);
        },
      };
      const result = await registry.invoke(name, args, all);
      return { ...result, logs, progress } as TestCall<Output>;
    },
    async startTask<Output>(name: string, args: object = {}, given: TestTaskOptions = {}) {
      lastId += 1;
      const options = { ...defaults, ...given };
      const tool = registry.toolName(name) ?? name;
      const call = { tool, args, id: options.requestId ?? `test-${lastId}`, options, closed: closed.signal };
      return (await startTestTask(surface, call)) as TestTask<Output>;
    },
    prompts: () => listAll(surface, 'prompts'),
    async getPrompt(name, args = {}, given = {}) {
      const answer = await settle(name, given, request => surface.getPrompt(name, args, request));
      const texts = answer.messages.map(({ content }) => (isMap(content) ? content['text'] : undefined));
      return { ...answer, text: joinTexts(texts) };
    },
    resources: () => listAll(surface, 'resources'),
    resourceTemplates: () => listAll(surface, 'resourceTemplates'),
    async readResource(uri, given = {}) {
      const { contents } = await settle(uri, given, request => surface.readResource(uri, request));
      return { contents, text: joinTexts(contents.map(one => ('text' in one ? one.text : undefined))) };
    },
    complete({ ref, argument, context = {} }) {
      const call = {
        tool: 'completion',
        args: {},
        id: 'completion',
        signal: new AbortController().signal,
        options: defaults,
      };
      return sendRounds(surface, call, request => surface.complete({ ref, argument, context }, request))();
    },
    close: shutDown,
    [Symbol.asyncDispose]: shutDown,
  };
}

function listAll(surface: Surface, name: ListName): readonly Wire[] {
  const all: Wire[] = [];
  let cursor: string | undefined;
  do {
    const page = surface.list(name, cursor);
    all.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

function joinTexts(texts: readonly unknown[]): string {
  return texts.filter(text => typeof text === 'string').join('\n');
}
