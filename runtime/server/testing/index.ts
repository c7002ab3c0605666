/// <reference lib="esnext.disposable" preserve="true" />
// `toolwright/testing`: a pack's server in the process of its author's tests.
import type { PackSource } from '../../packs/open-pack.js';
import type { TestClient, TestClientOptions } from './test-client.js';

export type { TaskStatus } from '../../tasks/status.js';
export type {
  TestCall,
  TestClient,
  TestClientOptions,
  TestPrompt,
  TestResource,
} from './test-client.js';
export type { TestTask, TestTaskOptions, TestTaskState } from './test-task.js';

/**
 * Opens a server of a pack in this process, for tests with vitest, node:test or anything else. Calls go through everything
 * that a client's calls go through: arguments are checked, repaired and filled, results checked, cleaned and cut. Messages
 * of unexpected errors are part of results. A pack with mistakes is a DefinitionError that tells them all.
 *
 * @example
 * import { createTestClient } from 'toolwright/testing';
 * import type { Tool_Calls } from './generated/index.js';
 *
 * const client = await createTestClient<Tool_Calls>('.', {
 *   env: { JIRA_TOKEN: 'test' },
 *   app: { jira: { get: async (key: string) => ({ key, summary: 'Login fails' }) } },
 *   elicit: () => ({ action: 'accept', content: { size: 'M' } }),
 * });
 * const answer = await client.call('get-issue', { issueKey: 'PROJ-1' });
 * expect(answer).toMatchObject({ ok: true, value: { summary: 'Login fails' } });
 * await client.close();
 */
export async function createTestClient<Calls = unknown>(
  pack: PackSource,
  options: TestClientOptions = {},
): Promise<TestClient<Calls>> {
  const { openTestClient } = await import('./open-test-client.js');
  // The types of calls are the author's word: they were made from the same manifests.
  return (await openTestClient(pack, options)) as TestClient<Calls>;
}
