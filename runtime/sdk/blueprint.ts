// In: a surface. Out: everything that the SDK servers over it share, since 2026-07-28 makes one for every HTTP request.
import type { Implementation, McpServerOptions, ServerCapabilities } from '@modelcontextprotocol/server';
import type { CacheHints } from '../../schema/definitions.js';
import type { Notify } from '../../schema/support/mcp/client.js';
import { notifyOf } from '../call/notify-of.js';
import { capabilitiesOf } from '../protocol/make-handshake.js';
import { mostRounds } from '../protocol/questions.js';
import { InFlight } from '../protocol/request.js';
import { RareReport } from '../surface/rare-report.js';
import type { Surface } from '../surface/surface.js';

export interface CacheFields {
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';
}

export interface Blueprint {
  readonly surface: Surface;
  readonly info: Implementation;
  readonly capabilities: ServerCapabilities;
  readonly options: McpServerOptions;
  /** Goes into lists of 2026-07-28. */
  readonly listCache: CacheFields;
  readonly notify: Notify;
  readonly calls: InFlight;
  /** For what clients can make happen as often as they like. */
  readonly rareReport: RareReport;
}

/** Answers to questions are checked by the calls, which know their schemas. */
const noValidator: NonNullable<McpServerOptions['jsonSchemaValidator']> = {
  getValidator: () => input => ({ valid: true, data: input as never, errorMessage: undefined }),
};

export function toCacheFields(cache: CacheHints | undefined): CacheFields {
  return {
    ...(cache?.ttlMs !== undefined && { ttlMs: cache.ttlMs }),
    ...(cache?.scope !== undefined && { cacheScope: cache.scope }),
  };
}

export function makeBlueprint(surface: Surface): Blueprint {
  const { info } = surface;
  const listCache = toCacheFields(surface.cache);
  let options: McpServerOptions = {
    cacheHints: { 'server/discover': listCache },
    jsonSchemaValidator: noValidator,
    // A tool may ask more often than the SDK expects; each question waits for a person.
    inputRequired: { maxRounds: mostRounds },
    instructions: '',
  };
  return {
    surface,
    // Undefined members would be left out of JSON anyway; the SDK's types want them absent.
    info: JSON.parse(JSON.stringify(info)) as Implementation,
    capabilities: capabilitiesOf(surface),
    get options() {
      // Tools that come and go may change them.
      if (options.instructions !== surface.instructions) options = { ...options, instructions: surface.instructions };
      return options;
    },
    listCache,
    notify: notifyOf(surface),
    calls: new InFlight(),
    rareReport: new RareReport(text => surface.services.report(text)),
  };
}
