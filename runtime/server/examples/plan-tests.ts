// In: what a server offers of its own pack. Out: its tests: for each item the contract of all items, then its examples.
import type { JsonSchema } from '../../../schema/definitions.js';
import { diagnose } from '../../../schema/diagnostics.js';
import { isMap } from '../../../schema/document.js';
import { makeValueCheck } from '../../../schema/json-schema/values.js';
import { isDestructive } from '../../call/context/relay.js';
import { listedArguments } from '../../load/bound.js';
import { type Prompt, type Tool, taskPolicyOf } from '../../load/program.js';
import { isSwitchedOn } from '../../surface/served-items.js';
import { type Expectation, failureOf, judgePrompt, judgeTool, untried, whyUntried } from './judge.js';
import { type Answer, type Failed, type TestCase, type TestSession, titleOf, type Verdict } from './run-tests.js';

/** An item and the name that clients see. */
interface Offered<T> {
  readonly item: T;
  readonly name: string;
  /** X2: its conditions do not hold. */
  readonly isLeftOut?: boolean;
}

export interface TestedServer {
  readonly tools: readonly Offered<Tool>[];
  readonly prompts: readonly Offered<Prompt>[];
  /** As in `start --mode`: what is not in it is skipped. */
  readonly mode?: string | undefined;
  /** Nothing says that the data is for tests: examples of tools that may destroy some, or that ask first, are skipped. */
  readonly sparesData?: boolean | undefined;
}

/** What a tool has by default, and a little more, so that its own limit is reached first. */
const defaultTimeoutMs = 60_000;
const graceMs = 5_000;

/**
 * Destructive tools are called only as their own examples say.
 *
 * @example const cases = planTests({ tools: [{ item: tool, name: 'get-issue' }], prompts: [] });
 */
export function planTests({ tools, prompts, mode, sparesData = false }: TestedServer): readonly TestCase[] {
  const find = makeFinder();
  return [
    ...tools.flatMap(tool => {
      const cases = planTool(tool, find);
      return onlyOffered(sparesData ? withoutRisk(cases, tool.item) : cases, tool);
    }),
    ...prompts.flatMap(prompt => onlyOffered(planPrompt(prompt, find), prompt)),
  ];

  function onlyOffered(
    cases: readonly TestCase[],
    { item: { definition }, isLeftOut }: Offered<Tool | Prompt>,
  ): readonly TestCase[] {
    if (!isSwitchedOn(definition, mode)) {
      const reason = definition.enabled === false ? 'it is switched off' : `it is not in the mode ${mode}`;
      return cases.map(one => skip(one, reason));
    }
    return isLeftOut === true ? cases.map(one => skip(one, 'its condition (`when`) does not hold')) : cases;
  }
}

function skip(test: TestCase, reason: string): TestCase {
  return { ...test, run: async () => ({ status: 'skipped', reason }) };
}

/** The test client agrees to everything, so that an example would do to real data what a user has to agree to. */
function withoutRisk(cases: readonly TestCase[], tool: Tool): readonly TestCase[] {
  const risk = isDestructive(tool) ? 'is destructive' : tool.definition.confirm === true ? 'asks before it runs' : '';
  if (risk === '') return cases;
  const reason = `it ${risk}: if its data is for tests, add .env.test or pass --destructive`;
  return cases.map(one => (one.check === 'example' ? skip(one, reason) : one));
}

function planTool({ item: tool, name }: Offered<Tool>, find: FindListed): readonly TestCase[] {
  const timeoutMs = (tool.definition.limits?.timeoutMs ?? defaultTimeoutMs) + graceMs;
  const { outputSchema, filling } = tool;
  const checkOutput = outputSchema === undefined ? undefined : makeValueCheck(outputSchema, filling.output, () => {});
  return [
    planContract(tool, async session => {
      const listed = await find('tools', name, session);
      return await holdTool({ item: tool, name }, listed, session, timeoutMs);
    }),
    ...planExamples(tool, async (input, session) => {
      const sent = tool.bound === undefined ? input : asListed(input, await find('tools', name, session));
      const answer = await callTool({ item: tool, name }, sent, session, timeoutMs);
      return expectation => judgeTool(answer, expectation, checkOutput);
    }),
  ];
}

