// In: the shared schemas of a pack. Out: `generated/schemas.d.ts`, one type for each, and the names that the types of tools use for them.
// Handlers read values, callers and handlers give them: where that makes a difference to a schema, it has a type for each.
import { joinPath } from '../../../runtime/load/folder.js';
import { manifestFile } from '../../../runtime/load/manifest.js';
import type { Program, Schema, Sharing, Tool } from '../../../runtime/load/program.js';
import { type Diagnostic, diagnose, type Site } from '../../../schema/diagnostics.js';
import { type Path, printPath } from '../../../schema/document.js';
import { memberName } from '../../../schema/names.js';
import type { Filling } from '../../../schema/support/validator.js';
import { printHeader } from '../../render/code.js';
import { type PrintedTypes, type PrintTypesOptions, printTypes } from '../types/print-types.js';
import type { SharedForm, SharedTypes } from '../types/scope.js';
import { type Block, type Declarations, joinBlocks, makeDraft } from './block.js';
import { addShape } from './item.js';

/** The types of shared schemas, for those who print the types of a tool. */
export interface SharedDeclarations {
  /** What one schema of a tool refers to. `used` gets the names that are asked for. */
  typesOf(sharing: Sharing | undefined, used: Set<string>): SharedTypes | undefined;
  /** The type that the root of a schema is. */
  rootOf(sharing: Sharing | undefined, form: SharedForm, used: Set<string>): string | undefined;
  print(): Declarations;
  findWidened(): readonly Diagnostic[];
}

/** No item has an underscore inside the names of its own types. */
const prefixes: Readonly<Record<SharedForm, string>> = {
  read: 'Schema_',
  given: 'SchemaGiven_',
  filled: 'SchemaFilled_',
  sent: 'SchemaSent_',
};

/** The form that has the same type, unless something in the schema makes a difference. */
const sameAs: Readonly<Record<SharedForm, SharedForm>> = { read: 'read', given: 'read', filled: 'read', sent: 'given' };

const modes: Readonly<Record<SharedForm, Pick<PrintTypesOptions, 'mode'> & { readonly filling: Filling }>> = {
  read: { mode: 'args', filling: 'never' },
  filled: { mode: 'args', filling: 'always' },
  sent: { mode: 'input', filling: 'always' },
  given: { mode: 'output', filling: 'never' },
};

/**
 * The path of the declarations of shared schemas, relative to the pack.
 *
 * @example schemasFilePath(program) // 'generated/schemas.d.ts'
 */
export function schemasFilePath({ pack }: Program): string {
  return joinPath(pack.generated, 'schemas.d.ts');
}

/** The pack's own, and those of other packs that it uses: each pack has its own types of them, whatever the others generate. */
export function allSchemas({ schemas, foreignSchemas = [] }: Program): readonly Schema[] {
  return [...schemas, ...foreignSchemas];
}

/** Nothing is printed before somebody asks for a name. */
export function openSharedDeclarations(program: Program): SharedDeclarations {
  const byName = new Map(allSchemas(program).map(schema => [schema.item, schema]));
  const different = new Map<SharedForm, ReadonlySet<string>>();

  /** The schemas whose type in a form is not that of `sameAs`. */
  const differing = (form: SharedForm): ReadonlySet<string> => {
    const known = different.get(form);
    if (known !== undefined) return known;
    const own = new Set<string>();
    for (const schema of byName.values())
      if (printAs(schema, form, prefixes.read).text !== printAs(schema, sameAs[form], prefixes.read).text)
        own.add(schema.item);
    const all = new Set([...byName.values()].filter(one => isIn(own, one)).map(({ item }) => item));
    different.set(form, all);
    return all;
  };

  const formOf = (item: string, form: SharedForm): SharedForm =>
    sameAs[form] === form || differing(form).has(item) ? form : formOf(item, sameAs[form]);

  const nameOf = (item: string, form: SharedForm): string => typeName(item, prefixes[formOf(item, form)]);

  const typesOf: SharedDeclarations['typesOf'] = (sharing, used) =>
    sharing === undefined
      ? undefined
      : {
          nameOf: (key, form) => {
            const item = Object.hasOwn(sharing.uses, key) ? sharing.uses[key] : undefined;
            if (item === undefined || !byName.has(item)) return undefined;
            const name = nameOf(item, form);
            used.add(name);
            return name;
          },
        };

  /** What the tools use, and what handlers read of all others. */
  const wanted = (): readonly (readonly [Schema, SharedForm])[] => {
    const forms = new Map([...byName.keys()].map(item => [item, new Set<SharedForm>(['read'])]));
    for (const { filling, sharing } of program.tools) {
      for (const item of itemsOf(sharing?.input)) {
        if (filling.input === 'never') continue;
        forms.get(item)?.add(formOf(item, 'filled'));
        forms.get(item)?.add(formOf(item, filling.input === 'always' ? 'sent' : 'given'));
      }
      for (const item of itemsOf(sharing?.output)) forms.get(item)?.add(formOf(item, 'given'));
    }
    return [...byName.values()].flatMap(schema =>
      [...(forms.get(schema.item) ?? [])].map(form => [schema, form] as const),
    );
  };

  return {
    typesOf,
    rootOf: (sharing, form, used) => {
      if (sharing?.root === undefined || !byName.has(sharing.root)) return undefined;
      const name = nameOf(sharing.root, form);
      used.add(name);
      return name;
    },
    print: () => {
      const blocks = wanted().map(([schema, form]) => makeTypes(schema, form, typesOf(schema, new Set()), nameOf));
      return joinBlocks(schemasFilePath(program), [printHeader(manifestFile), ...blocks]);
    },
    findWidened: () =>
      allSchemas(program).flatMap(schema =>
        printAs(schema, 'read', prefixes.read).widened.map(({ path, reason }) => widened(schema, path, reason)),
      ),
  };
}

