// One measured process: `node generate-contender.mjs <what> <schemas.json> <output folder> [<where it is installed>]`.
// What it loads and does is what is measured. All of them make their files from the same schemas.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [what, input, output, home] = process.argv.slice(2);
const tools = JSON.parse(readFileSync(input, 'utf8'));
mkdirSync(output, { recursive: true });

/** A peer's module, from the folder that it was installed in. */
async function peer(name) {
  const { load } = await import(pathToFileURL(join(home, 'load.mjs')).href);
  return load(name);
}

function pascal(item) {
  return item.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
}

function write(path, text) {
  writeFileSync(join(output, path), text);
}

/** The least that can be called a type of a schema: no references, no alternatives, no comments inside. */
function typeOf(schema) {
  if (Array.isArray(schema.enum)) return schema.enum.map(member => JSON.stringify(member)).join(' | ');
  if (Array.isArray(schema.oneOf)) return schema.oneOf.map(typeOf).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map(type => typeOf({ type })).join(' | ');
  if (schema.type === 'array') return `readonly (${typeOf(schema.items ?? {})})[]`;
  if (schema.type === 'object') return `{ ${membersOf(schema).map(printMember).join(' ')} }`;
  return (
    { integer: 'number', number: 'number', string: 'string', boolean: 'boolean', null: 'null' }[schema.type] ??
    'unknown'
  );
}

function membersOf({ properties = {}, required = [] }) {
  return Object.entries(properties).map(([name, schema]) => {
    return { name, isOptional: !required.includes(name), type: typeOf(schema), doc: schema.description };
  });
}

function printMember({ name, isOptional, type, doc }) {
  return `${doc ? `/** ${doc} */ ` : ''}readonly ${name}${isOptional ? '?' : ''}: ${type};`;
}

/** One operation per tool, its arguments as the body. */
function toOpenApi() {
  const paths = tools.map(({ item, description, inputSchema: { $schema, ...schema } }) => [
    `/${item}`,
    {
      post: {
        operationId: item,
        summary: description,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { 200: { description: 'ok' } },
      },
    },
  ]);
  const info = { title: 'bench', version: '1.0.0' };
  return { openapi: '3.1.0', info, servers: [{ url: 'http://localhost' }], paths: Object.fromEntries(paths) };
}

switch (what) {
  case 'floor': {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const standalone = (await import('ajv/dist/standalone/index.js')).default.default;
    for (const folder of ['tools', 'src', 'schema']) mkdirSync(join(output, folder), { recursive: true });
    for (const { item, description, inputSchema } of tools) {
      const ajv = new Ajv2020({
        code: { source: true, esm: true },
        allErrors: true,
        strict: false,
        validateSchema: false,
        formats: { 'date-time': true, uuid: true },
      });
      write(`tools/${item}.js`, standalone(ajv, ajv.compile(inputSchema)));
      const members = membersOf(inputSchema).map(printMember);
      const type = pascal(item);
      const handler = `export type ${type}Handler = (args: ${type}Args) => Promise<unknown>;`;
      write(
        `tools/${item}.d.ts`,
        `/** ${description} */\nexport interface ${type}Args {\n  ${members.join('\n  ')}\n}\n${handler}\n`,
      );
      write(`tools/${item}.d.ts.map`, `{"version":3,"file":"${item}.d.ts","sources":[],"names":[],"mappings":""}\n`);
      write(
        `src/${item}.ts`,
        `import { tools } from '../index.js';\n\nexport default tools.${type}(async args => {});\n`,
      );
    }
    const lines = tools.map(({ item }) => `  ${pascal(item)}: same,`);
    write('index.js', `const same = handler => handler;\nexport const tools = {\n${lines.join('\n')}\n};\n`);
    write('index.d.ts', tools.map(({ item }) => `export * from './tools/${item}.js';`).join('\n'));
    for (let rest = 0; rest < 17; rest += 1) write(`schema/${rest}.json`, JSON.stringify(lines));
    break;
  }
  case 'ours': {
    // `home` is the printer, bundled by the bench as the build does it.
    const { printTypes } = await import(pathToFileURL(home).href);
    for (const { item, inputSchema } of tools) {
      write(`${item}.d.ts`, printTypes(inputSchema, { name: `${pascal(item)}Args`, mode: 'args' }).text);
    }
    break;
  }
  case 'json-schema-to-typescript':
  case 'json-schema-to-typescript, formatted': {
    const { compile } = await peer('json-schema-to-typescript');
    const options = { format: what.endsWith('formatted'), bannerComment: '', declareExternallyReferenced: true };
    for (const { item, inputSchema } of tools) write(`${item}.d.ts`, await compile(inputSchema, pascal(item), options));
    break;
  }
  case 'openapi-typescript': {
    const { default: openapiTS, astToString } = await peer('openapi-typescript');
    write('types.ts', astToString(await openapiTS(toOpenApi(), { silent: true })));
    break;
  }
  case 'hey-api': {
    const { createClient } = await peer('@hey-api/openapi-ts');
    await createClient({
      input: toOpenApi(),
      output: { path: join(output, 'types') },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    break;
  }
  case 'openapi-mcp-generator': {
    write('openapi.json', JSON.stringify(toOpenApi()));
    // It tells every step on stderr.
    console.error = () => {};
    process.argv.splice(
      2,
      process.argv.length,
      '--input',
      join(output, 'openapi.json'),
      '--output',
      join(output, 'server'),
      '--force',
    );
    await import(pathToFileURL(join(home, 'node_modules/openapi-mcp-generator/bin/openapi-mcp-generator.js')).href);
    break;
  }
  case 'ts-morph': {
    const { Project } = await import('ts-morph');
    const project = new Project({ skipAddingFilesFromTsConfig: true });
    for (const { item, description, inputSchema } of tools) {
      const file = project.createSourceFile(join(output, `${item}.d.ts`), '', { overwrite: true });
      file.addInterface({
        name: `${pascal(item)}Args`,
        isExported: true,
        docs: [description],
        properties: membersOf(inputSchema).map(({ name, isOptional, type, doc }) => {
          return { name, type, isReadonly: true, hasQuestionToken: isOptional, docs: doc ? [doc] : [] };
        }),
      });
      file.addTypeAlias({
        name: `${pascal(item)}Handler`,
        isExported: true,
        type: `(args: ${pascal(item)}Args) => Promise<unknown>`,
      });
    }
    project.saveSync();
    break;
  }
  default:
    throw new Error(`unknown contender ${what}`);
}
