// The table of facts about keys: defaults that are not one value, what a key needs, what may still change, which diagnostics are about
// it. `<definition>.<key>`, as in `tool.parameters` or `server.http.port`. Which keys exclude each other is in schema/exclusive-keys.ts.
import type { Code } from '../codes.js';
import type { KeyFacts } from '../reference/facts.js';

/** What is written about a key here; guides are in key-guides.ts. */
interface WrittenFacts extends Omit<KeyFacts, 'excludes' | 'guide'> {
  readonly codes?: readonly Code[];
}

const handlerCodes = ['generate/missing-handler', 'generate/missing-export', 'generate/unimportable'] as const;
const schemaCodes = [
  'schema/keyword',
  'schema/root',
  'schema/dialect',
  'schema/unknown-dialect',
  'schema/uncheckable',
  'schema/inherited-name',
  'generate/unusable-schema',
] as const;
const nameFacts: WrittenFacts = {
  default: 'the item name',
  codes: ['link/wire-name-collision', 'link/long-name'],
};
const declarationFacts = (kind: string): WrittenFacts => ({
  default: `all ${kind}s that the root defines`,
  codes: ['resolve/missing-definition', 'resolve/duplicate-declaration', 'resolve/unreachable'],
});
const servedFacts = (kind: string): WrittenFacts => ({
  default: `all ${kind}s in the pack`,
  codes: [
    'link/unknown-reference',
    'link/invalid-name',
    'link/duplicate-reference',
    'link/empty-pattern',
    'link/no-such-tag',
    'pack/not-installed',
    'pack/unknown-item',
    'pack/broken-item',
  ],
});
const descriptionFacts: WrittenFacts = {
  codes: [
    'link/no-description',
    'link/unknown-tool',
    'link/unknown-tag',
    'parse/cut-text',
    'text/bidi-control',
    'text/tag-character',
    'text/zero-width',
  ],
};
const modesFacts: WrittenFacts = { default: 'every mode' };
const mimeTypeFacts: WrittenFacts = { default: 'derived from the file extension' };
const experimental = '0.3';

const callCodes = [
  'backend/syntax',
  'backend/unknown-placeholder',
  'backend/unknown-config',
  'backend/wrong-place',
  'backend/unfit-type',
  'backend/unused-parameter',
  'backend/idle-key',
  'build/backend',
] as const;

const whenFacts: WrittenFacts = {
  experimental,
  codes: ['link/unknown-condition', 'link/impossible-condition', 'link/secret-condition', 'link/never-offered'],
};

const packFacts: Readonly<Record<string, WrittenFacts>> = {
  'pack.name': { default: 'the name in package.json without @', codes: ['discover/package-field', 'pack/name-in-use'] },
  'pack.version': { default: 'the version in package.json', codes: ['discover/package-field'] },
  'pack.root': { codes: ['resolve/missing-root', 'resolve/path-escape'] },
  'pack.generated': { codes: ['resolve/path-escape', 'generate/not-a-folder'] },
  'pack.handlers': { codes: ['resolve/path-escape'] },
  'pack.dist': { codes: ['resolve/path-escape', 'publish/not-built'] },
  'pack.servers': declarationFacts('server'),
  'pack.tools': declarationFacts('tool'),
  'pack.prompts': declarationFacts('prompt'),
  'pack.resources': declarationFacts('resource'),
  'pack.schemas': { experimental, ...declarationFacts('schema') },
  'pack.context': { codes: handlerCodes },
  'pack.isolate': { experimental, default: '`none`', codes: ['link/idle-isolate', 'build/isolate'] },
  'pack.backends': {
    experimental,
    codes: [
      'backend/syntax',
      'backend/unknown-config',
      'backend/wrong-place',
      'backend/address',
      'backend/open-secret',
    ],
  },
  'pack.config': {
    codes: [
      'config/wrong-type',
      'config/not-allowed',
      'config/short-secret',
      'config/file',
      'link/unknown-requirement',
    ],
  },
  'configEntry.default': { codes: ['validate/type', 'config/secret-default'] },
  'configEntry.secret': { codes: ['config/short-secret', 'config/secret-default', 'config/visible-secret'] },
  'configEntry.flag': { experimental, codes: ['config/flag-taken', 'config/visible-secret'] },
  'configEntry.argument': {
    experimental,
    codes: ['config/argument-taken', 'config/argument-gap', 'config/rest-of-one', 'config/visible-secret'],
  },
  'configEntry.type': { codes: ['config/wrong-type'] },
  'serverDeclaration.tools': { codes: ['link/declared-name'] },
  'serverDeclaration.prompts': { codes: ['link/declared-name'] },
  'serverDeclaration.resources': { codes: ['link/declared-name'] },
  'toolDeclaration.parameters': { codes: ['link/declared-name'] },
  'promptDeclaration.arguments': { codes: ['link/declared-name'] },
  'resourceDeclaration.uri': { codes: ['link/declared-uri'] },
};

