// Tools and resources that are a statement, as clients call them.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../runtime/index.js';
import { createTestClient } from '../../../../runtime/server/testing/index.js';
import { writeFolder } from '../../packs/code-packs.js';

interface Opened {
  exec(text: string): void;
  close(): void;
}

function packOf(files: Readonly<Record<string, object | string>>): string {
  const texts = Object.entries(files).map(([path, one]) => [path, typeof one === 'string' ? one : JSON.stringify(one)]);
  const folder = writeFolder({
    'toolwright.yaml': JSON.stringify({
      name: 'acme/demo',
      backends: { main: { type: 'sqlite', url: 'sqlite:x.db' } },
    }),
    ...Object.fromEntries(texts),
  });
  const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm') as {
    Database: new (path: string) => Opened;
  };
  const database = new Database(join(folder, 'x.db'));
  database.exec(
    "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author TEXT); INSERT INTO books VALUES (1, 'Emma', 'Jane'), (2, 'Persuasion', 'Jane'), (3, 'Dune', 'Frank')",
  );
  database.close();
  return folder;
}

async function invoke(tool: object, args: object): Promise<unknown> {
  const folder = packOf({ 'mcp/tools/t.json': { description: 'The tool', ...tool } });
  const registry = await createRegistry(folder, { env: {}, report: () => undefined });
  try {
    return await registry.invoke('t', args);
  } finally {
    await registry.close();
  }
}

describe('a tool with sql', () => {
  const search = {
    effect: 'read',
    parameters: { author: 'string', order: { type: 'string', enum: ['title', 'id'], default: 'title' } },
    output: { books: { type: 'array', items: { type: 'object', properties: { title: 'string' } } } },
    sql: { text: 'SELECT title FROM books WHERE author = :author ORDER BY {order} DESC' },
  };

  it('B2 values are bound, identifiers come from an enum, and rows are data', async () => {
    expect(await invoke(search, { author: 'Jane' })).toMatchObject({
      ok: true,
      result: { structuredContent: { books: [{ title: 'Persuasion' }, { title: 'Emma' }] } },
    });
    expect(await invoke(search, { author: "x' OR '1'='1" })).toMatchObject({
      ok: true,
      result: { structuredContent: { books: [] } },
    });
    expect(await invoke(search, { author: 'Jane', order: 'title; DROP TABLE books' })).toMatchObject({
      ok: false,
      error: { code: 'BAD_ARGUMENTS' },
    });
  });

  it('B6 no row becomes the declared error that matches it', async () => {
    const one = {
      effect: 'read',
      parameters: { id: 'integer' },
      sql: { text: 'SELECT title FROM books WHERE id = :id', result: 'row' },
      errors: { NO_BOOK: { match: ['NO_ROW'], message: 'There is no book {{id}}', status: 404 } },
    };
    expect(await invoke(one, { id: 1 })).toMatchObject({ ok: true, result: { structuredContent: { title: 'Emma' } } });
    expect(await invoke(one, { id: 9 })).toMatchObject({
      ok: false,
      error: { code: 'NO_BOOK', message: 'There is no book 9', status: 404 },
    });
  });

  it('B2 a list expands after IN, and an argument that is not given is NULL', async () => {
    const many = {
      effect: 'read',
      parameters: { ids: { type: 'array', items: 'integer' }, author: { type: 'string', required: false } },
      sql: {
        text: 'SELECT count(*) FROM books WHERE id IN (:ids) AND (:author IS NULL OR author = :author)',
        result: 'value',
      },
    };
    expect(await invoke(many, { ids: [1, 3] })).toMatchObject({ result: { content: [{ text: '2' }] } });
    expect(await invoke(many, { ids: [1, 3], author: 'Frank' })).toMatchObject({
      result: { content: [{ text: '1' }] },
    });
    expect(await invoke(many, { ids: [] })).toMatchObject({ result: { content: [{ text: '0' }] } });
  });

  it('B2 a tool that reads cannot write, and one that writes says how many rows', async () => {
    const write = { sql: { text: "UPDATE books SET author = 'J' WHERE author = 'Jane'", result: 'count' } };
    expect(await invoke(write, {})).toMatchObject({ ok: true, result: { content: [{ text: '2' }] } });
    expect(await invoke({ ...write, effect: 'read' }, {})).toMatchObject({
      ok: false,
      error: { code: 'UPSTREAM_ERROR' },
    });
  });

  it('B2 a resource is a statement, too', async () => {
    const folder = packOf({
      'mcp/servers/main.json': { description: 'The server' },
      'mcp/resources/r.json': {
        uriTemplate: 'book://{id}',
        mimeType: 'application/json',
        sql: { text: 'SELECT title FROM books WHERE id = :id', result: 'row' },
      },
    });
    const client = await createTestClient(folder);
    expect(JSON.parse((await client.readResource('book://3')).text ?? '')).toEqual({ title: 'Dune' });
    await expect(client.readResource('book://9')).rejects.toThrow('Resource not found: book://9');
    await client.close();
  });
});
