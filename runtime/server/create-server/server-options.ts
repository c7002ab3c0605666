// What `createServer` takes. In: options as somebody's code has them. Out: every mistake in them.
import type { Backends } from '../../../schema/backend/calls.js';
import type { CacheHints, ConfigEntry, Icon, ServerDefinition, TagSelector } from '../../../schema/definitions.js';
import { addAll, type Diagnostic, diagnose, startOf } from '../../../schema/diagnostics.js';
import { isMap } from '../../../schema/document.js';
import { didYouMean } from '../../../schema/nearest.js';
import type { RoutesContext } from '../../../schema/support/mcp/context.js';
import { typeName } from '../../../schema/validate/errors.js';
import { validate } from '../../../schema/validate/validate.js';
import type { Environment } from '../../call/context/config.js';
import type { Folder } from '../../load/folder.js';
import type { PackSource } from '../../packs/open-pack.js';
import type { BackendTool, CodePrompt, CodeResource, CodeTool } from './code-types.js';
import { locate } from './link-code.js';
import { makeFunctions, toData } from './to-data.js';

/** Conditions are for manifests: code has its own. */
type CodeSelector = Pick<TagSelector, 'tag'>;

/**
 * A server in code. Strings name items of packs: `acme/jira/get-issue`, `acme/jira/get-*`, `acme/jira/*`; the pack
 * acme/jira is the npm package @acme/jira, found from `cwd` upwards. Anything else is defined in place.
 *
 * @example
 * const options: ServerOptions = {
 *   name: 'desk',
 *   tools: ['acme/jira/get-*', { name: 'ping', description: 'Answer.', handler: () => 'pong' }],
 * };
 */
export interface ServerOptions {
  /** What clients see. */
  readonly name: string;
  /** Default 0.0.0. */
  readonly version?: string | undefined;
  readonly title?: string | undefined;
  /** What the server is for, for people who choose servers. */
  readonly description?: string | undefined;
  /** What the model reads about the server as a whole; paragraphs where it is a list. */
  readonly instructions?: string | readonly string[] | undefined;
  /** Absent: all of `packs`; `{ tag: 'issues' }`: those of `packs` with this tag. */
  readonly tools?: readonly (string | CodeSelector | CodeTool | BackendTool)[] | undefined;
  readonly prompts?: readonly (string | CodeSelector | CodePrompt)[] | undefined;
  readonly resources?: readonly (string | CodeSelector | CodeResource)[] | undefined;
  /** Packs that are not installed as packages: folders, or what `loadPack` gives. */
  readonly packs?: readonly PackSource[] | undefined;
  /** Configuration of the tools in this list, read from the environment: `ctx.config`. */
  readonly config?: Readonly<Record<string, ConfigEntry>> | undefined;
  /** Services, databases and other servers that the tools in this list use: `ctx.backends`. */
  readonly backends?: Backends | undefined;
  /** What the tools in this list have as `ctx.app`; packs build their own. */
  readonly app?: unknown;
  /** Where packages and relative paths are looked for; default: the working folder. */
  readonly cwd?: string | undefined;
  /** Default: the environment of the process. */
  readonly env?: Environment | undefined;
  /** Folders of patches for texts and policy of packs; later ones win. */
  readonly overlays?: readonly (string | Folder)[] | undefined;
  /** Only items of this mode, and those without modes. */
  readonly mode?: string | undefined;
  /** How many items one page of a list has; absent: all. */
  readonly pageSize?: number | undefined;
  /** Refuses JSON in a string where the schema wants no string. */
  readonly strictArguments?: boolean | undefined;
  readonly cache?: CacheHints | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly websiteUrl?: string | undefined;
  /** Where and for whom `serveHttp` listens, as in a server's manifest. */
  readonly http?: ServerDefinition['http'] | undefined;
  readonly auth?: ServerDefinition['auth'] | undefined;
  /**
   * Answers HTTP requests for other paths than the endpoint's, with `serveHttp`; `undefined` is a 404. It is behind the same
   * checks and the same `auth`.
   */
  readonly routes?:
    | ((request: Request, ctx: RoutesContext) => Response | undefined | Promise<Response | undefined>)
    | undefined;
  /** For the operator: warnings, and causes of unexpected errors. Default: stderr. */
  readonly report?: ((text: string) => void) | undefined;
  /** Messages of unexpected errors reach clients, as in development. */
  readonly showCauses?: boolean | undefined;
}

/** Options with what the process says in place of what was left out. */
export type SettledOptions = ServerOptions & {
  readonly env: Environment;
  readonly report: (text: string) => void;
};

/** Fields that mean what they mean in a manifest. */
const manifestKeys = [
  'name',
  'version',
  'title',
  'description',
  'instructions',
  'pageSize',
  'strictArguments',
  'cache',
  'icons',
  'websiteUrl',
  'http',
  'auth',
];
const listKeys = ['tools', 'prompts', 'resources', 'packs', 'overlays'];
const codeKeys = ['routes', 'config', 'backends', 'app', 'cwd', 'env', 'mode', 'report', 'showCauses'];

export function checkServerOptions(options: unknown): readonly Diagnostic[] {
  const at = locate('options');
  if (!isMap(options)) return validate('server', options ?? null, at);
  const known = [...manifestKeys, ...listKeys, ...codeKeys];
  const found: Diagnostic[] = [];
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const hint = didYouMean(key, known);
    found.push(diagnose('validate/unknown-key', { key, where: 'the server' }, at.site([key]), { hint }));
  }
  for (const key of listKeys) {
    const list = options[key];
    if (list === undefined || Array.isArray(list)) continue;
    const params = { where: key, expected: 'a list', actual: typeName(list) };
    found.push(diagnose('validate/type', params, at.site([key])));
  }
  const { description, routes } = options;
  if (routes !== undefined && typeof routes !== 'function') {
    const params = { where: 'routes', expected: 'a function', actual: typeName(routes) };
    found.push(diagnose('validate/type', params, at.site(['routes'])));
  }
  // In a manifest it may also be a file, which code reads itself.
  if (isMap(description)) {
    const params = { where: 'description', expected: 'a string', actual: typeName(description) };
    found.push(diagnose('validate/type', params, at.site(['description'])));
  }
  const asManifest = Object.fromEntries(manifestKeys.map(key => [key, options[key]]));
  const { data, diagnostics } = toData(asManifest, makeFunctions(), path => at.site(path));
  addAll(found, diagnostics);
  addAll(found, validate('server', data, at));
  if (options['name'] === undefined) {
    found.push(diagnose('validate/missing-key', { keys: ['name'], where: 'the server' }, startOf('options')));
  }
  return found;
}