const serverFacts: Readonly<Record<string, WrittenFacts>> = {
  'server.name': nameFacts,
  'server.description': descriptionFacts,
  'server.version': { default: 'the pack version' },
  'server.instructions': { codes: ['link/unknown-tool', 'link/unknown-tag'] },
  'server.tools': servedFacts('tool'),
  'server.prompts': servedFacts('prompt'),
  'server.resources': servedFacts('resource'),
  'server.http': { needs: ['transport: http'] },
  'server.auth': { needs: ['transport: http'], codes: ['link/unchecked-scopes'] },
  'server.http.allowedHosts': {
    default: 'loopback names; if the server listens elsewhere, the names and addresses of the machine',
  },
  'server.http.allowedOrigins': { default: 'loopback, and the address of the server itself' },
  'server.http.headers': { experimental, default: 'none' },
  'server.initialize': { codes: handlerCodes },
  'server.routes': { experimental, needs: ['transport: http'], codes: handlerCodes },
  'server.configName': { default: 'the last part of the name' },
  'server.pageSize': { default: 'all items on one page' },
  'bearerAuth.env': { needs: ['type: bearer'] },
  'oauthAuth.issuer': { needs: ['type: oauth'] },
  'oauthAuth.audience': { needs: ['type: oauth'] },
  'oauthAuth.jwks': { needs: ['type: oauth'], default: 'taken from the metadata of the issuer' },
  'oauthAuth.scopes': { needs: ['type: oauth'] },
  'tagSelector.when': whenFacts,
  'itemSelector.item': { experimental },
  'itemSelector.when': whenFacts,
  'tagSelector.tag': { experimental, codes: ['link/no-such-tag'] },
};

