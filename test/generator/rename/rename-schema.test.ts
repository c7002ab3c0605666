// X1: shared schemas in `add`, `rename` and `remove`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { planAdd } from '../../../generator/author/plan-add.js';
import { planRemove } from '../../../generator/remove/plan-remove.js';
import { planRename } from '../../../generator/rename/plan-rename.js';
import { applyEdits } from '../../../generator/rename/text-edits.js';
import { nodeFolder } from '../../../runtime/load/folder.js';
import { load } from '../../../runtime/load/load.js';
import { writeFiles } from '../../harness/files.js';
import { memoryFolder } from '../../harness/memory-folder.js';

const files: Readonly<Record<string, string>> = {
  'toolwright.yaml': 'name: acme/jira\nschemas: [issue, user]\n',
  'mcp/schemas/issue.yaml':
    'type: object\nproperties: { parent: { $ref: schema:issue }, owner: { $ref: "schema:user" } }\n',
  'mcp/schemas.yaml': 'user: { type: object, properties: { first: { $ref: schema:acme/jira/issue } } }\n',
  'mcp/tools/t.yaml': 'description: d\nparameters: { a: { $ref: schema:issue } }\noutputSchema: { file: out.json }\n',
  'out.json': '{"$ref": "schema:issue"}\n',
  'generated/schemas.d.ts': 'export interface Schema_Issue {}\nexport interface Schema_IssueX {}\n',
  'src/tools/t.ts': `import { type Schema_Issue, type Schema_IssueX, tools } from '../../generated/index.js';
export default tools.t((args): Schema_Issue => args.a as Schema_IssueX);
`,
};

const folders: string[] = [];

function writePack(pack: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-schema-'));
  folders.push(folder);
  return writeFiles(folder, pack);
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('commands on shared schemas', () => {
  it('X1 `rename` changes the file, the declaration, every reference and the types in code', async () => {
    const folder = memoryFolder(files);
    const plan = await planRename(load(folder), folder, { kind: 'schema', from: 'issue', to: 'ticket' });
    expect(plan.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(plan.moves).toEqual([{ from: 'mcp/schemas/issue.yaml', to: 'mcp/schemas/ticket.yaml' }]);
    expect(Object.fromEntries(plan.edits.map(edit => [edit.path, applyEdits(edit)]))).toEqual({
      'toolwright.yaml': 'name: acme/jira\nschemas: [ticket, user]\n',
      'mcp/schemas/issue.yaml':
        'type: object\nproperties: { parent: { $ref: schema:ticket }, owner: { $ref: "schema:user" } }\n',
      'mcp/schemas.yaml': 'user: { type: object, properties: { first: { $ref: schema:acme/jira/ticket } } }\n',
      'mcp/tools/t.yaml':
        'description: d\nparameters: { a: { $ref: schema:ticket } }\noutputSchema: { file: out.json }\n',
      'out.json': '{"$ref": "schema:ticket"}\n',
      'src/tools/t.ts': `import { type Schema_Ticket, type Schema_IssueX, tools } from '../../generated/index.js';
export default tools.t((args): Schema_Ticket => args.a as Schema_IssueX);
`,
    });
  });

  it('X1 `remove` refuses while something refers to the schema', async () => {
    const folder = nodeFolder(writePack(files));
    const used = await planRemove(load(folder), folder, { kind: 'schema', item: 'user' });
    expect(used.isRefused).toBe(true);
    expect(used.diagnostics[0]).toMatchObject({ code: 'author/still-used', file: 'mcp/schemas/issue.yaml', line: 2 });
    const unused = nodeFolder(writePack({ 'toolwright.yaml': '', 'mcp/schemas/user.yaml': 'type: object\n' }));
    const { changes, isRefused } = await planRemove(load(unused), unused, { kind: 'schema', item: 'user' });
    expect(isRefused).toBe(false);
    expect(changes.map(({ path, after }) => [path, after])).toEqual([['mcp/schemas/user.yaml', undefined]]);
  });

  it('X1 `add` writes a schema without mistakes', () => {
    const folder = memoryFolder({ 'toolwright.yaml': 'schemas: []\n' });
    const { changes, diagnostics } = planAdd(load(folder), folder, { kind: 'schema', item: 'issue' });
    expect(diagnostics).toEqual([]);
    const written = Object.fromEntries(changes.map(({ path, after }) => [path, after ?? '']));
    expect(Object.keys(written).sort()).toEqual(['mcp/schemas/issue.yaml', 'toolwright.yaml']);
    const after = load(memoryFolder(written));
    expect(after.diagnostics).toEqual([]);
    expect(after.program?.schemas.map(({ item }) => item)).toEqual(['issue']);
  });
});