/** T1: what only runs as a task is called as one, and its result is what counts. */
async function callTool(
  { item, name }: Offered<Tool>,
  args: unknown,
  session: TestSession,
  timeoutMs: number,
): Promise<Answer> {
  const params = { name, arguments: args };
  if (taskPolicyOf(item)?.mode !== 'required') return await session.request('tools/call', params, { timeoutMs });
  const handle = await session.request('tools/call', { ...params, task: {} }, { timeoutMs });
  const task = 'result' in handle ? handle.result['task'] : undefined;
  if (!isMap(task)) return handle;
  return await session.request('tasks/result', { taskId: task['taskId'] }, { timeoutMs });
}

/** X14: examples give all that the handler gets; what is bound where the tests run is not sent. */
function asListed(input: Entry, listed: Entry | undefined): Entry {
  const schema = listed?.['inputSchema'];
  return isMap(schema) ? listedArguments(input, schema) : input;
}

function planContract(item: Tool | Prompt, run: TestCase['run']): TestCase {
  return { kind: item.kind, item: item.item, check: 'contract', title: 'contract', site: item.at.site([]), run };
}

/** `call` makes the call of one example, and gives back how to judge what came of it. */
function planExamples(
  { kind, item, at, definition }: Tool | Prompt,
  call: (input: Entry, session: TestSession) => Promise<(expectation: Expectation) => Verdict | Promise<Verdict>>,
): readonly TestCase[] {
  return (definition.examples ?? []).map((example, index) => {
    const path = ['examples', index];
    const title = example.name ?? `example ${index + 1}`;
    return {
      ...{ kind, item, check: 'example', title, site: at.site(path) },
      async run(session) {
        const judge = await call(example.input ?? {}, session);
        return await judge({ test: titleOf({ item, title }), example, at, path, unanswered: session.unanswered() });
      },
    };
  });
}

/** M48: it is listed, it is described, and it refuses what its schema refuses. */
async function holdTool(
  { item: tool, name }: Offered<Tool>,
  listed: Entry | undefined,
  session: TestSession,
  timeoutMs: number,
): Promise<Verdict> {
  const fault = faultOfEntry(listed, isMap(listed?.['inputSchema']) ? undefined : 'it is listed without a schema');
  if (fault !== undefined) return broken(tool, fault);
  if (isDestructive(tool)) return { status: 'passed' };
  const sample = tool.definition.examples?.find(({ error }) => error === undefined)?.input ?? {};
  const inputSchema = tool.bound === undefined ? tool.inputSchema : (listed?.['inputSchema'] as JsonSchema);
  const sent = tool.bound === undefined ? sample : asListed(sample, listed);
  for (const { what, args } of await makeJunk({ inputSchema, filling: tool.filling }, sent)) {
    const answer = await callTool({ item: tool, name }, args, session, timeoutMs);
    const failure = failureOf(answer);
    if (failure !== undefined && untried.includes(failure.code)) {
      return { status: 'skipped', reason: whyUntried(failure) };
    }
    if (failure?.code === 'BAD_ARGUMENTS') continue;
    const outcome = failure === undefined ? 'accepts' : `answers ${failure.code} to`;
    return { ...broken(tool, `it ${outcome} ${what}`), actual: answer };
  }
  return { status: 'passed' };
}

function planPrompt({ item: prompt, name }: Offered<Prompt>, find: FindListed): readonly TestCase[] {
  const timeoutMs = defaultTimeoutMs + graceMs;
  return [
    planContract(prompt, async session => {
      const fault = faultOfEntry(await find('prompts', name, session));
      if (fault !== undefined) return broken(prompt, fault);
      if (!prompt.arguments.some(({ required }) => required === true)) return { status: 'passed' };
      const answer = await session.request('prompts/get', { name }, { timeoutMs });
      if (failureOf(answer)?.code === 'BAD_ARGUMENTS') return { status: 'passed' };
      return { ...broken(prompt, 'it answers without its required arguments'), actual: answer };
    }),
    ...planExamples(prompt, async (input, session) => {
      const answer = await session.request('prompts/get', { name, arguments: asSent(prompt, input) }, { timeoutMs });
      return expectation => judgePrompt(answer, expectation);
    }),
  ];
}

