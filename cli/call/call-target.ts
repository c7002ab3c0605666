// In: what was typed for an item of a server. Out: the tool, prompt or resource that is meant, and how it is asked for; or why it is not
// there, with what to type or write instead.

import type { Outcome, Request } from '../../runtime/call/ports.js';
import { printListed, printWhen } from '../../runtime/load/conditions.js';
import { composeServer } from '../../runtime/packs/compose.js';
import { toPack } from '../../runtime/packs/open-pack.js';
import type { PromptAnswer, ResourceAnswer, Surface } from '../../runtime/surface/surface.js';
import type { JsonSchema } from '../../schema/definitions.js';
import { isMap } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import { shellLine } from '../../schema/print/shell-words.js';
import type { CallToolResult, Content } from '../../schema/support/mcp/content.js';
import { workingFolder } from '../pack/pack-command.js';
import { isCalled } from '../start/choose-server.js';
import { exitWithoutPack, loadServerPack, lookUpAround } from '../start/load-server.js';
import type { OpenServerPack, ServerFlags } from '../start/open-server.js';
import type { Served } from '../start/opened-server.js';
import { UsageError } from '../terminal/usage-error.js';

/** What came of it: for people, and as clients get it. */
export interface Answer {
  readonly shown: CallToolResult;
  readonly raw: object;
}

export interface Target {
  readonly kind: 'tool' | 'prompt' | 'resource';
  /** As clients know it: a resource's is its address. */
  readonly name: string;
  /** Of its arguments; a prompt takes only strings. */
  readonly schema: JsonSchema;
  send(args: Readonly<Record<string, unknown>>, request: Request): Promise<Outcome<Answer>>;
}

/**
 * By wire name or address, as clients know it, by item name, as the author does, or by the qualified name of another pack's item. Of
 * several kinds with one name the tool is meant, then the prompt.
 */
export function findTarget(typed: string, served: Served): Target | undefined {
  const { surface, composed } = served;
  const tool = findName(typed, served, 'tools', name => surface.tool(name)?.tool.item);
  if (tool !== undefined) {
    const found = surface.tool(tool);
    const schema = found?.bound?.input ?? found?.tool.inputSchema ?? {};
    return { kind: 'tool', name: tool, schema, send: (args, request) => callTool(surface, tool, args, request) };
  }
  const prompt = findName(typed, served, 'prompts', name => surface.prompt(name)?.prompt.item);
  if (prompt !== undefined) {
    const names = Object.keys(surface.prompt(prompt)?.prompt.definition.arguments ?? {});
    const schema = { properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])) };
    const send: Target['send'] = async (args, request) =>
      mapResult(await surface.getPrompt(prompt, args, request), showPrompt);
    return { kind: 'prompt', name: prompt, schema, send };
  }
  const named = composed.resources.find(one => isCalled(typed, one.item.item, one.pack.program))?.item.definition;
  const address = named?.uri ?? typed;
  if (surface.resource(address) !== undefined) {
    const send: Target['send'] = async (_, request) =>
      mapResult(await surface.readResource(address, request), showResource);
    return { kind: 'resource', name: address, schema: {}, send };
  }
  if (named?.uriTemplate === undefined) return undefined;
  const line = shellLine(['toolwright', 'call', named.uriTemplate]);
  throw new UsageError(`the resource "${typed}" has many addresses: name one, as in ${line} with values in the braces`);
}

function findName(
  typed: string,
  { composed }: Served,
  kind: 'tools' | 'prompts',
  /** X2: of several forms with one name, the one that is offered. */
  servedItem: (name: string) => string | undefined,
): string | undefined {
  if (servedItem(typed) !== undefined) return typed;
  const { pack } = composed;
  const found = composed[kind].filter(
    ({ name, item: { item }, pack: { program } }) => servedItem(name) === item && isCalled(typed, item, program),
  );
  return (found.find(one => one.pack === pack) ?? found[0])?.name;
}

async function callTool(surface: Surface, name: string, args: object, request: Request): Promise<Outcome<Answer>> {
  return mapResult(await surface.callTool(name, args, request), result => ({ shown: result, raw: result }));
}

function mapResult<T>(outcome: Outcome<T>, map: (result: T) => Answer): Outcome<Answer> {
  return 'asking' in outcome ? outcome : { result: map(outcome.result) };
}

