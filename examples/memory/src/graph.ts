// The graph on disk: one JSON object a line, entities before relations.
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../generated/index.js';

export interface Entity {
  readonly name: string;
  readonly entityType: string;
  observations: string[];
}

export interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

export interface Graph {
  entities: Entity[];
  relations: Relation[];
}

export interface GraphFile {
  read(): Promise<Graph>;
  /** Changes are made one after the other, so that none is lost. */
  change<T>(edit: (graph: Graph) => T): Promise<T>;
}

export function openGraph({ config }: { readonly config: Config }): GraphFile {
  const path = resolve(config.MEMORY_FILE_PATH);
  let last: Promise<unknown> = Promise.resolve();

  async function read(): Promise<Graph> {
    const lines = (await readFile(path, 'utf8').catch(emptyIfMissing)).split('\n').filter(line => line.trim() !== '');
    const items = lines.map(line => JSON.parse(line) as { type: string } & Entity & Relation);
    return {
      entities: items.filter(({ type }) => type === 'entity').map(toEntity),
      relations: items.filter(({ type }) => type === 'relation').map(toRelation),
    };
  }

  /** Beside, then renamed: a reader sees the old graph or the new one. */
  async function write({ entities, relations }: Graph): Promise<void> {
    const lines = [
      ...entities.map(entity => ({ type: 'entity', ...toEntity(entity) })),
      ...relations.map(relation => ({ type: 'relation', ...toRelation(relation) })),
    ].map(item => JSON.stringify(item));
    const beside = `${path}.${randomUUID()}.tmp`;
    try {
      await writeFile(beside, lines.join('\n'));
      await rename(beside, path);
    } finally {
      await rm(beside, { force: true });
    }
  }

  return {
    read,
    change<T>(edit: (graph: Graph) => T): Promise<T> {
      const run = last.then(async () => {
        const graph = await read();
        const result = edit(graph);
        await write(graph);
        return result;
      });
      last = run.catch(() => {});
      return run;
    },
  };
}

/** Only what belongs to an entity, whatever else the caller sent. */
export function toEntity({ name, entityType, observations }: Given): Entity {
  return { name, entityType, observations: [...observations] };
}

export function toRelation({ from, to, relationType }: Relation): Relation {
  return { from, to, relationType };
}

type Given = Omit<Entity, 'observations'> & { readonly observations: readonly string[] };

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
