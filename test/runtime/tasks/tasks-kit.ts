// Tasks of a server whose one tool is a function of the test.
import type { Request, ServedTool } from '../../../runtime/call/ports.js';
import { openMemoryStore } from '../../../runtime/tasks/memory-store.js';
import { openTasks, type TasksInput } from '../../../runtime/tasks/open-tasks.js';
import type { Store } from '../../../runtime/tasks/store.js';
import type { TaskSurface } from '../../../runtime/tasks/surface.js';
import type { Task, Tasks } from '../../../runtime/tasks/tasks.js';
import type { ToolDefinition } from '../../../schema/definitions.js';
import type { CallToolResult } from '../../../schema/support.js';
import { type Handler, makeRequest, runRound, setStage } from '../call/context-round.js';

export interface TasksBenchOptions extends Partial<Omit<TasksInput, 'surface'>> {
  readonly definition?: Partial<ToolDefinition>;
  /** Of the pack. */
  readonly version?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface TasksBench {
  readonly tasks: Tasks;
  readonly store: Store;
  readonly reported: readonly string[];
  readonly handled: readonly Request[];
  /** The handle. Throws where it asks first. */
  start(args?: unknown, request?: Partial<Request>): Promise<Task>;
  /** As it is once it is over. */
  ended(task: Task): Promise<Task>;
  asking(task: Task): Promise<Task>;
}

/** Another bench on the same store is another process. */
export async function openTasksBench(handler: Handler, options: TasksBenchOptions = {}): Promise<TasksBench> {
  const { definition, version = '1.0.0', options: settings = {}, store = openMemoryStore(), ...rest } = options;
  const stage = setStage({ tool: 'description: Reports.\n' });
  const { tool, host } = stage.served;
  const program = { ...host.program, pack: { ...host.program.pack, version } };
  const served: ServedTool = {
    ...stage.served,
    name: 'report',
    options: settings,
    host: { ...host, program },
    tool: { ...tool, definition: { ...tool.definition, task: { mode: 'optional' }, ...definition } },
  };
  const handled: Request[] = [];
  const surface: TaskSurface = {
    services: stage.services,
    tool: name => (name === 'report' ? served : undefined),
    announce: () => undefined,
    async callTool(_name, args, request) {
      handled.push(request);
      const ended = await runRound({ ...stage, served }, handler, request, args);
      return 'asking' in ended ? ended : { result: ended.result as CallToolResult };
    },
  };
  const tasks = await openTasks({ store, surface, ...rest });
  const until = async ({ id }: Task, is: (task: Task) => boolean): Promise<Task> => {
    const deadline = performance.now() + 10_000;
    for (;;) {
      const task = await tasks.get(id, 'alice');
      if (task !== undefined && is(task)) return task;
      if (performance.now() > deadline) throw new Error(`the task stays as it is: ${JSON.stringify(task)}`);
      await new Promise(resolve => setTimeout(resolve, 2));
    }
  };
  return {
    tasks,
    store,
    reported: stage.reported,
    handled,
    async start(args = {}, request = {}) {
      const started = await tasks.start({ tool: 'report', args, request: makeRequest(request) });
      if ('asking' in started) throw new Error(`it asks ${Object.keys(started.asking.questions).join()}`);
      return started.task;
    },
    ended: task => until(task, ({ end }) => end !== undefined),
    asking: task => until(task, ({ asking }) => Object.keys(asking).length > 0),
  };
}

export function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

/** Something that happens when the test says so. */
export function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
}
