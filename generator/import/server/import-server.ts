// The story of an import from a live server. In: captures of what it lists, and how it is reached. Out: items that are listed the same way, the
// backend that they forward to, and the configuration that both need.
import type { BackendDefinition } from '../../../schema/definitions.js';
import { type Diagnostic, diagnose, hasErrors, type Site } from '../../../schema/diagnostics.js';
import { asText } from '../../../schema/document.js';
import { validate } from '../../../schema/validate/validate.js';
import type { Imported, LeftOut } from '../imported.js';
import { kebabName } from '../item-names.js';
import { literalText } from '../literal-text.js';
import { plainText } from '../plain-text.js';
import type { Capture } from './capture.js';
import { type Axis, axisConfig, axisWords } from './flag-axes.js';
import { listsOf, makeItems } from './make-items.js';
import { findUnusable } from './prove-items.js';
import { findSecrets, isSecretName, type ServerPlace } from './secrets.js';
import { serverSite } from './server-site.js';

export interface ServerOptions {
  /** Where the server is when it is imported: for messages, and for the backend. Values of variables are not in it. */
  readonly place: ServerPlace;
  /** Items forward to the server. Otherwise each needs a handler. */
  readonly proxy?: boolean | undefined;
  /** `parameters` and `output` where they say exactly the same. */
  readonly short?: boolean | undefined;
  /** In place of the one that the server gives itself. */
  readonly name?: string | undefined;
  /** Names of variables that the server gets from the configuration. */
  readonly env?: readonly string[] | undefined;
  /** The key of the configuration with the token for an address. */
  readonly bearer?: string | undefined;
}

/**
 * Makes items of what a server lists. The first capture is the server as it is started without further words.
 *
 * @example importServer([capture], { place: { command: ['npx', '-y', '@playwright/mcp'] }, proxy: true })
 */
export function importServer(captures: readonly Capture[], options: ServerOptions): Imported {
  const { place, proxy = false } = options;
  const site = serverSite(place);
  const [base] = captures;
  const name = nameOf(options, base);
  const refused = findSecrets(place, site);
  if (base === undefined || hasErrors(refused))
    return { name, items: [], backends: {}, config: {}, leftOut: [], diagnostics: refused };
  const made = makeItems(captures, { name, proxy, short: options.short === true, site });
  const diagnostics = [...made.diagnostics];
  const entries = {
    backends: proxy ? { [name]: backendOf(options, made.axes) } : {},
    config: { ...configOf(options), ...axisConfig(made.axes) },
  };
  const unusable = findUnusable(made.items, entries);
  const items = made.items.filter(item => !unusable.has(item));
  const leftOut = [...made.leftOut, ...[...unusable].map(([{ from }, reason]) => ({ from, reason }))];
  const { title, description } = base.offer.serverInfo;
  return {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    items,
    ...entries,
    ...instructionsOf(base, site, diagnostics),
    server: { ...serverOf(base, site, diagnostics), ...listsOf(items) },
    ...(captures.some(({ isPartial }) => isPartial === true) ? { isPartial: true } : {}),
    leftOut,
    diagnostics: [...diagnostics, ...leftOut.map(one => leftOutDiagnostic(one, site))],
  };
}

function leftOutDiagnostic({ from, reason }: LeftOut, site: Site): Diagnostic {
  const hint = 'the server lists it in a way that no client can use: tell its author';
  return diagnose('import/left-out', { place: from.place, reason }, site, { hint });
}

/** What the server calls itself, in the form of a name: `example-servers/everything` is `everything`. */
function nameOf({ name, place }: ServerOptions, base: Capture | undefined): string {
  const given = name === undefined ? undefined : kebabName(name);
  const own = asText(base?.offer.serverInfo['name']).split('/').at(-1) ?? '';
  return given ?? kebabName(own) ?? kebabName(serverSite(place).file) ?? 'server';
}

function backendOf({ place, env = [], bearer }: ServerOptions, axes: readonly Axis[]): BackendDefinition {
  if ('url' in place) {
    return { type: 'mcp', url: literalText(place.url), ...(bearer === undefined ? {} : { auth: { bearer } }) };
  }
  const more = axisWords(axes);
  const variables = { ...Object.fromEntries(env.map(key => [key, `{config.${key}}`])), ...more.env };
  return {
    type: 'mcp',
    command: [...place.command.map(literalText), ...more.command],
    ...(place.cwd === undefined ? {} : { cwd: literalText(place.cwd) }),
    ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
  };
}

function configOf({ env = [], bearer }: ServerOptions): Imported['config'] {
  const keys = [...env, ...(bearer === undefined ? [] : [bearer])];
  return Object.fromEntries(
    keys.map(key => [key, { type: 'string', ...(key === bearer || isSecretName(key) ? { secret: true } : {}) }]),
  );
}

function instructionsOf({ offer }: Capture, site: Site, diagnostics: Diagnostic[]): { instructions?: string } {
  const { instructions } = offer;
  if (instructions === undefined || instructions === '') return {};
  const { text, isChanged } = plainText(instructions);
  const reason = 'a tag behind a backslash cannot be written';
  if (isChanged)
    diagnostics.push(diagnose('import/not-carried', { key: 'instructions', places: ['the server'], reason }, site));
  return { instructions: text };
}

/** What the server says of itself, as far as a definition can. */
function serverOf({ offer }: Capture, site: Site, diagnostics: Diagnostic[]): Readonly<Record<string, unknown>> {
  const said: Record<string, unknown> = {};
  for (const key of ['title', 'icons', 'websiteUrl']) {
    const value = offer.serverInfo[key];
    if (value === undefined) continue;
    const place = () => site;
    const wrong = validate('server', { [key]: value }, { site: place, find: place, source: () => undefined });
    const found = wrong.find(({ severity }) => severity === 'error');
    if (found === undefined) said[key] = value;
    else diagnostics.push(diagnose('import/not-carried', { key, places: ['the server'], reason: found.message }, site));
  }
  return said;
}
