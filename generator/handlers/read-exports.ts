// In: modules of a pack. Out: what stands behind one of their exports, followed through re-exports from file to file.

import { syntaxHint } from '../../runtime/call/handlers/explain-failure.js';
import { type Modules, reasonOf } from '../../runtime/call/handlers/find-handler.js';
import { type Diagnostic, diagnose, type Site } from '../../schema/diagnostics.js';
import { makeLines } from '../../schema/parse/lines.js';
import type { Parser } from './bind-sources.js';
import { generatedUses, type MemberUse } from './generated-uses.js';
import { type ModuleExports, moduleExports } from './module-exports.js';

/** `tools.getIssue`, and where it is written. */
export interface PlacedMember extends Pick<MemberUse, 'collection' | 'member'> {
  readonly site: Site;
}

export type Lookup =
  | { readonly found: 'value'; readonly made?: PlacedMember }
  | { readonly found: 'type' }
  /** `names`: what the module does export and can be called. */
  | { readonly found: 'nothing'; readonly names: readonly string[] }
  /** It comes from another package, or is only known when the module runs. */
  | { readonly found: 'unknown' }
  | { readonly found: 'broken'; readonly diagnostic: Diagnostic };

interface ReadModule extends ModuleExports {
  readonly members: readonly PlacedMember[];
  readonly problem?: Diagnostic;
  place(member: MemberUse): PlacedMember;
  site(node: { getStart(): number; getEnd(): number }): Site;
}

export interface ExportReader {
  /** Parses many modules at once, which costs far less than one by one. */
  read(paths: readonly string[]): void;
  lookUp(path: string, name: string): Lookup;
  /** Every use of an item in a module. */
  members(path: string): readonly PlacedMember[];
  /** The items that exports of the module are made by. */
  made(path: string): readonly PlacedMember[];
}

export function createExportReader({ ts, bind }: Parser, modules: Modules, generated: string): ExportReader {
  const known = new Map<string, ReadModule>();

  function read(paths: readonly string[]): void {
    const texts = new Map<string, string>();
    for (const path of paths) {
      if (known.has(path)) continue;
      try {
        texts.set(path, modules.text(path));
      } catch (error) {
        known.set(path, unreadable(path, reasonOf(error)));
      }
    }
    if (texts.size === 0) return;
    const bound = bind(texts);
    for (const [path, text] of texts) {
      const file = bound.file(path);
      if (file === undefined) continue;
      const lines = makeLines(path, text);
      const site: ReadModule['site'] = node => lines.siteOf({ start: node.getStart(), end: node.getEnd() });
      const place: ReadModule['place'] = ({ collection, member, node }) => ({ collection, member, site: site(node) });
      const uses = generatedUses(file, { ts, checker: bound.checker, generated, path });
      const members = uses.flatMap(use => (use.what === 'member' ? [use] : []));
      const [problem] = bound.problems(path);
      known.set(path, {
        ...moduleExports(file, { ts, checker: bound.checker, members }),
        members: members.map(place),
        place,
        site,
        ...(problem === undefined ? {} : { problem: unparsable(problem.start, problem.length, problem.messageText) }),
      });

      function unparsable(
        start: number,
        length: number,
        message: Parameters<typeof ts.flattenDiagnosticMessageText>[0],
      ) {
        const reason = ts.flattenDiagnosticMessageText(message, '\n');
        const place = lines.siteOf({ start, end: start + length });
        return diagnose('generate/unimportable', { path, reason }, place, { hint: syntaxHint(place) });
      }
    }
  }

  function open(path: string): ReadModule {
    read([path]);
    return known.get(path) ?? unreadable(path, 'it is gone');
  }

  function lookUp(path: string, name: string, seen: ReadonlySet<string> = new Set()): Lookup {
    const here = open(path);
    const key = `${path}#${name}`;
    if (seen.has(key)) return { found: 'nothing', names: [] };
    const next = new Set([...seen, key]);
    const exported = here.exports.get(name);
    switch (exported?.from) {
      case 'here':
        return exported.made === undefined ? { found: 'value' } : { found: 'value', made: here.place(exported.made) };
      case 'module':
        return follow(exported.specifier, exported.name, here.site(exported.node));
      case 'types':
        return { found: 'type' };
      case undefined:
        break;
      default:
        exported satisfies never;
    }
    // `export *` leaves the default export out.
    const stars = name === 'default' ? [] : here.stars;
    const found = stars.map(({ specifier, node }) => follow(specifier, name, here.site(node)));
    const usable = found.find(one => one.found === 'value') ?? found.find(one => one.found !== 'nothing');
    if (usable !== undefined) return usable;
    // What the parser could not read may be just what is missed.
    if (here.problem !== undefined) return { found: 'broken', diagnostic: here.problem };
    if (here.isOpen) return { found: 'unknown' };
    const inner = found.flatMap(one => (one.found === 'nothing' ? one.names : []));
    return { found: 'nothing', names: [...namesOf(here), ...inner] };

    function follow(specifier: string, wanted: string, site: Site): Lookup {
      const target = modules.resolve(specifier, path);
      if (target === undefined) return { found: 'unknown' };
      if (target.found === 'module') return lookUp(target.path, wanted, next);
      const reason = target.found === 'unusable' ? target.reason : 'there is no such file';
      return { found: 'broken', diagnostic: diagnose('generate/unimportable', { path: specifier, reason }, site) };
    }
  }

  return {
    read,
    lookUp: (path, name) => lookUp(path, name),
    members: path => open(path).members,
    made: path => {
      const here = open(path);
      return [...here.exports.values()].flatMap(one =>
        one.from === 'here' && one.made !== undefined ? [here.place(one.made)] : [],
      );
    },
  };
}

function namesOf({ exports }: ModuleExports): readonly string[] {
  return [...exports].flatMap(([name, one]) =>
    one.from === 'types' || (one.from === 'here' && one.isNoHandler) ? [] : [name],
  );
}

function unreadable(path: string, reason: string): ReadModule {
  const site = { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    exports: new Map(),
    stars: [],
    isOpen: false,
    members: [],
    problem: diagnose('generate/unimportable', { path, reason }, site),
    place: ({ collection, member }) => ({ collection, member, site }),
    site: () => site,
  };
}
