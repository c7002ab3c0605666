// Calls with junk on both sides: whatever models send and handlers return, a client gets a valid result, exactly one.

import { join } from 'node:path';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { compileValidators } from '../../../runtime/call/compile-validators.js';
import { audio, image, link, resource, text } from '../../../runtime/call/content.js';
import { ToolError } from '../../../runtime/call/tool-error.js';
import { nodeFolder } from '../../../runtime/load/folder.js';
import { load } from '../../../runtime/load/load.js';
import { callTool } from '../../../runtime/surface/call-tool.js';
import type { CallToolResult } from '../../../schema/support/mcp/content.js';
import { goldenFolder, listCases } from '../../generator/compile/golden-generate-cases.js';
import { makeValue } from '../../generator/compile/validators-module.js';
import { makeRandom, type Random } from '../../harness/random.js';
import { errorOf, makeKit, makeRequest } from './call-kit.js';

/** Fails where a client would refuse the result. */
function expectValid(result: CallToolResult): void {
  const sent = JSON.parse(JSON.stringify(result)) as CallToolResult;
  const { structuredContent } = sent;
  // The adapter wraps data that is not an object for the older protocol, whose schema this is.
  const isObject =
    typeof structuredContent === 'object' && structuredContent !== null && !Array.isArray(structuredContent);
  const wrapped =
    structuredContent === undefined || isObject ? sent : { ...sent, structuredContent: { result: structuredContent } };
  expect(CallToolResultSchema.safeParse(wrapped).error?.issues).toBeUndefined();
}

describe('M48 calls with junk', () => {
  it('M48 every tool of the golden cases survives junk as arguments', async () => {
    const seen = { fine: 0, refused: 0 };
    const random = makeRandom(7);
    for (const name of listCases()) {
      const { program } = load(nodeFolder(join(goldenFolder, name, 'in')));
      for (const tool of program?.tools.slice(0, 3) ?? []) {
        const { input } = await compileValidators(tool);
        const kit = makeKit('description: d', { host: { validators: async () => ({ input }) } });
        const served = {
          ...kit.served,
          tool: { ...tool, outputSchema: undefined, definition: {} },
          handler: (args: object) => Object.keys(args),
        };
        for (let turn = 0; turn < 20; turn += 1) {
          const outcome = await callTool(served as never, junk(random), makeRequest(), kit.services);
          if ('asking' in outcome) throw new Error('nobody asked');
          expectValid(outcome.result);
          if (outcome.result.isError !== true) seen.fine += 1;
          else {
            const { code, message } = errorOf(outcome.result);
            seen.refused += 1;
            expect(code, `${name}/${tool.item}: ${message}`).toBe('BAD_ARGUMENTS');
          }
        }
      }
    }
    expect(seen.fine).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(300);
  });

  it('J63 the result is valid whatever a handler returns or throws', async () => {
    const random = makeRandom(11);
    let value: unknown;
    const kits = [
      'description: d',
      'description: d\noutputSchema: {type: object}',
      'description: d\nresult: envelope\nclean: [ansi, repeats]',
    ].map(definition =>
      makeKit(definition, {
        handler: () => {
          if (random.chance(0.1)) throw value;
          return value;
        },
      }),
    );
    const codes = new Map<string, number>();
    for (let turn = 0; turn < 1500; turn += 1) {
      value = makeReturned(random);
      for (const kit of kits) {
        const result = await kit.call();
        expectValid(result);
        const code = result.isError === true && result._meta !== undefined ? errorOf(result).code : 'fine';
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    }
    expect([...codes.keys()].sort()).toEqual(['BAD_OUTPUT', 'JUNK', 'UNEXPECTED_ERROR', 'fine']);
    for (const count of codes.values()) expect(count).toBeGreaterThan(20);
  });

  it('M19 a thousand calls at the same time each get their own answer', async () => {
    const kit = makeKit('{description: d, parameters: {id: integer, how: {type: string}}}', {
      handler: async ({ id, how }) => {
        await new Promise(resolve => setTimeout(resolve, Number(id) % 7));
        if (how === 'throw') throw new ToolError(`no ${id}`);
        return how === 'text' ? `text ${id}` : { id };
      },
    });
    const ways = ['throw', 'text', 'data'];
    const results = await Promise.all(Array.from({ length: 1000 }, (_, id) => kit.call({ id, how: ways[id % 3] })));
    for (const [id, result] of results.entries()) {
      if (id % 3 === 0) expect(errorOf(result).message).toBe(`no ${id}`);
      else if (id % 3 === 1) expect(result.content).toEqual([{ type: 'text', text: `text ${id}` }]);
      else expect(result.structuredContent).toEqual({ id });
    }
  });
});

/** Arguments: mostly objects, sometimes anything, with JSON in strings here and there. */
function junk(random: Random): unknown {
  const value = makeValue(random);
  if (random.chance(0.2)) return value;
  if (random.chance(0.1)) return JSON.stringify(value);
  if (random.chance(0.1)) return undefined;
  const names = ['id', 'name', 'key', 'query', 'limit', 'a', '__proto__'] as const;
  const entries = Array.from({ length: random.below(4) }, () => {
    const member = makeValue(random, 2);
    return [random.pick(names), random.chance(0.2) ? JSON.stringify(member) : member] as const;
  });
  return Object.fromEntries(entries);
}

function makeReturned(random: Random, depth = 0): unknown {
  const inner = (): unknown => makeReturned(random, depth + 1);
  const bytes = new Uint8Array([1, 2, 3]);
  const makers: readonly [() => unknown, ...(() => unknown)[]] = [
    () => makeValue(random),
    () => makeValue(random),
    () => text('hello', { annotations: { priority: 1 } }),
    () => image(bytes, 'image/png'),
    () => audio(bytes, 'audio/wav'),
    () => resource('a://b', { text: 'x' }),
    () => link('a://b', { name: 'b' }),
    () => bytes,
    () => ({ data: bytes, mimeType: random.pick(['image/png', 'audio/wav', 'text/plain', ''] as const) }),
    () => new Date(random.below(1e9)),
    () => new Map<unknown, unknown>([[random.chance(0.8) ? 'key' : 5, depth > 2 ? 1 : inner()]]),
    () => new Set([depth > 2 ? 1 : inner()]),
    () => undefined,
    () => 10n ** 30n,
    () => Symbol('s'),
    () => () => 1,
    () => new Error('returned'),
    () => new ToolError('junk', { code: 'JUNK', meta: { big: 1n } }),
    () => (depth > 2 ? [] : Array.from({ length: random.below(4) }, inner)),
    () => (depth > 2 ? {} : { a: inner(), type: 'text', text: inner() }),
    () => ({ content: depth > 2 ? [] : Array.from({ length: random.below(3) }, inner), isError: random.chance(0.3) }),
    () => ({ content: [text('x')], structuredContent: { a: depth > 2 ? 1 : inner() } }),
    () => {
      const circular: Record<string, unknown> = {};
      circular['self'] = circular;
      return circular;
    },
  ];
  return random.pick(makers)();
}
