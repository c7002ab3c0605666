// The package's public face: `import { createServer, loadPack } from 'toolwright'`. What runs tools is loaded when it is
// first used, so that loading a pack stays light.
import { resolve } from 'node:path';
import type { Environment } from './call/context/config.js';
import { type Explanation, explainLoaded } from './load/explain.js';
import type { Folder } from './load/folder.js';
import { type LoadOptions, load } from './load/load.js';
import type { InspectedServer } from './packs/inspect.js';
import type { InspectOptions } from './packs/inspect-where.js';
import type { ListedServer } from './packs/list-servers.js';
import type { LoadResult, PackSource } from './packs/open-pack.js';
import type { ToolServer } from './server/create-server/server.js';
import type { ServerOptions } from './server/create-server/server-options.js';
import type { RegistryOptions } from './server/registry/create-registry.js';
import type { Registry } from './server/registry/registry.js';

export type { Code } from '../schema/codes.js';
export type * from '../schema/definitions.js';
export type { Diagnostic, Related, Severity, Site } from '../schema/diagnostics.js';
export { showHidden } from '../schema/print/visible.js';
export type * from '../schema/support/mcp/backends.js';
export type * from '../schema/support/mcp/client.js';
export type {
  AudioContent,
  Bytes,
  CallToolResult,
  CompletionResult,
  Content,
  ContentAnnotations,
  Envelope,
  HandlerResult,
  ImageContent,
  LinkContent,
  ListedResource,
  ListResult,
  PromptResult,
  ResourceContent,
  ResourceContents,
  ResourceResult,
  TextContent,
} from '../schema/support/mcp/content.js';
export type * from '../schema/support/mcp/context.js';
export { headerPart } from './backends/http/header-values.js';
export { path } from './backends/http/path-tag.js';
export { resourceUri } from './backends/http/resource-uri.js';
export { scalar } from './backends/scalar.js';
export {
  audio,
  type ContentOptions,
  image,
  type LinkOptions,
  link,
  type ResourceOptions,
  resource,
  text,
} from './call/content.js';
export { exec, request } from './call/context/use-backends.js';
export { ProtocolError } from './call/protocol-error.js';
export { ToolError, type ToolErrorOptions } from './call/tool-error.js';
export type { Explanation, Place } from './load/explain.js';
export { type Entry, type EntryType, type Folder, nodeFolder, type PathStatus } from './load/folder.js';
export type { LoadOptions } from './load/load.js';
export type { HandlerRef, Listed, Program, Prompt, Resource, Server, Tool } from './load/program.js';
export type { ContentCache as ParseCache } from './load/read.js';
export { type CheckReport, checkPack } from './packs/check.js';
export type { Collision, InspectedItem, InspectedServer } from './packs/inspect.js';
export type { InspectOptions } from './packs/inspect-where.js';
export type { ListedServer } from './packs/list-servers.js';
export type { LoadResult, PackSource } from './packs/open-pack.js';
export { DefinitionError } from './packs/open-pack.js';
export type {
  Arguments,
  ArgumentsOf,
  BackendTool,
  CodePrompt,
  CodeResource,
  CodeTool,
  CodeToolContext,
  CodeToolDefinition,
  HandlerFor,
} from './server/create-server/code-types.js';
export type {
  HandleOptions,
  HttpServing,
  NextHandler,
  ServeHttpOptions,
  ServeStdioOptions,
  StdioServing,
  ToolServer,
} from './server/create-server/server.js';
export type { ServerOptions } from './server/create-server/server-options.js';
export type { AiSdkCallOptions, AiSdkSchema, AiSdkTool, AiSdkValidation } from './server/registry/ai-sdk.js';
export type { RegistryOptions } from './server/registry/create-registry.js';
export type { AnthropicTool, OpenAiResponsesTool, OpenAiTool } from './server/registry/provider-tools.js';
export type {
  CallError,
  InvokeOptions,
  InvokeResult,
  LogEntry,
  Progress,
  QuestionInfo,
  QuestionParams,
  Registry,
  SampleReply,
  ToolEntry,
  ValidateResult,
} from './server/registry/registry.js';

/**
 * Loads a pack: manifests, definitions and overlays become one program. Runs none of the pack's code.
 *
 * @example
 * const { program, diagnostics } = await loadPack('packs/jira', { overlays: ['overlays/quiet'] });
 * console.log(program?.tools.map(tool => tool.name));
 */
export async function loadPack(where: string | Folder, options: LoadOptions = {}): Promise<LoadResult> {
  const { program, diagnostics } = load(where, options);
  return { program, diagnostics };
}

/** What `explainItem` found: an explanation, or why there is none. */
export interface ExplainAnswer {
  readonly explanation: Explanation | undefined;
  /** In words; undefined where there is an explanation. */
  readonly problem: string | undefined;
  /** Where several kinds have the name: the names that tell them apart. */
  readonly candidates: readonly string[];
  /** False where the pack has no usable toolwright.yaml. */
  readonly isPack: boolean;
}

/**
 * Tells which definition of an item wins, what it shadows and where each field was written. Runs none of the pack's code.
 *
 * @example
 * const { explanation, problem } = await explainItem('packs/jira', 'tool:get-issue');
 * console.log(problem ?? explanation?.winner);
 */
