// I5, I6: what could be a secret gets neither into files nor into messages.
import { describe, expect, it } from 'vitest';
import { importServer } from '../../../generator/import/server/import-server.js';
import { findSecrets, isSecretName } from '../../../generator/import/server/secrets.js';
import { startOf } from '../../../schema/diagnostics.js';
import { capture, codesOf, importOf } from './server-kit.js';

const site = startOf('server');

describe('secrets of a server', () => {
  it.each([
    [['x', '--token=abc'], 'word 2 looks like the value of token'],
    [['x', '--api-key', 'abc'], 'word 3 looks like the value of --api-key'],
    [['x', '--apiKey=abc'], 'word 2 looks like the value of apiKey'],
    [['env', 'GITHUB_TOKEN=abc', 'x'], 'word 2 looks like the value of GITHUB_TOKEN'],
    [['x', 'sk-abcdefghij0123456789'], 'word 2 looks like a token'],
    [['x', '--flag=sk-ant-api03-abcdefghij0123456789'], 'word 2 looks like a token'],
    [['x', 'ghp_abcdefghijklmnopqrst0123456789'], 'word 2 looks like a token of GitHub'],
    [['x', 'postgres://me:hunter2@localhost/db'], 'word 2 looks like an address with a password'],
    [['x', '-e', 'Authorization: Bearer abcdefgh12'], 'word 3 looks like credentials'],
    [['docker', 'run', '-e', 'PASSWORD=abc'], 'word 4 looks like the value of PASSWORD'],
  ])('I5: %j is refused', (command, message) => {
    expect(codesOf(findSecrets({ command }, site))).toEqual([`import/secret-word: ${message}`]);
    const imported = importServer([capture({ tools: [] })], { place: { command }, proxy: true });
    expect([imported.items, imported.backends, imported.diagnostics.length]).toEqual([[], {}, 1]);
    expect(JSON.stringify(imported)).not.toMatch(/hunter2|=abc|sk-a|ghp_a|abcdefgh12/);
  });

  it.each([
    [['npx', '-y', '@playwright/mcp', '--caps=vision', '--headless']],
    [['x', '--no-auth']],
    [['x', '--auth', '--port', '3']],
    [['x', '--max-tokens=1000']],
    [['x', '--token=${TOKEN}']],
    [['x', '--token-file=/run/secrets/x']],
    [['x', 'https://example.com/path']],
    [['x', '--keyboard=de']],
    [['x', 'sk-learn', 'monkey=1', '/home/me/key.pem']],
  ])('I5: %j is fine', command => {
    expect(codesOf(findSecrets({ command }, site))).toEqual([]);
  });

  it.each([
    'API_KEY',
    'GITHUB_TOKEN',
    'githubToken',
    'DB_PASSWORD',
    'NOTION_TOKEN',
    'OPENAPI_MCP_HEADERS',
    'DATABASE_URL',
    'client-secret',
  ])('I5: %s is the name of a secret', name => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['PORT', 'HOME', 'KEYBOARD', 'MONKEY', 'MEMORY_FILE_PATH', 'AUTHOR', 'TOKENIZER', 'READ_ONLY'])(
    'I5: %s is not',
    name => {
      expect(isSecretName(name)).toBe(false);
    },
  );

  it('I5: variables and tokens are keys of the configuration, and only named in the backend', () => {
    const ofCommand = importOf({}, { proxy: true, env: ['API_TOKEN', 'WORK_DIR'] });
    expect(ofCommand.config).toEqual({ API_TOKEN: { type: 'string', secret: true }, WORK_DIR: { type: 'string' } });
    expect(ofCommand.backends).toEqual({
      play: {
        type: 'mcp',
        command: ['npx', '-y', 'play'],
        env: { API_TOKEN: '{config.API_TOKEN}', WORK_DIR: '{config.WORK_DIR}' },
      },
    });
    const ofAddress = importOf({}, { proxy: true, place: { url: 'https://example.com/{mcp}' }, bearer: 'MY_TOKEN' });
    expect(ofAddress.config).toEqual({ MY_TOKEN: { type: 'string', secret: true } });
    expect(ofAddress.backends).toEqual({
      play: { type: 'mcp', url: 'https://example.com/{{mcp}}', auth: { bearer: 'MY_TOKEN' } },
    });
  });
});