function isIn(items: ReadonlySet<string>, { item, refersTo }: Schema): boolean {
  return items.has(item) || refersTo.some(one => items.has(one));
}

function itemsOf(sharing: Sharing | undefined): readonly string[] {
  if (sharing === undefined) return [];
  return [...Object.values(sharing.uses), ...(sharing.root === undefined ? [] : [sharing.root])];
}

function typeName(item: string, prefix: string): string {
  return `${prefix.slice(0, -1)}${sharedTypeEnd(item)}`;
}

/**
 * What the names of a schema's types have in common.
 *
 * @example sharedTypeEnd('issue') // '_Issue'
 * @example sharedTypeEnd('acme/jira/issue') // '_Acme$Jira$Issue'
 */
export function sharedTypeEnd(item: string): string {
  const parts = item.split(/[/#]/).map(part => {
    const member = memberName(part);
    return `${member.charAt(0).toUpperCase()}${member.slice(1)}`;
  });
  return `_${parts.join('$')}`;
}

/** Whether a type is of a schema, or of a part of it, such as `Schema_Issue_Comment`. */
export function isSharedType(name: string, end: string): boolean {
  return Object.values(prefixes).some(prefix => {
    const start = `${prefix.slice(0, -1)}${end}`;
    return name === start || name.startsWith(`${start}_`);
  });
}

/** The type with names that do not tell forms apart. */
function printAs(schema: Schema, form: SharedForm, prefix: string): PrintedTypes {
  return printTypes(schema.schema, {
    ...modes[form],
    name: typeName(schema.item, prefix),
    isAnyValue: true,
    shared: {
      nameOf: key => (Object.hasOwn(schema.uses, key) ? typeName(schema.uses[key] ?? key, prefix) : undefined),
    },
  });
}

function makeTypes(
  schema: Schema,
  form: SharedForm,
  shared: SharedTypes | undefined,
  nameOf: (item: string, form: SharedForm) => string,
): Block {
  const draft = makeDraft();
  draft.add('\n');
  addShape(draft, {
    ...modes[form],
    name: nameOf(schema.item, form),
    schema: schema.schema,
    isAnyValue: true,
    shared,
    site: schema.at.site([], 'key'),
    siteOf: (path: Path): Site => schema.site(path, 'key'),
  });
  return draft.finish();
}

function widened(schema: Schema, path: Path, reason: string): Diagnostic {
  const where = printPath(['schema', schema.item, ...path]);
  return diagnose('generate/widened', { path: where, reason }, schema.site(path, 'key'));
}

/** The files of the shared schemas that a tool has, for the positions in its types. */
export function sharedFiles({ sharing }: Tool, program: Program): readonly string[] {
  if (sharing === undefined) return [];
  const used = new Set([...itemsOf(sharing.input), ...itemsOf(sharing.output)]);
  return allSchemas(program)
    .filter(({ item }) => used.has(item))
    .map(({ file }) => file);
}
