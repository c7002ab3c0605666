// The generated pages of docs/reference are complete: what the program has, they have.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../cli/commands.js';
import { exitCodes } from '../../cli/terminal/exit-codes.js';
import * as generator from '../../generator/index.js';
import * as toolwright from '../../runtime/index.js';
import * as testing from '../../runtime/server/testing/index.js';
import { codes } from '../../schema/codes.js';
import * as support from '../../schema/support.js';
import { foreignVariables, ownVariables } from '../../schema/variables.js';

const page = (name: string): string =>
  readFileSync(new URL(`../../docs/reference/${name}.md`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');

/** Section by heading. */
function sectionsOf(text: string, level: string): ReadonlyMap<string, string> {
  const parts = text.split(new RegExp(`^${level} `, 'm')).slice(1);
  return new Map(parts.map(part => [part.slice(0, part.indexOf('\n')), part]));
}

describe('generated pages of the reference', () => {
  it('Q4 the page of the API has every export that can be imported, with its signature and an example', () => {
    const sections = sectionsOf(page('api'), '###');
    const exported = [toolwright, generator, support, testing].flatMap(module => Object.keys(module));
    expect(exported.length).toBeGreaterThan(20);
    expect(exported.filter(name => !sections.get(name)?.includes(`import { ${name} } from 'toolwright`))).toEqual([]);
    expect(exported.filter(name => !sections.get(name)?.includes('\nExample:\n'))).toEqual([]);
    const shown = [...sections].filter(([, text]) => text.includes('\nimport { ')).map(([name]) => name);
    expect(shown.filter(name => !exported.includes(name))).toEqual([]);
  });

  it('Q4 the page of diagnostics has every code once, in a group, with its severity, cause and fix', () => {
    const sections = sectionsOf(page('diagnostics'), '###');
    expect([...sections.keys()].sort()).toEqual(Object.keys(codes).sort());
    const poor = [...sections].filter(([, text]) => !/\n\*(?:error|warning|info)\* - \S.*\n\n\S/.test(text));
    expect(poor.map(([code]) => code)).toEqual([]);
  });

  it('Q4 no page has words in angle brackets that a viewer of Markdown would take for HTML', () => {
    const names = [
      'pack',
      'server',
      'tool',
      'prompt',
      'resource',
      'overlay',
      'commands',
      'diagnostics',
      'context',
      'api',
    ];
    const found = names.flatMap(name => {
      const prose = page(name).replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
      return [...prose.matchAll(/(?<!\\)<\w[^>\n]*>/g)].map(([text]) => `${name}: ${text}`);
    });
    expect(found).toEqual([]);
  });

  it('Q4 the pages of commands, variables and exit codes have every row of their tables', () => {
    const shown = commands.filter(({ isHidden }) => isHidden !== true).map(({ name }) => name);
    expect([...sectionsOf(page('commands'), '##').keys()]).toEqual(shown);
    const environment = page('environment');
    expect([...ownVariables, ...foreignVariables].filter(({ name }) => !environment.includes(name))).toEqual([]);
    const codesPage = page('exit-codes');
    expect(exitCodes.filter(({ code, name }) => !codesPage.includes(`| ${code} | ${name} |`))).toEqual([]);
  });

  it('Q4 the page of the context has the members of every handler, with types that are explained', () => {
    const sections = sectionsOf(page('context'), '###');
    for (const name of ['app', 'config', 'signal', 'elicit', 'sample', 'once', 'progress', 'call', 'uri'])
      expect(sections.has(`\`ctx.${name}\``)).toBe(true);
    for (const name of ['Log', 'Client', 'ElicitAnswer', 'SampleRequest']) expect(sections.has(name)).toBe(true);
  });
});