const toolFacts: Readonly<Record<string, WrittenFacts>> = {
  'tool.name': nameFacts,
  'tool.description': descriptionFacts,
  'tool.parameters': {
    codes: [
      'validate/whole-schema',
      'validate/required-list',
      'validate/required-default',
      'validate/flow-comma',
      'validate/indentation',
      'schema/property-name',
      'schema/optional-name',
      'schema/idle-keyword',
      'link/reserved-parameter',
    ],
  },
  'tool.inputSchema': { codes: [...schemaCodes, 'link/reserved-parameter'] },
  'tool.output': { codes: ['validate/whole-schema', 'validate/required-list'] },
  'tool.outputSchema': { codes: schemaCodes },
  'tool.serial': { experimental, default: 'calls run side by side' },
  'tool.isolate': {
    experimental,
    default: 'what toolwright.yaml says, else `none`',
    codes: ['build/isolate', 'pack/isolate'],
  },
  'limits.concurrency': { experimental, default: 'no limit' },
  'limits.queue': { experimental, needs: ['concurrency', 'serial'], codes: ['link/idle-queue'] },
  'tool.defaults': {
    needs: ['inputSchema', 'outputSchema'],
    experimental,
    codes: ['link/idle-defaults', 'link/filled-write'],
  },
  'tool.resultText': { experimental, codes: ['template/syntax', 'template/unknown-name', 'link/unknown-tool'] },
  'tool.handler': {
    default: '`<handlers>/tools/<item>.ts`, its default export',
    codes: [...handlerCodes, 'generate/wrong-tool', 'generate/unknown-member', 'generate/widened'],
  },
  'tool.http': { experimental, codes: [...callCodes, 'backend/optional-segment'] },
  'tool.sql': { experimental, codes: callCodes },
  'tool.exec': { experimental, codes: callCodes },
  'tool.mcp': { experimental, codes: callCodes },
  'execCall.args': { codes: ['backend/loose-argument'] },
  'execCall.cwd': { default: 'the folder of the process' },
  'httpBackend.url': { codes: ['backend/address'] },
  'httpBackend.retries': { default: '2 for requests that only read, else 0' },
  'sqlBackend.url': { codes: ['backend/address'] },
  'mcpBackend.url': { codes: ['backend/address'] },
  'mcpBackend.cwd': { default: 'the folder of the pack' },
  'backendAuth.value': { needs: ['header', 'query'] },
  'httpCall.backend': {
    default: 'the only one of type http',
    codes: ['backend/unknown', 'backend/wrong-type', 'backend/not-named'],
  },
  'httpCall.url': { codes: ['backend/shared-address'] },
  'paginate.param': { needs: ['cursor'] },
  'sqlCall.backend': {
    default: 'the only one of type sqlite, postgres or sql',
    codes: ['backend/unknown', 'backend/wrong-type', 'backend/not-named'],
  },
  'sqlCall.text': { codes: ['backend/statement', 'backend/quoted-placeholder', 'backend/identifier'] },
  'mcpCall.backend': {
    default: 'the only one of type mcp',
    codes: ['backend/unknown', 'backend/wrong-type', 'backend/not-named'],
  },
  'mcpCall.name': { default: 'the name that clients see here' },
  'execCall.ok': { default: '`[0]`' },
  'tool.annotations': { codes: ['link/unknown-annotation'] },
  'tool.guidelines': { codes: ['link/unknown-tool'] },
  'tool.guidelinesIn': { needs: ['guidelines'] },
  'tool.errors': { codes: ['validate/key-name', 'link/unreachable-match'] },
  'toolError.match': { experimental, codes: ['link/changed-code', 'link/unreachable-match', 'backend/idle-match'] },
  'toolError.message': { codes: ['template/syntax', 'template/unknown-name'] },
  'toolError.status': { default: 'the status that was matched; otherwise 503 if `retryable: true`, and 400 if not' },
  'toolError.suggestedFix': { codes: ['link/unknown-tool', 'template/unknown-name'] },
  'tool.options': {
    codes: ['options/json', 'options/unknown-tool', 'options/unknown-option', 'options/wrong-type'],
  },
  'tool.requires': { codes: ['link/unknown-requirement', 'link/deprecated-capability'] },
  'tool.initialize': { codes: handlerCodes },
  'initializer.handler': { codes: handlerCodes },
  'tool.examples': { codes: ['example/input', 'example/output', 'example/error', 'link/duplicate-example'] },
  'example.name': { codes: ['link/duplicate-example'] },
  'example.input': { codes: ['example/input'] },
  'example.output': { codes: ['example/output', 'test/wrong-output'] },
  'example.error': { codes: ['example/error', 'test/wrong-error'] },
  'tool.scopes': { needs: ['auth: { type: oauth }'], codes: ['link/unchecked-scopes'] },
  'tool.modes': modesFacts,
  'tool.when': whenFacts,
  'tool.confirm': { codes: ['link/reserved-parameter'] },
  'tool.additionalParameters': { needs: ['parameters'] },
  'tool.ui': { codes: ['link/unknown-page'] },
  'tool.ui.resourceUri': { codes: ['link/unknown-page'] },
  'tool.task': { experimental, codes: ['link/idle-task', 'link/repeated-request'] },
  'taskOptions.ask': { default: '`before` for tools with `confirm: true`, else `inside`', codes: ['link/idle-task'] },
  'taskOptions.restart': {
    default: '`resume` for tools with `effect: read` or `idempotentHint: true`, else `fail`',
    codes: ['link/idle-task', 'link/repeated-request'],
  },
  'tool.effect': { default: 'none: clients assume the worst' },
  'annotations.readOnlyHint': { default: 'what `effect` says' },
  'annotations.destructiveHint': { default: 'what `effect` says' },
  'annotations.idempotentHint': { default: 'true for `effect: read`, else not said' },
  'annotations.openWorldHint': { default: 'not said' },
};

