// The keys of toolwright.yaml.

import { openModules } from '../../../runtime/call/handlers/find-handler.js';
import { load } from '../../../runtime/load/load.js';
import { memoryFolder } from '../../harness/memory-folder.js';
import { absent, bound, documented, generated, listed, type Pair, refused, shown, whereItRuns } from './pair.js';

/** A shared schema. */
const shared = { files: { 'mcp/schemas/u.yaml': 'type: object\n' } };

export const pack: Readonly<Record<string, Pair>> = {
  ...Object.fromEntries(
    ['pack', 'server', 'tool', 'prompt', 'resource'].map(subject => [`${subject}.$schema`, bound(subject)]),
  ),
  'pack.name': documented('acme/demo', 'acme/other'),
  'pack.version': listed('1.0.0', '2.0.0'),
  'pack.description': documented(absent, 'What it is for'),
  'pack.root': refused(absent, 'elsewhere'),
  'pack.generated': generated(absent, 'made'),
  'pack.handlers': generated(absent, 'code'),
  'pack.dist': shown(
    async files => {
      const { program } = load(memoryFolder(files));
      const { handlers = 'src', dist = 'dist' } = program?.pack ?? {};
      return openModules(memoryFolder(files), { handlers, dist, isInstalled: true }).find('src/tools/t.ts');
    },
    absent,
    'lib',
    { base: { files: { 'dist/tools/t.js': '', 'lib/tools/t.js': '' } } },
  ),
  'pack.servers': refused(absent, []),
  'pack.tools': listed(absent, []),
  'pack.prompts': listed(absent, []),
  'pack.resources': listed(absent, []),
  'pack.schemas': generated(absent, [], { base: shared }),
  'pack.context': generated(absent, 'src/context.ts#create'),
  'pack.isolate': shown(whereItRuns, absent, 'thread'),
  'pack.config': generated(absent, { KEY: { type: 'string' } }),
  'configEntry.type': generated('string', 'integer', { at: 'pack.config.KEY.type' }),
  'configEntry.secret': documented(absent, true, {
    at: 'pack.config.KEY.secret',
    base: { pack: { config: { KEY: { type: 'string' } } } },
  }),
  'configEntry.description': documented(absent, 'What it is', {
    at: 'pack.config.KEY.description',
    base: { pack: { config: { KEY: { type: 'string' } } } },
  }),
  'configEntry.default': documented(absent, 'x', {
    at: 'pack.config.KEY.default',
    base: { pack: { config: { KEY: { type: 'string' } } } },
  }),
  'configEntry.enum': generated(absent, ['x'], {
    at: 'pack.config.KEY.enum',
    base: { pack: { config: { KEY: { type: 'string' } } } },
  }),
  'configEntry.flag': documented(absent, 'key', {
    at: 'pack.config.KEY.flag',
    base: { pack: { config: { KEY: { type: 'string' } } } },
  }),
  'configEntry.argument': documented(absent, 1, {
    at: 'pack.config.KEY.argument',
    base: { pack: { config: { KEY: { type: 'string' } } } },
  }),
  ...Object.fromEntries(
    Object.entries({
      minimum: ['integer', 5, 9],
      maximum: ['integer', 5, 1],
      exclusiveMinimum: ['number', 5, 5],
      exclusiveMaximum: ['number', 5, 5],
      multipleOf: ['integer', 5, 2],
      minLength: ['string', 'x', 2],
      maxLength: ['string', 'xyz', 2],
      pattern: ['string', 'x', '^y'],
      format: ['string', 'x', 'uri'],
      minItems: ['array', ['x'], 2],
      maxItems: ['array', ['x', 'y'], 1],
    }).map(([key, [type, value, limit]]) => [
      `configEntry.${key}`,
      refused(absent, limit, {
        at: `pack.config.KEY.${key}`,
        base: { pack: { config: { KEY: { type, default: value } } } },
      }),
    ]),
  ),
  'serverDeclaration.name': refused('s', 'other', { at: 'pack.servers.0.name', base: { pack: { servers: [{}] } } }),
  'serverDeclaration.description': listed(absent, 'Declared', {
    at: 'pack.servers.0.description',
    base: { pack: { servers: [{ name: 's' }] }, server: { description: absent } },
  }),
  'serverDeclaration.tools': refused(absent, ['nobody'], {
    at: 'pack.servers.0.tools',
    base: { pack: { servers: [{ name: 's' }] } },
  }),
  'serverDeclaration.prompts': refused(absent, ['nobody'], {
    at: 'pack.servers.0.prompts',
    base: { pack: { servers: [{ name: 's' }] } },
  }),
  'serverDeclaration.resources': refused(absent, ['nobody'], {
    at: 'pack.servers.0.resources',
    base: { pack: { servers: [{ name: 's' }] } },
  }),
  'toolDeclaration.name': refused('t', 'other', { at: 'pack.tools.0.name', base: { pack: { tools: [{}] } } }),
  'toolDeclaration.description': listed(absent, 'Declared', {
    at: 'pack.tools.0.description',
    base: { pack: { tools: [{ name: 't' }] }, tool: { description: absent } },
  }),
  'toolDeclaration.parameters': refused(absent, ['nobody'], {
    at: 'pack.tools.0.parameters',
    base: { pack: { tools: [{ name: 't' }] } },
  }),
  'promptDeclaration.name': refused('p', 'other', { at: 'pack.prompts.0.name', base: { pack: { prompts: [{}] } } }),
  'promptDeclaration.description': listed(absent, 'Declared', {
    at: 'pack.prompts.0.description',
    base: { pack: { prompts: [{ name: 'p' }] }, prompt: { description: absent, text: 'Hello' } },
  }),
  'promptDeclaration.arguments': refused(absent, ['nobody'], {
    at: 'pack.prompts.0.arguments',
    base: { pack: { prompts: [{ name: 'p' }] } },
  }),
  'schemaDeclaration.name': refused('u', 'other', {
    at: 'pack.schemas.0.name',
    base: { ...shared, pack: { schemas: [{}] } },
  }),
  'schemaDeclaration.description': listed(absent, 'Declared', {
    at: 'pack.schemas.0.description',
    base: { ...shared, pack: { schemas: [{ name: 'u' }] }, tool: { parameters: { a: { $ref: 'schema:u' } } } },
  }),
  'resourceDeclaration.name': refused('r', 'other', {
    at: 'pack.resources.0.name',
    base: { pack: { resources: [{}] } },
  }),
  'resourceDeclaration.description': listed(absent, 'Declared', {
    at: 'pack.resources.0.description',
    base: { pack: { resources: [{ name: 'r' }] }, resource: { description: absent, uri: 'doc://r', text: 'Rules' } },
  }),
  'resourceDeclaration.uri': refused(absent, 'doc://other', {
    at: 'pack.resources.0.uri',
    base: { pack: { resources: [{ name: 'r' }] } },
  }),
};
