// Which guide shows the use of a key. A test follows the links of the pages that are made from it.

const guides: Readonly<Record<string, readonly string[]>> = {
  'guides/inputs-and-outputs.md': [
    'tool.parameters',
    'tool.inputSchema',
    'tool.output',
    'tool.outputSchema',
    'tool.defaults',
    'tool.result',
    'tool.resultText',
    'tool.additionalParameters',
    'tool.limits',
  ],
  'guides/programs.md': ['tool.exec', 'execCall.args', 'execCall.env'],
  'guides/requests.md': [
    'tool.http',
    'resource.http',
    'httpCall.body',
    'httpCall.paginate',
    'pack.backends',
    'backendAuth.caller',
  ],
  'guides/databases.md': ['tool.sql', 'resource.sql', 'sqlCall.text'],
  'guides/gateway.md': ['tool.mcp', 'prompt.mcp', 'resource.mcp', 'mcpBackend.command'],
  'guides/shared-schemas.md': ['pack.schemas'],
  'guides/errors.md': ['tool.errors', 'toolError.match', 'toolError.suggestedFix'],
  'guides/prompts.md': ['prompt.arguments', 'prompt.text', 'prompt.messages', 'promptArgument.complete'],
  'guides/resources.md': [
    'resource.uri',
    'resource.uriTemplate',
    'resource.complete',
    'resource.list',
    'resource.subscribe',
  ],
  'guides/configuration.md': [
    'pack.config',
    'configEntry.secret',
    'configEntry.flag',
    'configEntry.argument',
    'parameter.from',
    'tool.requires',
    'tool.options',
  ],
  'guides/context.md': [
    'pack.context',
    'pack.isolate',
    'tool.isolate',
    'tool.serial',
    'tool.initialize',
    'server.initialize',
  ],
  'guides/questions.md': ['tool.confirm'],
  'guides/testing.md': ['tool.examples', 'prompt.examples'],
  'guides/servers.md': [
    'server.tools',
    'server.prompts',
    'server.resources',
    'tool.tags',
    'tool.modes',
    'tagSelector.tag',
  ],
  'guides/http.md': [
    'server.transport',
    'server.http',
    'server.http.allowedHosts',
    'server.http.cors',
    'server.routes',
  ],
  'guides/auth.md': ['server.auth', 'tool.scopes'],
  'guides/overlays.md': ['overlay.description', 'overlay.options', 'overlay.enabled', 'overlay.limits'],
  'guides/publishing.md': ['pack.name', 'pack.version', 'pack.dist'],
  'explanation/names-and-precedence.md': ['pack.root', 'tool.name', 'prompt.name', 'resource.name'],
};

/** `<definition>.<key>` -> page of docs/. */
export const keyGuides: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(guides).flatMap(([page, keys]) => keys.map(key => [key, page])),
);
