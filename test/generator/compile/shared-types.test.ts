// X1: the types of shared schemas: one for all tools, where nothing tells readers and givers apart.
import { describe, expect, it } from 'vitest';
import type { Files } from '../../harness/pack.js';
import { declarationsOf, programOf } from './declarations-pack.js';

const issue = 'type: object\nproperties: { key: { type: string }, parent: { $ref: schema:issue } }\nrequired: [key]\n';

function declared(files: Files): Record<string, string> {
  return declarationsOf(programOf({ 'toolwright.yaml': '', ...files }));
}

describe('types of shared schemas', () => {
  it('X1 there is one type, which arguments and outputs of all tools refer to', () => {
    const files = declared({
      'mcp/schemas/issue.yaml': issue,
      'mcp/tools/a.yaml':
        'description: d\nparameters: { issue: { $ref: schema:issue } }\noutputSchema: { $ref: schema:issue }\n',
      'mcp/tools/b.yaml': 'description: d\noutput: { issues: { type: array, items: { $ref: schema:issue } } }\n',
    });
    const schemas = files['generated/schemas.d.ts'] ?? '';
    expect(schemas.match(/export (?:interface|type) \w+/g)).toEqual(['export interface Schema_Issue']);
    expect(schemas).toContain('readonly parent?: Schema_Issue | undefined;');
    const tools = files['generated/tools.d.ts'] ?? '';
    expect(tools).toContain("import type { Schema_Issue } from './schemas.js';");
    expect(tools).toContain('readonly issue: Schema_Issue;');
    expect(tools).toContain('export type AOutput = Schema_Issue;');
    expect(tools).toContain('readonly issues: readonly Schema_Issue[];');
    expect(files['generated/index.d.ts']).toContain("export * from './schemas.js';");
    expect(JSON.parse(files['generated/schemas.d.ts.map'] ?? '{}').sources).toEqual(['../mcp/schemas/issue.yaml']);
  });

  it('X1 defaults make a difference between what handlers read and what is given', () => {
    const files = declared({
      'mcp/schemas/page.yaml': 'type: object\nproperties: { limit: { type: integer, default: 5 } }\n',
      'mcp/schemas/query.yaml': 'type: object\nproperties: { page: { $ref: schema:page } }\n',
      'mcp/tools/a.yaml':
        'description: d\nparameters: { query: { $ref: schema:query } }\noutput: { query: { $ref: schema:query } }\n',
    });
    const schemas = files['generated/schemas.d.ts'] ?? '';
    expect(schemas).toMatch(/interface SchemaFilled_Page \{[^}]*readonly limit: number;/);
    expect(schemas).toMatch(/interface Schema_Page \{[^}]*readonly limit\?: number/);
    expect(schemas).toMatch(/interface SchemaFilled_Query \{[^}]*page\?: SchemaFilled_Page/);
    expect(files['generated/tools.d.ts']).toMatch(/interface AArgs \{[^}]*query: SchemaFilled_Query;/);
    expect(files['generated/tools.d.ts']).toMatch(/interface AOutput \{[^}]*query: Schema_Query;/);
  });

  it('X1 declarations of a thousand tools that share fifty schemas stay small', () => {
    const names = Array.from({ length: 50 }, (_, index) => `s${index}`);
    const properties = Array.from(
      { length: 20 },
      (_, index) => `  field${index}: { type: string, description: The value of field ${index} }\n`,
    );
    const schema = `type: object\nproperties:\n${properties.join('')}`;
    const files = declared({
      ...Object.fromEntries(names.map(name => [`mcp/schemas/${name}.yaml`, schema])),
      'mcp/tools.yaml': Array.from(
        { length: 1000 },
        (_, index) => `t${index}: { description: d, parameters: { a: { $ref: schema:s${index % 50} } } }\n`,
      ).join(''),
    });
    const size = files['generated/schemas.d.ts']?.length ?? 0;
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(1.3 * 50 * schema.length);
    expect(files['generated/tools.d.ts']).not.toContain('field0');
  });

  it('X1 a pack without shared schemas has no file for them', () => {
    const files = declared({ 'mcp/tools/a.yaml': 'description: d\n' });
    expect(Object.keys(files)).not.toContain('generated/schemas.d.ts');
    expect(files['generated/index.d.ts']).not.toContain('schemas.js');
  });
});
