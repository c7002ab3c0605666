// The tools of the graph. Results that are lists have their own text beside the data: the list, for people to read.
import { text } from 'toolwright';
import { resources, tools } from '../generated/index.js';
import { type Graph, type Relation, toEntity, toRelation } from './graph.js';

const address = 'memory://knowledge-graph';
const pretty = (value: unknown): { content: ReturnType<typeof text>[] } => ({
  content: [text(JSON.stringify(value, null, 2))],
});
const isSame = (one: Relation, other: Relation): boolean =>
  one.from === other.from && one.to === other.to && one.relationType === other.relationType;

export const createEntities = tools.createEntities(async ({ entities }, ctx) => {
  const added = await ctx.app.change(graph => {
    const news = entities.filter(({ name }) => !graph.entities.some(known => known.name === name)).map(toEntity);
    graph.entities.push(...news);
    return news;
  });
  ctx.notify.resourceUpdated(address);
  return { ...pretty(added), structuredContent: { entities: added } };
});

export const createRelations = tools.createRelations(async ({ relations }, ctx) => {
  const added = await ctx.app.change(graph => {
    const news = relations.filter(one => !graph.relations.some(known => isSame(known, one))).map(toRelation);
    graph.relations.push(...news);
    return news;
  });
  ctx.notify.resourceUpdated(address);
  return { ...pretty(added), structuredContent: { relations: added } };
});

export const addObservations = tools.addObservations(async ({ observations }, ctx) => {
  const results = await ctx.app.change(graph =>
    observations.map(({ entityName, contents }) => {
      const entity = graph.entities.find(({ name }) => name === entityName);
      if (entity === undefined) throw ctx.errors.ENTITY_NOT_FOUND(`Entity with name ${entityName} not found`);
      const addedObservations = contents.filter(content => !entity.observations.includes(content));
      entity.observations.push(...addedObservations);
      return { entityName, addedObservations };
    }),
  );
  ctx.notify.resourceUpdated(address);
  return { ...pretty(results), structuredContent: { results } };
});

export const deleteEntities = tools.deleteEntities(async ({ entityNames }, ctx) => {
  await ctx.app.change(graph => {
    graph.entities = graph.entities.filter(({ name }) => !entityNames.includes(name));
    graph.relations = graph.relations.filter(
      ({ from, to }) => !entityNames.includes(from) && !entityNames.includes(to),
    );
  });
  ctx.notify.resourceUpdated(address);
  return { success: true, message: 'Entities deleted successfully' };
});

export const deleteObservations = tools.deleteObservations(async ({ deletions }, ctx) => {
  await ctx.app.change(graph => {
    for (const { entityName, observations } of deletions) {
      const entity = graph.entities.find(({ name }) => name === entityName);
      if (entity !== undefined) entity.observations = entity.observations.filter(one => !observations.includes(one));
    }
  });
  ctx.notify.resourceUpdated(address);
  return { success: true, message: 'Observations deleted successfully' };
});

export const deleteRelations = tools.deleteRelations(async ({ relations }, ctx) => {
  await ctx.app.change(graph => {
    graph.relations = graph.relations.filter(known => !relations.some(one => isSame(known, one)));
  });
  ctx.notify.resourceUpdated(address);
  return { success: true, message: 'Relations deleted successfully' };
});

export const readGraph = tools.readGraph(async (_, ctx) => shown(await ctx.app.read()));

export const searchNodes = tools.searchNodes(async ({ query }, ctx) => {
  const has = (part: string): boolean => part.toLowerCase().includes(query.toLowerCase());
  return shown(
    around(await ctx.app.read(), ({ name, entityType, observations }) => [name, entityType, ...observations].some(has)),
  );
});

export const openNodes = tools.openNodes(async ({ names }, ctx) =>
  shown(around(await ctx.app.read(), ({ name }) => names.includes(name))),
);

export const graphResource = resources.knowledgeGraph(async (_, ctx) => JSON.stringify(await ctx.app.read(), null, 2));

const shown = (graph: Graph) => ({ ...pretty(graph), structuredContent: graph });

/** Some entities, with every relation that one of them has: so that a reader finds their neighbours. */
function around({ entities, relations }: Graph, isWanted: (entity: Graph['entities'][number]) => boolean): Graph {
  const found = entities.filter(isWanted);
  const names = new Set(found.map(({ name }) => name));
  return { entities: found, relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
}