/** The roles only where there are several messages: one is mostly text that somebody wants to read or hand on. */
function showPrompt(raw: PromptAnswer): Answer {
  const { messages } = raw;
  const content = messages.flatMap(({ role, content: one }): readonly Content[] => {
    const head: readonly Content[] = messages.length > 1 ? [{ type: 'text', text: `[${String(role)}]` }] : [];
    return isMap(one) ? [...head, one as unknown as Content] : head;
  });
  return { shown: { content }, raw };
}

/** Text alone is printed as it is, so that it can be piped on. */
function showResource(raw: ResourceAnswer): Answer {
  const { contents } = raw;
  const [only] = contents;
  const isText = contents.length === 1 && only?.text !== undefined;
  const content = contents.map(
    (resource): Content => (isText ? { type: 'text', text: resource.text ?? '' } : { type: 'resource', resource }),
  );
  return { shown: { content }, raw };
}

/** Nothing was typed: what there is to call. */
export async function askWhichTool(flags: ServerFlags): Promise<number> {
  const { loaded } = await loadServerPack(undefined, flags);
  const own = toPack(loaded);
  loaded.say(loaded.diagnostics.filter(({ severity }) => severity === 'error'));
  if ('unusable' in own) return exitWithoutPack(loaded);
  const lookUp = lookUpAround(loaded, workingFolder(flags));
  const lists = own.program.servers.flatMap(server => {
    if (server.definition.enabled === false) return [];
    const names = composeServer(own, server, lookUp).tools.map(({ name }) => name);
    return [`${server.item} has ${names.length === 0 ? 'none' : names.join(', ')}`];
  });
  throw new UsageError(`which tool? ${lists.length === 0 ? 'the pack has no servers' : lists.join('; ')}`);
}

/** Broken tools are listed by the server and no part of the program; what is wrong with them has been reported. */
export function refuseTarget(typed: string, { server, pack }: OpenServerPack, { composed, surface }: Served): number {
  const { program } = pack;
  const own = server.tools.flatMap(one => (one.from === 'own' ? [one.item] : []));
  const listed = own.find(item => isCalled(typed, item, program));
  if (listed !== undefined && !program.tools.some(({ item }) => item === listed)) {
    process.stderr.write(`toolwright: the tool "${listed}" is broken, as shown above\n`);
    return 1;
  }
  const names = composed.tools.flatMap(({ name }) => (surface.tool(name) === undefined ? [] : [name]));
  const list = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  const what = `the server "${server.item}" has no tool "${typed}"`;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) {
    const addresses = composed.resources.map(({ item: { definition } }) => definition.uri ?? definition.uriTemplate);
    const all = addresses.length === 0 ? 'it has none' : `it has ${addresses.join(', ')}`;
    throw new UsageError(`the server "${server.item}" has no resource "${typed}" (${all})`);
  }
  if (program.servers.some(({ item }) => item === typed)) {
    const line = `toolwright call ${typed} ${names[0] ?? '<tool>'}`;
    throw new UsageError(`"${typed}" is a server: name a tool after it, as in ${line}`);
  }
  const known = program.tools.find(({ item }) => item === listed);
  if (known?.definition.enabled === false) throw new UsageError(`the tool "${listed}" is disabled`);
  const { when } = composed.tools.find(({ item }) => item === known) ?? {};
  const conditions = [known?.definition.when && printWhen(known.definition.when), when && printListed(when)];
  if (conditions.some(one => one !== undefined)) {
    const all = conditions.filter(one => one !== undefined).join(', and ');
    throw new UsageError(`the server "${server.item}" has the tool "${typed}" only if ${all}`);
  }
  for (const kind of ['tool', 'prompt', 'resource'] as const) {
    if (listed !== undefined || !program[`${kind}s`].some(({ item }) => isCalled(typed, item, program))) continue;
    const there = kind === 'tool' ? '' : `; "${typed}" is a ${kind}, and the server does not have it either`;
    throw new UsageError(`${what}${there} (${list})\n  hint: add it to "${kind}s:" in ${server.file}`);
  }
  const others = [...composed.prompts.map(({ name }) => name), ...composed.resources.map(({ item }) => item.item)];
  const hint = didYouMean(typed, [...names, ...others]);
  throw new UsageError(`${what}${hint === undefined ? '' : `: ${hint}`} (${list})`);
}
