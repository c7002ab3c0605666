// In: an item without code. Out: what does its work, made once: a function of arguments and a call.
import { callKindOf, configOfItem, readHttpCall } from '../../../schema/backend/calls.js';
import type { FillValues } from '../../../schema/backend/fill.js';
import type { ResourceDefinition, ToolDefinition } from '../../../schema/definitions.js';
import { configMissing } from '../../call/context/capabilities.js';
import type { ItemWork } from '../../call/ports.js';
import type { Program, Prompt, Resource, Tool } from '../../load/program.js';
import { mask } from '../mask.js';
import type { CallScope } from '../ports.js';
import { explainUnfit } from '../scalar.js';
import type { OpenBackends } from './open-backends.js';

/** The same, of values that placeholders stand for. */
export interface FilledWork {
  /** What it gives, or a promise of it. */
  run(values: FillValues, call: CallScope): unknown;
  preview(values: FillValues, call: Pick<CallScope, 'uri'>): string;
}

/** Nothing is started before the first call. */
export async function makeWork(
  item: Tool | Prompt | Resource,
  program: Program,
  backends: OpenBackends,
): Promise<ItemWork> {
  const { name, definition } = item;
  const kind = callKindOf(definition as Readonly<Record<string, unknown>>);
  if (kind === undefined) throw new Error(`nothing does the work of ${name}`);
  const work = await openWork();
  const { values: config } = backends.scope.settings;
  const needed = configOfItem({ ...definition }, program.pack.backends);
  const missing = needed.filter(key => !Object.hasOwn(config, key) || config[key] === '');
  const valuesOf = (args: unknown): FillValues => ({ args: args as FillValues['args'], config });
  // By their keys: a secret of few characters is not looked for in texts. What is not set stays a placeholder, and is named at the end.
  const secrets = Object.entries(program.pack.config).filter(
    ([key, { secret }]) => secret && Object.hasOwn(config, key),
  );
  const shownConfig = {
    ...config,
    ...Object.fromEntries(secrets.map(([key]) => [key, mask])),
    ...Object.fromEntries(missing.map(key => [key, `{config.${key}}`])),
  };
  const told = missing.length === 0 ? '' : `\n\nnot set: ${missing.join(', ')}`;
  return {
    run(args, scope) {
      if (missing.length > 0) throw configMissing(name, missing, program);
      backends.heard(scope);
      try {
        const returned = work.run(valuesOf(args), scope);
        return returned instanceof Promise ? returned.catch(fail) : returned;
      } catch (thrown) {
        return fail(thrown);
      }
    },
    preview(args, scope) {
      try {
        const { args: values } = valuesOf(args);
        return `${work.preview({ args: values, config: shownConfig }, scope)}${told}`;
      } catch (thrown) {
        throw explainUnfit(thrown);
      }
    },
  };

  function fail(thrown: unknown): never {
    throw explainUnfit(thrown);
  }

  async function openWork(): Promise<FilledWork> {
    const { http, sql, exec, mcp } = definition as ToolDefinition & ResourceDefinition;
    // Reading a resource changes nothing.
    const isRead = item.kind === 'resource' || (definition as ToolDefinition).effect === 'read';
    if (http !== undefined) {
      const { httpWork } = await import('./http-work.js');
      return httpWork(readHttpCall(http), isRead, await backends.http(http));
    }
    if (sql !== undefined) {
      const { sqlWork } = await import('./sql-work.js');
      return sqlWork(sql, isRead, await backends.of('sql', sql));
    }
    if (mcp !== undefined) {
      const { mcpWork } = await import('./mcp-work.js');
      return mcpWork(item, mcp, await backends.of('mcp', mcp));
    }
    if (exec === undefined) throw new Error(`nothing does the work of ${name}`);
    const { execWork } = await import('./exec-work.js');
    return execWork(exec, backends.scope);
  }
}
