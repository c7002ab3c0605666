// Files that people and GitHub read: that they are well formed, and that what they say of the project is true.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../cli/commands.js';
import { isMap } from '../../schema/document.js';
import { version } from '../../schema/version.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter(name => name !== 'config.yml');

/** What GitHub knows as parts of an issue form, and what each must say. */
const labelled = ['textarea', 'input', 'dropdown', 'checkboxes'];

describe('the templates of issues and pull requests', () => {
  it.each(forms)('the issue form %s has what GitHub asks for', name => {
    const form: unknown = parse(read(`.github/ISSUE_TEMPLATE/${name}`));
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String), body: expect.any(Array) });
    const parts: readonly unknown[] = isMap(form) && Array.isArray(form['body']) ? form['body'] : [];
    const ids = parts.flatMap(part => (isMap(part) && part['type'] !== 'markdown' ? [part['id']] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
    for (const part of parts) {
      if (!isMap(part)) throw new Error(`${name} has a part that is not a map`);
      if (part['type'] === 'markdown') expect(part).toMatchObject({ attributes: { value: expect.any(String) } });
      else {
        expect(labelled).toContain(part['type']);
        expect(part).toMatchObject({
          id: expect.stringMatching(/^[\w-]+$/),
          attributes: { label: expect.any(String) },
        });
      }
    }
  });

  it('the workflow runs what .ci/run does, with the oldest Node that is supported', () => {
    const text = read('.github/workflows/ci.yml');
    expect(parse(text)).toMatchObject({
      permissions: { contents: 'read' },
      jobs: { test: { steps: expect.any(Array) } },
    });
    expect(text).toContain('bash .ci/run');
    const { engines } = JSON.parse(read('package.json'));
    expect(engines.node).toBe(`>=${/node-version: "([\d.]+)"/.exec(text)?.[1]}`);
  });

  it('the pull request template names files that exist', () => {
    const named = read('.github/pull_request_template.md').match(/[\w./-]+\.(?:md|ts)\b|docs\/\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    for (const path of named) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  });
});

describe('the pages about the project', () => {
  it('SECURITY.md supports this version, and no page names an address that nobody reads', () => {
    expect(read('SECURITY.md')).toContain(`| ${version.split('.').slice(0, 2).join('.')}.x | yes |`);
    for (const path of ['SECURITY.md', 'CODE_OF_CONDUCT.md', 'CHANGELOG.md'])
      expect(read(path)).not.toMatch(/\w@\w+\.\w/);
  });

  it('CHANGELOG.md fits on a page and names every command', () => {
    const page = read('CHANGELOG.md');
    expect(page.split('\n').length).toBeLessThan(120);
    const names = commands.filter(({ isHidden }) => isHidden !== true).map(({ name }) => name);
    const unnamed = names.filter(name => name !== 'help' && !new RegExp(`\`(?:toolwright )?${name}\\b`).test(page));
    expect(unnamed).toEqual([]);
  });
});
