// The registry of the tests, with a real npm client: what the tests of packs rely on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RegistryServer, startRegistry } from '../../harness/registry-server.js';
import { makeUser, type RegistryUser } from '../../harness/registry-user.js';

let registry: RegistryServer;
let user: RegistryUser;

beforeAll(async () => {
  registry = await startRegistry({ token: 'secret' });
  user = makeUser(registry, 'secret');
});
afterAll(async () => {
  await registry.close();
  user.remove();
});

const version = (number: string, more: object = {}): Record<string, string> => ({
  'package.json': JSON.stringify({ name: '@acme/jira', version: number, keywords: ['toolwright-pack'], ...more }),
  'toolwright.yaml': 'servers: []\n',
});

describe('the registry of the tests', () => {
  it('a real npm publishes, searches, shows, installs, tags and upgrades with the registry of the tests', async () => {
    await user.publish(version('1.0.0', { toolwright: { tools: ['a'] } }));
    await user.publish({ 'package.json': '{"name": "plain", "version": "1.0.0"}' });
    await expect(user.publish(version('1.0.0'))).rejects.toThrow(/1\.0\.0/);

    const found = JSON.parse(await user.npm(['search', 'keywords:toolwright-pack', '--json'], user.folder));
    expect(found).toMatchObject([{ name: '@acme/jira', version: '1.0.0' }]);
    expect(JSON.parse(await user.npm(['view', '@acme/jira', 'toolwright', '--json'], user.folder))).toEqual({
      tools: ['a'],
    });

    const app = user.write('app', { 'package.json': '{"name": "app"}' });
    const installed = (): string =>
      JSON.parse(readFileSync(join(app, 'node_modules/@acme/jira/package.json'), 'utf8')).version;
    await user.npm(['install', '@acme/jira'], app);
    expect(installed()).toBe('1.0.0');
    expect(readFileSync(join(app, 'package-lock.json'), 'utf8')).toContain('sha512-');

    await user.publish(version('1.1.0'));
    await user.publish(version('2.0.0-rc.1'), '--tag', 'next');
    await user.npm(['dist-tag', 'add', '@acme/jira@1.0.0', 'old'], app);
    expect(JSON.parse(await user.npm(['view', '@acme/jira', 'dist-tags', '--json'], app))).toEqual({
      latest: '1.1.0',
      next: '2.0.0-rc.1',
      old: '1.0.0',
    });
    await user.npm(['update'], app);
    expect(installed()).toBe('1.1.0');
    await expect(user.npm(['view', '@acme/nothing', '--json'], app)).rejects.toThrow(/404/);
  });

  it('the registry of the tests refuses users without a token, and fails on request', async () => {
    const stranger = makeUser(registry, 'wrong');
    await expect(stranger.npm(['view', 'plain'], stranger.folder)).rejects.toThrow(/401/);
    stranger.remove();
    registry.failWith(503);
    await expect(user.npm(['view', 'plain', '--prefer-online'], user.folder)).rejects.toThrow(/503/);
    registry.failWith(undefined);
    expect(await user.npm(['view', 'plain', 'name'], user.folder)).toBe('plain\n');
  });
});
