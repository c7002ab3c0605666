// Lets the conformance suite load on Node 20: it imports fs.globSync, which came with Node 22, for a command that we do
// not run. `node --import ./scripts/conformance-hook.mjs <cli>`.
import { register } from 'node:module';

const hook = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/conformance/dist/index.js')) return loaded;
  const source = String(loaded.source);
  const [found, local] = /\\bglobSync as (\\w+),?/.exec(source) ?? [];
  if (found === undefined) return loaded;
  return { ...loaded, source: source.replace(found, '').replace(/^(#!.*\\n)?/, '$1const ' + local + ' = () => [];') };
}`;
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 22) register(`data:text/javascript,${encodeURIComponent(hook)}`);