const parameterFacts: Readonly<Record<string, WrittenFacts>> = {
  'parameter.required': {
    default: 'true, or false if there is a default',
    codes: ['validate/required-list', 'validate/required-default'],
  },
  'parameter.default': { codes: ['validate/required-default', 'schema/invalid-default'] },
  'parameter.enum': { codes: ['schema/enum-type', 'schema/duplicate-enum'] },
  'parameter.examples': { codes: ['schema/invalid-example'] },
  'parameter.format': { codes: ['schema/unknown-format'] },
  'parameter.pattern': { codes: ['schema/regex'] },
  'parameter.minimum': { codes: ['schema/empty-range'] },
  'parameter.maximum': { codes: ['schema/empty-range'] },
  'parameter.minLength': { codes: ['schema/empty-range'] },
  'parameter.maxLength': { codes: ['schema/empty-range'] },
  'parameter.minItems': { codes: ['schema/empty-range'] },
  'parameter.maxItems': { codes: ['schema/empty-range'] },
  'parameter.minContains': { needs: ['contains'] },
  'parameter.maxContains': { needs: ['contains'] },
  'parameter.then': { needs: ['if'] },
  'parameter.else': { needs: ['if'] },
  'parameter.$ref': {
    codes: [
      'schema/dangling-ref',
      'schema/remote-ref',
      'schema/ref-cycle',
      'schema/unknown-shared',
      'schema/broken-shared',
      'schema/shared-dialect',
      'schema/shared-base',
      'schema/data-ref',
    ],
  },
  'parameter.from': {
    experimental,
    codes: [
      'link/unknown-binding',
      'link/bound-type',
      'link/bound-secret',
      'link/bound-conflict',
      'link/bound-place',
      'link/bound-keyword',
      'link/unbound-identity',
      'config/unfit',
    ],
  },
  'parameter.header': { codes: ['schema/header'] },
  'parameter.$schema': { default: '2020-12, the dialect of the protocol' },
  'parameter.additionalProperties': { default: 'true' },
};

/** What differs from the shorthand; the others are the same facts. */
const jsonSchemaFacts: Readonly<Record<string, WrittenFacts>> = {
  ...Object.fromEntries(
    Object.entries(parameterFacts)
      .filter(
        ([key]) => !['parameter.required', 'parameter.header', 'parameter.from', 'parameter.default'].includes(key),
      )
      .map(([key, facts]) => [key.replace('parameter.', 'jsonSchema.'), facts]),
  ),
  'jsonSchema.default': { codes: ['schema/invalid-default'] },
  'jsonSchema.required': { default: 'no key is required', codes: ['schema/unknown-required'] },
  'jsonSchema.x-mcp-header': { codes: ['schema/header'] },
};

/** A shared schema is a JSON Schema. */
const sharedSchemaFacts: Readonly<Record<string, WrittenFacts>> = Object.fromEntries(
  Object.entries(jsonSchemaFacts).map(([key, facts]) => [key.replace('jsonSchema.', 'schema.'), facts]),
);

const otherFacts: Readonly<Record<string, WrittenFacts>> = {
  'prompt.name': nameFacts,
  'prompt.description': descriptionFacts,
  'prompt.type': { default: 'derived from the keys', codes: ['link/prompt-type'] },
  'prompt.onError': { needs: ['handler'] },
  'prompt.text': { codes: ['template/syntax', 'template/unknown-argument', 'template/not-a-list'] },
  'prompt.messages': { codes: ['template/syntax', 'template/unknown-argument'] },
  'prompt.handler': { default: '`<handlers>/prompts/<item>.ts`, its default export', codes: handlerCodes },
  'prompt.mcp': { experimental, codes: callCodes },
  'prompt.modes': modesFacts,
  'prompt.when': whenFacts,
  'promptArgument.type': { experimental, codes: ['template/not-a-list'] },
  'promptArgument.complete': { codes: handlerCodes },
  'mediaFile.mimeType': mimeTypeFacts,
  'message.resource.mimeType': mimeTypeFacts,
  'message.link.mimeType': mimeTypeFacts,
  'resource.uri': { codes: ['link/uri-scheme', 'link/uri-braces', 'link/duplicate-uri'] },
  'resource.uriTemplate': { codes: ['link/uri-template', 'link/no-variables', 'link/duplicate-uri'] },
  'resource.name': { default: 'the item name' },
  'resource.description': descriptionFacts,
  'resource.mimeType': mimeTypeFacts,
  'resource.handler': { default: '`<handlers>/resources/<item>.ts`, its default export', codes: handlerCodes },
  'resource.http': { experimental, codes: [...callCodes, 'backend/optional-segment'] },
  'resource.sql': { experimental, codes: callCodes },
  'resource.mcp': { experimental, codes: callCodes },
  'resource.list': { experimental, needs: ['uriTemplate'], codes: ['link/idle-list', ...handlerCodes] },
  'resource.complete': { needs: ['uriTemplate'], codes: ['link/unknown-variable', ...handlerCodes] },
  'resource.modes': modesFacts,
  'resource.when': whenFacts,
  'overlay.description': { codes: ['overlay/refused'] },
  'overlay.options': { codes: ['overlay/unknown-option', 'overlay/option-type'] },
};

export const keyFacts: Readonly<Record<string, WrittenFacts>> = {
  ...packFacts,
  ...serverFacts,
  ...toolFacts,
  ...parameterFacts,
  ...jsonSchemaFacts,
  ...sharedSchemaFacts,
  ...otherFacts,
};
