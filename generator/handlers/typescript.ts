// TypeScript's own parser, the one that ts-morph brings: half a second to load, so that only those who need it do.
import type { ts } from 'ts-morph';

export type TypeScript = typeof ts;

export async function loadTypeScript(): Promise<TypeScript> {
  return (await import('ts-morph')).ts;
}