/** W74: an example may write a list as a list; clients send its JSON. */
function asSent({ arguments: list }: Prompt, input: Entry): Entry {
  const lists = new Set(list.filter(({ type }) => type === 'list').map(({ name }) => name));
  const entries = Object.entries(input).map(([name, value]): [string, unknown] =>
    lists.has(name) && Array.isArray(value) ? [name, JSON.stringify(value)] : [name, value],
  );
  return Object.fromEntries(entries);
}

type Entry = Readonly<Record<string, unknown>>;

type TestedList = 'tools' | 'prompts';
type FindListed = (list: TestedList, name: string, session: TestSession) => Promise<Entry | undefined>;

/** Asks each server for its lists once. */
function makeFinder(): FindListed {
  const known = new WeakMap<TestSession, Map<TestedList, Promise<readonly Entry[]>>>();
  return async (list, name, session) => {
    const lists = known.get(session) ?? new Map<TestedList, Promise<readonly Entry[]>>();
    known.set(session, lists);
    const entries = lists.get(list) ?? readList(list, session);
    lists.set(list, entries);
    return (await entries).find(entry => entry['name'] === name);
  };
}

/** All pages. */
async function readList(list: TestedList, session: TestSession): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  let cursor: unknown;
  do {
    const answer = await session.request(`${list}/list`, cursor === undefined ? {} : { cursor });
    if (!('result' in answer)) break;
    const entries = answer.result[list];
    if (Array.isArray(entries)) for (const entry of entries) if (isMap(entry)) all.push(entry);
    cursor = answer.result['nextCursor'];
  } while (cursor !== undefined);
  return all;
}

function faultOfEntry(entry: Entry | undefined, further?: string): string | undefined {
  if (entry === undefined) return 'the server does not list it';
  const { description } = entry;
  if (typeof description !== 'string' || description.trim() === '') return 'it has no description';
  return further;
}

function broken(item: Tool | Prompt, reason: string): Failed {
  const diagnostic = diagnose('test/contract', { test: item.item, reason }, item.at.site([]));
  return { status: 'failed', diagnostic };
}

interface Junk {
  /** What is wrong with it, as in `refuses ...`. */
  readonly what: string;
  readonly args: unknown;
}

/** No schema has it by accident. */
const unknownArgument = 'toolwright_unknown_argument';

/**
 * M48: arguments that a tool surely refuses. Only what the schema itself refuses: a tool may take anything that its schema takes.
 *
 * @example await makeJunk(tool, { a: 'x' })
 */
export async function makeJunk(
  { inputSchema: schema, filling }: Pick<Tool, 'inputSchema' | 'filling'>,
  sample: Readonly<Record<string, unknown>>,
): Promise<readonly Junk[]> {
  const properties = isMap(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const [first] = Object.keys(properties);
  const candidates: Junk[] = [
    { what: 'an argument that it does not have', args: { ...sample, [unknownArgument]: 1 } },
    ...(required.length === 0 ? [] : [{ what: 'a call without its required arguments', args: {} }]),
    // A list of lists is not JSON in a string that could be repaired, and hardly anybody's argument.
    ...(first === undefined ? [] : [{ what: `a wrong type of ${first}`, args: { ...sample, [first]: [[{}]] } }]),
  ];
  let isUsable = true;
  const check = makeValueCheck(schema, filling.input, () => {
    isUsable = false;
  });
  const junk: Junk[] = [];
  for (const candidate of candidates) {
    const violations = await check(candidate.args);
    if (isUsable && violations.length > 0) junk.push(candidate);
  }
  return [...junk, { what: 'arguments that are not an object', args: ['junk'] }];
}
