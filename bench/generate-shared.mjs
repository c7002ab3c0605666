// In: a folder and the command. Out: what sharing schemas (X1) costs `generate`: 1,000 tools with 50 schemas between them, against the
// same tools with the schemas written out, and the size of the declarations of the shared ones.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTools, writePack } from './make-pack.mjs';
import { measure, ratio } from './measure.mjs';
import { requirement } from './print.mjs';

const tools = 1000;
const schemas = 50;

export function measureShared(folder, cli, rounds) {
  const packs = { shared: makePack(join(folder, 'shared'), true), unshared: makePack(join(folder, 'unshared'), false) };
  const contenders = Object.entries(packs).map(([id, pack]) => {
    const cache = join(folder, `cache-${id}`);
    return {
      id,
      args: [cli, 'generate', pack],
      env: { TOOLWRIGHT_CACHE: cache },
      before: () => {
        for (const path of [cache, join(pack, 'generated'), join(pack, 'src')])
          rmSync(path, { recursive: true, force: true });
      },
      expect: ' created',
    };
  });
  console.error(`measuring ${tools} tools that share ${schemas} schemas ...`);
  const runs = measure(contenders, rounds);
  const [shared, unshared] = ['shared', 'unshared'].map(id => runs.get(id));
  const written = join(packs.shared, 'mcp/schemas');
  const bytes = readdirSync(written).reduce((sum, name) => sum + statSync(join(written, name)).size, 0);
  const declared = statSync(join(packs.shared, 'generated/schemas.d.ts')).size;
  rmSync(folder, { recursive: true, force: true });
  return [
    requirement(
      `1,000 tools that share ${schemas} schemas: cold generate, against the same without sharing`,
      1,
      ratio(shared, unshared, 'ms'),
      `CPU ${ratio(shared, unshared, 'cpuMs').toFixed(2)}`,
    ),
    requirement('their declarations, against the size of the schemas', 1.3, declared / bytes),
  ];
}

/** Each tool takes one of the schemas, by reference or written out. */
function makePack(home, isShared) {
  const bodies = [...makeTools(schemas, 'plain').values()].map(toSchema);
  const users = [...makeTools(tools, 'plain')].map(([name, { parameters: _, ...tool }], index) => {
    const what = isShared ? { $ref: `schema:body-${index % schemas}` } : bodies[index % schemas];
    return [name, { ...tool, inputSchema: { type: 'object', properties: { what }, required: ['what'] } }];
  });
  const pack = writePack(home, new Map(users), { layout: 'per-item', format: 'yaml' });
  writeFileSync(join(pack, 'package.json'), '{"private": true, "type": "module"}\n');
  if (!isShared) return pack;
  mkdirSync(join(pack, 'mcp/schemas'));
  for (const [number, body] of bodies.entries())
    writeFileSync(join(pack, `mcp/schemas/body-${number}.json`), JSON.stringify(body, null, 2));
  return pack;
}

/** The parameters of a tool as one JSON Schema. */
function toSchema({ parameters }) {
  const plain = Object.entries(parameters).map(([name, { required: _, ...schema }]) => [name, schema]);
  const required = Object.keys(parameters).filter(name => parameters[name].required !== false);
  return { type: 'object', properties: Object.fromEntries(plain), required };
}