export async function explainItem(
  where: string | Folder,
  item: string,
  options: LoadOptions = {},
): Promise<ExplainAnswer> {
  const loaded = load(where, options);
  const isPack = loaded.manifest !== undefined;
  const result = explainLoaded(loaded, item);
  if ('problem' in result) {
    const { problem, candidates } = result;
    return { explanation: undefined, problem, candidates, isPack };
  }
  return { explanation: result.explanation, problem: undefined, candidates: [], isPack };
}

/**
 * Shows one server as it would be served: its properties, its items under the names that clients see, with schemas and origins,
 * the packs that it takes items from, and what is wrong: what `toolwright inspect` prints, as a value. Runs none of the packs' code.
 * Rejects where there is no such server.
 *
 * @example
 * const { tools, missing } = await inspectServer('.', 'reporting');
 * console.log(tools.map(({ name, pack }) => `${name} of ${pack}`), missing);
 */
export async function inspectServer(
  where: string | Folder,
  name?: string,
  options: InspectOptions = {},
): Promise<InspectedServer> {
  const { inspectWhere } = await import('./packs/inspect-where.js');
  return inspectWhere(where, name, options);
}

/** Which servers `listServers` looks for. */
export interface ListOptions {
  /** Of the qualified name; `*` stands for anything. */
  readonly pattern?: string;
  /** Those of every installed package, not only of those that the project lists. */
  readonly all?: boolean;
  /** Those that come with this package, too. */
  readonly builtin?: boolean;
  /** Only servers that serve something with this tag. */
  readonly tag?: string;
  /** Packs of the registry, too, asked through the user's npm; what it said is kept for a day. */
  readonly remote?: boolean;
  /** Asks the registry again, whatever is known. Needs `remote`. */
  readonly refresh?: boolean;
  /** For npm; default: the environment of the process. */
  readonly env?: Environment;
  /** Warnings, such as a registry that does not answer. Default: stderr. */
  readonly report?: (text: string) => void;
}

/**
 * Lists the servers that can be started in a folder: of its project and of the packs that are installed for it; with `remote`,
 * also those of packs that could be installed. Reads manifests only.
 *
 * @example
 * for (const { name, version } of await listServers('.', { pattern: 'acme/*' })) console.log(name, version);
 * @example
 * const all = await listServers('.', { remote: true, refresh: true, builtin: true });
 */
export async function listServers(cwd: string, options: ListOptions = {}): Promise<readonly ListedServer[]> {
  const { discoverPacks } = await import('./packs/discover-packs.js');
  const { listServers: list } = await import('./packs/list-servers.js');
  const { readOutline } = await import('./packs/read-outline.js');
  const { nodeFolder } = await import('./load/folder.js');
  const { printReport } = await import('./serve/print-report.js');
  const { environment } = await import('./server/environment.js');
  const { pattern, all = false, builtin = false, tag, remote = false, refresh = false } = options;
  if (refresh && !remote) throw new TypeError('`refresh` asks the registry again: it needs `remote`');
  const { report = printReport } = options;
  const folder = resolve(cwd);
  if (remote) {
    const { listRemote } = await import('./packs/list-remote.js');
    const flags = { '--all': all, '--builtin': builtin, '--refresh': refresh };
    return await listRemote({
      cwd: folder,
      words: [
        ...Object.entries(flags).flatMap(([flag, isOn]) => (isOn ? [flag] : [])),
        ...(tag === undefined ? [] : [`--tag=${tag}`]),
        ...(pattern === undefined ? [] : ['--', pattern]),
      ],
      env: options.env ?? environment(),
      report,
    });
  }
  const outlineOf = (path: string) => readOutline(nodeFolder(path), { withTags: true });
  const { packs, warnings } = discoverPacks({ cwd: folder, all, builtin, ...(tag === undefined ? {} : { outlineOf }) });
  for (const warning of warnings) report(warning);
  return list(packs, pattern, tag).servers;
}

/**
 * Makes a server of items of installed packs and of tools that are defined in place. Mistakes are thrown as one
 * DefinitionError that tells them all; a broken item that only a pattern matches is reported and left out.
 *
 * @example
 * const server = await createServer({
 *   name: 'desk',
 *   tools: [
 *     'acme/jira/get-*',
 *     { name: 'ping', description: 'Answer.', parameters: { who: 'string' }, handler: ({ who }) => `Hello ${who}` },
 *   ],
 * });
 * const { url } = await server.serveHttp({ port: 3000 });
 */
export async function createServer(options: ServerOptions): Promise<ToolServer> {
  const { makeServer } = await import('./server/create-server/create-server.js');
  return await makeServer(options);
}

/**
 * Opens the tools of a pack for code of the same process, and for model providers: the same tools, schemas and checks
 * as its MCP server, without MCP.
 *
 * @example
 * const registry = await createRegistry('packs/jira');
 * const result = await registry.invoke('get-issue', { issueKey: 'PROJ-1' });
 * if (!result.ok) console.error(result.error.message);
 * await registry.close();
 */
export async function createRegistry(pack: PackSource, options: RegistryOptions = {}): Promise<Registry> {
  const { openRegistry } = await import('./server/registry/create-registry.js');
  return await openRegistry(pack, options);
}
