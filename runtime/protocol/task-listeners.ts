// T1. In: `subscriptions/listen` of 2026-07-28 with ids of tasks. Out: notifications of these tasks, and of whatever else the client wants to
// hear of in the same request: the SDK would drop the ids.
import type { Cancellation } from '../call/ports.js';
import { ProtocolError, protocolCodes } from '../call/protocol-error.js';
import type { Change, Surface } from '../surface/surface.js';
import type { Task, Tasks } from '../tasks/tasks.js';
import { serverInfoKey } from './handshake.js';
import type { Message } from './ports.js';
import type { ListenFilter, TaskInput } from './task-route.js';
import { modernTask } from './task-shapes.js';

/** The way to somebody who listens. */
export interface ListenSink {
  /** Nothing is sent before it. */
  open(): void;
  send(message: Message): void;
  /** Nothing more comes. */
  end(): void;
  /** Who serves is about to leave. */
  onLeave(leave: () => void): void;
}

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
/** As the SDK has it, for all connections together. */
const mostListeners = 1024;

export class Listeners {
  readonly #surface: Surface;
  readonly #tasks: Tasks;
  #count = 0;

  constructor(surface: Surface, tasks: Tasks) {
    this.#surface = surface;
    this.#tasks = tasks;
  }

  /** Acknowledges, and tells until the client has enough or we leave. */
  async add({ id, asked, principal }: TaskInput, cancellation: Cancellation, sink: ListenSink): Promise<void> {
    if (asked.kind !== 'listen') throw new Error('this request does not listen');
    if (this.#count >= mostListeners)
      throw new ProtocolError(protocolCodes.internalError, 'Subscription limit reached');
    this.#count += 1;
    const about = { _meta: { [subscriptionKey]: id } };
    const stops: (() => void)[] = [];
    const stop = (): void => {
      if (stops.length === 0) return;
      for (const one of stops.splice(0)) one();
      this.#count -= 1;
    };
    const tell = (method: string, params: object): void =>
      sink.send({ jsonrpc: '2.0', method, params: { ...params, ...about } });
    const tellTask = (task: Task): void => tell('notifications/tasks', modernTask(task, this.#surface));
    // What happens from now on waits for the acknowledgement.
    let waiting: (() => void)[] | undefined = [];
    const later = (say: () => void): void => {
      if (waiting === undefined) say();
      else waiting.push(say);
    };
    stops.push(() => undefined);
    try {
      const { taskIds } = asked.filter;
      const known: Task[] = [];
      for (const taskId of taskIds) {
        const task = await this.#tasks.get(taskId, principal);
        if (task === undefined) continue;
        known.push(task);
        stops.push(this.#tasks.watch(taskId, changed => later(() => tellTask(changed))));
      }
      const notifications = {
        ...this.#honored(asked.filter),
        ...(known.length > 0 && { taskIds: known.map(one => one.id) }),
      };
      stops.push(this.#surface.onChange(change => later(() => tellChange(change, notifications, tell))));
      if (cancellation.aborted) {
        stop();
        return;
      }
      cancellation.addEventListener('abort', { handleEvent: stop });
      const leave = (): void => {
        if (stops.length === 0) return;
        stop();
        const _meta = { ...about._meta, [serverInfoKey]: this.#surface.info };
        sink.send({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } });
        sink.end();
      };
      sink.open();
      sink.onLeave(leave);
      tell('notifications/subscriptions/acknowledged', { notifications });
      // What is not at work may have got there before anybody listened.
      for (const task of known) {
        const now = await this.#tasks.get(task.id, principal);
        if (now !== undefined && (now.end !== undefined || Object.keys(now.asking).length > 0)) tellTask(now);
      }
      const held = waiting;
      waiting = undefined;
      for (const say of held) say();
      if (Object.keys(notifications).length === 0) leave();
    } catch (cause) {
      stop();
      throw cause;
    }
  }

  #honored({
    toolsListChanged,
    promptsListChanged,
    resourcesListChanged,
    resourceSubscriptions,
  }: ListenFilter): object {
    const { offers } = this.#surface;
    const uris = resourceSubscriptions ?? [];
    return {
      ...(toolsListChanged === true && offers.tools && { toolsListChanged }),
      ...(promptsListChanged === true && offers.prompts && { promptsListChanged }),
      ...(resourcesListChanged === true && offers.resources && { resourcesListChanged }),
      ...(uris.length > 0 && offers.subscribe && { resourceSubscriptions: uris }),
    };
  }
}

function tellChange(
  change: Change,
  wanted: Partial<ListenFilter>,
  tell: (method: string, params: object) => void,
): void {
  if ('uri' in change) {
    const { uri } = change;
    if (wanted.resourceSubscriptions?.includes(uri)) tell('notifications/resources/updated', { uri });
  } else if (wanted[`${change.list}ListChanged`] === true) {
    tell(`notifications/${change.list}/list_changed`, {});
  }
}
