// In: where a pack keeps its manifests. Out: the settings by which editors know them: VS Code's map and JetBrains' file.
import { joinPath } from '../../runtime/load/folder.js';
import { keyOf, kinds } from '../../schema/definitions.js';
import { escapeHtml } from '../render/code.js';
import type { Extender } from './extend-files.js';
import type { Editor } from './init-settings.js';

export function extendEditors(
  extend: Extender,
  chosen: readonly Editor[],
  places: { readonly root: string; readonly generated: string },
): void {
  const mappings = mapSchemas(places);
  if (chosen.includes('vscode')) {
    extend.json(
      '.vscode/settings.json',
      mappings.map(({ path, patterns }) => ({ path: ['yaml.schemas'], key: `./${path}`, value: patterns })),
    );
    extend.create('.vscode/extensions.json', () => '{\n  "recommendations": ["redhat.vscode-yaml"]\n}\n');
  }
  if (chosen.includes('jetbrains')) extend.create('.idea/jsonSchemas.xml', () => printIdeaSchemas(mappings));
}

interface SchemaMapping {
  /** As in `tool.schema.json`. */
  readonly schema: string;
  readonly path: string;
  readonly patterns: readonly string[];
}

/** The schemas of the generated folder know the pack's own names. */
function mapSchemas({ root, generated }: { root: string; generated: string }): readonly SchemaMapping[] {
  const path = (schema: string): string => joinPath(generated, 'schema', `${schema}.schema.json`);
  const both = (file: string): readonly string[] => [`${file}.yaml`, `${file}.yml`];
  return [
    { schema: 'pack', path: path('pack'), patterns: ['toolwright.yaml'] },
    ...kinds.flatMap(kind => [
      { schema: kind, path: path(kind), patterns: both(joinPath(root, keyOf(kind), '*')) },
      { schema: keyOf(kind), path: path(keyOf(kind)), patterns: both(joinPath(root, keyOf(kind))) },
    ]),
  ];
}

/** The file `.idea/jsonSchemas.xml`. */
function printIdeaSchemas(mappings: readonly SchemaMapping[]): string {
  const option = (name: string, value: string): string => `<option name="${name}" value="${escapeHtml(value)}" />`;
  const entry = ({ schema, path, patterns }: SchemaMapping): readonly string[] => [
    `        <entry key="toolwright ${schema}">`,
    '          <value>',
    '            <SchemaInfo>',
    `              ${option('name', `toolwright ${schema}`)}`,
    `              ${option('relativePathToSchema', path)}`,
    '              <option name="patterns">',
    '                <list>',
    ...patterns.flatMap(pattern => [
      '                  <Item>',
      ...(pattern.includes('*') ? [`                    ${option('pattern', 'true')}`] : []),
      `                    ${option('path', pattern)}`,
      ...(pattern.includes('*') ? [`                    ${option('mappingKind', 'Pattern')}`] : []),
      '                  </Item>',
    ]),
    '                </list>',
    '              </option>',
    '            </SchemaInfo>',
    '          </value>',
    '        </entry>',
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<project version="4">',
    '  <component name="JsonSchemaMappingsProjectConfiguration">',
    '    <state>',
    '      <map>',
    ...mappings.flatMap(entry),
    '      </map>',
    '    </state>',
    '  </component>',
    '</project>',
    '',
  ].join('\n');
}
