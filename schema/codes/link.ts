import { code, enumerate, quote } from './entry.js';

/** An item, and the name that clients see instead of the one it has. */
export interface Renamed {
  readonly item: string;
  readonly name: string;
}

const mostRenamed = 5;

/** `"a" as "S1" and "b" as "S2"`. */
function printRenamed(renamed: readonly Renamed[]): string {
  const shown = renamed.slice(0, mostRenamed).map(({ item, name }) => `${quote(item)} as ${quote(name)}`);
  const last = renamed.length > mostRenamed ? `${renamed.length - mostRenamed} more` : (shown.pop() ?? '');
  return `${shown.join(', ')} and ${last}`;
}

/** How items refer to each other, and what their texts mention. */
export const linkCodes = {
  'link/invalid-name': code<{ name: string; reason: string }>({
    severity: 'error',
    message: ({ name, reason }) => `${quote(name)} is not a valid reference: ${reason}`,
    cause: 'References are item, pack/item or publisher/pack/item.',
    fix: 'Correct the reference.',
  }),
  'link/unknown-reference': code<{ kind: string; name: string }>({
    severity: 'error',
    message: ({ kind, name }) => `this pack declares no ${kind} ${quote(name)}`,
    cause:
      'A server lists an item that neither the pack nor Toolwright has. Items from other packs need a qualified name.',
    fix: 'Correct the name, declare and define the item, or write pack/item.',
  }),
  'link/duplicate-reference': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `${quote(name)} is listed twice; once is enough`,
    cause: 'A server lists the same item twice.',
    fix: 'Remove one of them.',
  }),
  'link/empty-pattern': code<{ pattern: string; kind: string }>({
    severity: 'warning',
    message: ({ pattern, kind }) => `the pattern ${quote(pattern)} matches no ${kind}`,
    cause: 'A pattern that matches nothing is usually a typo.',
    fix: 'Correct or remove it.',
  }),
  'link/no-such-tag': code<{ tag: string; kind: string }>({
    severity: 'error',
    message: ({ tag, kind }) => `no ${kind} in this pack has the tag ${quote(tag)}`,
    cause: 'A server picks items by a tag that nothing has, which is usually a typo.',
    fix: 'Correct the tag, or add it to the `tags` of the items you mean.',
  }),
  'link/wire-name-collision': code<{ name: string; kind: string; server: string; renamed: readonly Renamed[] }>({
    severity: 'warning',
    message: ({ name, kind, server, renamed }) =>
      `${renamed.length} ${kind}s in the server ${quote(server)} are called ${quote(name)}, so clients see ${printRenamed(renamed)}`,
    cause:
      'Clients know items by name, so all items that share a name get a number, including the one that had the name first. Permissions that users gave to the old name do not apply to the new ones.',
    fix: 'Give each of them a unique `name`.',
  }),
  'link/long-name': code<{ name: string; length: number }>({
    severity: 'warning',
    message: ({ name, length }) => `the name ${quote(name)} has ${length} characters; many clients refuse more than 64`,
    cause: 'The protocol allows 128 characters, many clients do not.',
    fix: 'Set a shorter `name`.',
  }),
  'link/no-description': code<{ kind: string; item: string }>({
    severity: 'warning',
    message: ({ kind, item }) => `the ${kind} ${quote(item)} has no description`,
    cause: 'The description is what a model reads to decide when to use it.',
    fix: 'Add `description`.',
  }),
  'link/unknown-tool': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `the text mentions the tool ${quote(name)}, which this pack does not have`,
    cause: '{{tool:X}} is replaced by the name that clients see, so X must be a tool.',
    fix: 'Correct the name.',
  }),
  'link/unknown-tag': code<{ tag: string }>({
    severity: 'info',
    message: ({ tag }) => `${quote(tag)} reaches clients as it is: only {{tool:X}} has a meaning in this text`,
    cause:
      'Descriptions, guidelines, instructions and the texts of errors may mention tools, and nothing else. If `tool` is misspelt, this is a warning.',
    fix: 'Write {{tool:X}} for a tool, and the plain name of anything else.',
  }),
  'link/changed-code': code<{ typed: string; value: number }>({
    severity: 'error',
    message: ({ typed, value }) => `${typed} is a number here and is read as ${value}`,
    cause:
      'Some codes, such as SQL states, begin with a zero or look like a number with an exponent, so YAML reads a different number.',
    fix: 'Write the code in quotes.',
  }),
  'link/unreachable-match': code<{ match: string; error: string; by: string }>({
    severity: 'warning',
    message: ({ match, error, by }) => `${match} never becomes ${error}: ${by} matches it first`,
    cause: 'The first error whose `match` has the code wins, in the order written.',
    fix: 'Remove it from one of the two, or write the more specific error first.',
  }),
  'link/unknown-annotation': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `unknown annotation ${quote(name)}: clients ignore it`,
    cause: 'Annotations are hints for clients; only those that the protocol defines have a meaning.',
    fix: 'Correct the name, or put your own data under `_meta`.',
  }),
  'link/uri-braces': code<{ uri: string }>({
    severity: 'warning',
    message: ({ uri }) => `the URI ${quote(uri)} has braces, which have no meaning in \`uri\``,
    cause: 'A uri is a single address, used as it is. A family of resources needs a uriTemplate.',
    fix: 'Write uriTemplate instead of uri.',
  }),
  'link/uri-scheme': code<{ uri: string }>({
    severity: 'warning',
    message: ({ uri }) => `the URI ${quote(uri)} has no scheme`,
    cause: 'Every URI begins with a scheme and a colon, and clients may refuse a resource without one.',
    fix: 'Begin with your own scheme, as in `notes://today`.',
  }),
  'link/no-variables': code<{ template: string }>({
    severity: 'warning',
    message: ({ template }) => `the URI template ${quote(template)} has no variable, so it stands for one address only`,
    cause: 'Clients list templates separately and ask for their variables; a resource with one address has a uri.',
    fix: 'Write uri instead of uriTemplate, or put a variable in braces, as in `issue://{key}`.',
  }),
  'link/duplicate-uri': code<{ uri: string }>({
    severity: 'error',
    message: ({ uri }) => `two resources have the URI ${quote(uri)}`,
    cause: 'Clients read resources by URI, so only one of them could ever be read.',
    fix: 'Give each resource its own URI.',
  }),
  'link/unknown-page': code<{ uri: string }>({
    severity: 'error',
    message: ({ uri }) => `no resource has the URI ${quote(uri)}`,
    cause: "Clients with MCP Apps read a tool's page by its URI, and would find nothing at this one.",
    fix: 'Correct the URI, add a resource with it, or list a resource from another pack in the server.',
  }),
  'link/prompt-type': code<{ stated: string; inferred: string }>({
    severity: 'error',
    message: ({ stated, inferred }) => `the prompt's type is ${quote(stated)}, but its keys make it ${quote(inferred)}`,
    cause: 'The type follows from the key `text`, `messages` or `handler`; `type` may only repeat it.',
    fix: 'Remove `type`, or write the key that goes with it.',
  }),
  'link/unknown-requirement': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `${quote(name)} is neither a config key in toolwright.yaml nor a client capability`,
    cause: "`requires` lists keys of the pack's configuration, or client capabilities.",
    fix: 'Declare it under `config` in toolwright.yaml, or correct the name.',
  }),
  'link/reserved-parameter': code<{ name: string; use: 'consent' | 'answers' }>({
    severity: 'error',
    message: ({ name, use }) =>
      `${quote(name)} is a reserved argument: ${
        use === 'consent'
          ? 'with `confirm: true`, clients that cannot ask the user send it to say that the user agreed'
          : 'clients that cannot ask the user send answers in it'
      }`,
    cause:
      'If a client cannot ask its user, the model asks and calls again with `confirmed`, or with `_answers` and `_state`.',
    fix: 'Give the parameter another name.',
  }),
  'link/idle-task': code<{ key: 'ask' | 'restart'; why: 'forbidden' | 'confirmed' }>({
    severity: 'warning',
    message: ({ key, why }) =>
      why === 'forbidden'
        ? `\`${key}\` has no effect: the tool never runs as a task`
        : `\`${key}: inside\` has no effect: the tool has \`confirm: true\`, and asks before the task`,
    cause: '`ask` and `restart` are for tools that run as tasks, and nothing may begin before the user has agreed.',
    fix: 'Remove the key, or write `mode: optional`.',
  }),
  'link/repeated-request': code<{ key: string }>({
    severity: 'warning',
    message: ({ key }) =>
      `\`restart: resume\` may do what \`${key}\` says twice, which the tool does not call harmless`,
    cause:
      'If the server stops while a tool without a handler runs, nobody knows whether the other side has done its part. Resuming does it again.',
    fix: 'Write `restart: fail`, or, if doing it twice does no harm, `annotations: { idempotentHint: true }`.',
  }),
  'link/idle-defaults': code<{ beside: 'parameters' | 'nothing' }>({
    severity: 'error',
    message: ({ beside }) =>
      beside === 'parameters'
        ? '`defaults` has no meaning beside `parameters`, whose defaults are always filled in'
        : '`defaults` has no meaning here: the tool has neither inputSchema nor outputSchema',
    cause: '`defaults` says whether the defaults of a JSON Schema (inputSchema, outputSchema) are filled in.',
    fix: 'Remove `defaults`, or write the input as `inputSchema`.',
  }),
  'link/unknown-condition': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `${quote(key)} is not a key of \`config\` in toolwright.yaml`,
    cause: '`when` compares keys of `config` with values.',
    fix: 'Correct the name, or declare the key under `config`.',
  }),
  'link/impossible-condition': code<{ key: string; value: string; expected: string }>({
    severity: 'error',
    message: ({ key, value, expected }) => `${key} can never be ${value}: its values must be ${expected}`,
    cause: 'The condition would never hold.',
    fix: 'Write a value that the key can have.',
  }),
  'link/secret-condition': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `${key} is secret, but \`when\` compares it with a value that anyone can read`,
    cause: 'Definitions are published, and `inspect` and `docs` show conditions.',
    fix: 'Use another key for the condition, such as a boolean.',
  }),
  'link/never-offered': code<{ kind: string; item: string }>({
    severity: 'warning',
    message: ({ kind, item }) => `no configuration ever offers the ${kind} ${quote(item)}`,
    cause: 'Its own `when` and the `when` of each list entry that names it exclude each other.',
    fix: 'Correct one of the conditions.',
  }),
  'link/unknown-binding': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `${quote(key)} is not a key of \`config\` in toolwright.yaml`,
    cause: '`from: config.KEY` takes the value of a parameter from the configuration.',
    fix: 'Correct the name, or declare the key under `config`.',
  }),
  'link/bound-type': code<{ key: string; type: string; types: string }>({
    severity: 'error',
    message: ({ key, type, types }) => `${key} is of type ${type}, and the parameter of type ${types}`,
    cause: 'No value of the key could ever be the value of the parameter.',
    fix: 'Give both the same type.',
  }),
  'link/bound-secret': code<{ key: string }>({
    severity: 'error',
    message: ({ key }) => `${key} is secret, and arguments are not: they are logged, confirmed and put into texts`,
    cause: 'A parameter takes its value from a key with `secret: true`.',
    fix: 'Remove the parameter: handlers read secrets from `ctx.config`.',
  }),
  'link/bound-conflict': code<{ key: string; from: string }>({
    severity: 'error',
    message: ({ key, from }) => `\`${key}\` and \`from: ${from}\` exclude each other`,
    cause: "The value of the parameter is not the caller's to choose, or to leave out.",
    fix: 'Remove one of the two.',
  }),
  'link/bound-place': code<Record<never, never>>({
    severity: 'error',
    message: () => '`from` has no meaning here: only parameters of the tool itself can be bound',
    cause: '`from` was written in the output, or in a part of a parameter.',
    fix: 'Move the value to a parameter of its own, or remove `from`.',
  }),
  'link/bound-keyword': code<Record<never, never>>({
    severity: 'error',
    message: () => 'a tool with bound parameters can only have common JSON Schema keywords in its parameters',
    cause:
      'What callers send is checked without the bound parameters, and unusual keywords need code that is made before.',
    fix: 'Write the parameters without keywords such as `unevaluatedProperties` or `dependentSchemas`.',
  }),
  'link/unbound-identity': code<{ tool: string; from: string; servers: readonly string[] }>({
    severity: 'warning',
    message: ({ tool, from, servers }) =>
      `the tool ${quote(tool)} needs \`${from}\`, which callers of ${enumerate(servers)} never have`,
    cause: 'Without `auth` a server does not know who calls, and a shared token has no claims: every call is refused.',
    fix: 'Give the server `auth: { type: oauth }`, or remove the tool from its list.',
  }),
  'link/idle-list': code<Record<never, never>>({
    severity: 'error',
    message: () => '`list` has no meaning here: the resource has one address, which is always listed',
    cause: '`list` names a function that lists the addresses that match a `uriTemplate`.',
    fix: 'Remove `list`, or write `uriTemplate` instead of `uri`.',
  }),
  'link/idle-queue': code<Record<never, never>>({
    severity: 'warning',
    message: () => '`limits.queue` has no effect: no call of the tool ever waits',
    cause: 'Calls wait for their turn only with `limits.concurrency` or `serial`.',
    fix: 'Add `concurrency` to `limits`, or remove `queue`.',
  }),
  'link/idle-isolate': code<Record<never, never>>({
    severity: 'warning',
    message: () => '`isolate` has no effect: the pack has no tools',
    cause: 'Only handlers of tools run in threads; those of prompts and resources never do.',
    fix: 'Remove `isolate`, or add a tool.',
  }),
  'link/filled-write': code<{ effect: string }>({
    severity: 'warning',
    message: ({ effect }) =>
      `defaults in inputSchema are filled in, and the tool has the effect ${quote(effect)}: it may change something that the caller did not ask for`,
    cause: 'To the handler, a default that was filled in looks like something that the caller asked for.',
    fix: 'Write `defaults: advertise`, and let the handler decide what an absent argument means.',
  }),
  'link/deprecated-capability': code<{ name: string }>({
    severity: 'info',
    message: ({ name }) =>
      `the capability ${quote(name)} has been deprecated since protocol 2026-07-28; clients will drop it`,
    cause: 'Sampling and roots still work with every client that has them, but the protocol advises against both.',
    fix: 'No action is needed yet. Call your own model instead, and accept folders as arguments or configuration.',
  }),
  'link/duplicate-example': code<{ name: string }>({
    severity: 'warning',
    message: ({ name }) => `two examples are called ${quote(name)}`,
    cause: 'Test reports and docs refer to examples by name.',
    fix: 'Give each example its own name.',
  }),
  'link/declared-name': code<{ kind: string; item: string; part: string; name: string }>({
    severity: 'warning',
    message: ({ kind, item, part, name }) => `the ${kind} ${quote(item)} has no ${part} ${quote(name)}`,
    cause:
      'toolwright.yaml may repeat the names of parameters, arguments and items as an overview; the definition does not have this one.',
    fix: 'Correct the name, or remove it: the definition is what counts.',
  }),
  'link/declared-uri': code<{ item: string; uri: string; actual: string }>({
    severity: 'warning',
    message: ({ item, uri, actual }) =>
      `the resource ${quote(item)} has the address ${quote(actual)}, not ${quote(uri)}`,
    cause: "toolwright.yaml may repeat a resource's address as an overview; the definition has a different one.",
    fix: 'Correct the address, or remove it: the definition is what counts.',
  }),
  'link/unchecked-scopes': code<{ tool: string; servers: readonly string[] }>({
    severity: 'error',
    message: ({ tool, servers }) =>
      `scopes for the tool ${quote(tool)} cannot be checked on the server${servers.length === 1 ? '' : 's'} ${enumerate(servers)}; it is not served there`,
    cause:
      'Scopes are compared with those in an access token, and only `auth: { type: oauth }` has one. A server without it, or with a fixed token, would let every caller in. Over stdio a server with OAuth serves the tool to the user who starts it; `start --http` serves any server over HTTP.',
    fix: 'Give the server `auth: { type: oauth, issuer: ..., audience: ... }`, or remove `scopes` from the tool.',
  }),
  'link/unknown-variable': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `the URI template has no variable ${quote(name)}`,
    cause: 'Completions belong to variables in the URI template.',
    fix: 'Correct the name.',
  }),
  'link/uri-template': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => `the URI template is not valid: ${reason}`,
    cause: 'URI templates follow RFC 6570.',
    fix: 'Correct the template.',
  }),
  'template/syntax': code<{ reason: string }>({
    severity: 'error',
    message: ({ reason }) => reason,
    cause: 'Texts in prompts, results and errors are templates: {{name}}, {{#if}}, {{#unless}}, {{#each}}.',
    fix: 'Correct the tag. Write \\{{ for literal braces.',
  }),
  'template/unknown-name': code<{ name: string; where: string }>({
    severity: 'error',
    message: ({ name, where }) => `${quote(name)} is not ${where}`,
    cause:
      'A `resultText` may name arguments of the tool and members of its output; the texts of errors arguments, error.message, error.code and error.status.',
    fix: 'Correct the name, or describe it in the schema. Write \\{{ for literal braces.',
  }),
  'template/not-a-list': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `{{#each}} needs a list, but the argument ${quote(name)} is a string`,
    cause:
      'Clients send prompt arguments as strings. With `type: list`, a JSON array or the lines of the string become a list.',
    fix: 'Add `type: list` to the argument.',
  }),
  'template/unknown-argument': code<{ name: string }>({
    severity: 'error',
    message: ({ name }) => `the prompt has no argument ${quote(name)}`,
    cause: 'A template may use only the arguments that the prompt declares.',
    fix: 'Correct the name, or add it under `arguments`.',
  }),
} as const;
