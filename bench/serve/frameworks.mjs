// Contenders: the frameworks, as their documentation shows them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prompts, serverInfo, toolsOf, wholeResult, writeFiles, zodInput, zodOutput } from './work.mjs';

const run = ({ transport, port }) => [`${transport}.mjs`, `${port}`];

export const fastmcp = {
  id: 'fastmcp',
  packages: ['fastmcp@4', 'zod@4'],
  transports: { stdio: ['2025'], http: ['2025'] },
  write(folder, count) {
    const server = start => `import { FastMCP } from 'fastmcp';
import * as z from 'zod';
const server = new FastMCP(${JSON.stringify(serverInfo)});
for (const { name, description } of ${JSON.stringify(toolsOf(count))}) {
  server.addTool({ name, description, parameters: ${zodInput}, outputSchema: ${zodOutput}, execute: async ${wholeResult} });
}
for (const { name, description } of ${JSON.stringify(prompts)}) {
  server.addPrompt({ name, description, arguments: [{ name: 'topic', required: true }], load: async ({ topic }) => \`Tell me about \${topic}.\` });
}
await server.start(${start});
`;
    writeFiles(folder, {
      'stdio.mjs': server("{ transportType: 'stdio' }"),
      'http.mjs': server(
        "{ transportType: 'httpStream', httpStream: { host: '127.0.0.1', port: Number(process.argv[2]) } }",
      ),
    });
  },
  command: run,
};

export const tmcp = {
  id: 'tmcp',
  packages: [
    'tmcp@1',
    '@tmcp/adapter-zod',
    '@tmcp/transport-stdio',
    '@tmcp/transport-http',
    '@remix-run/node-fetch-server',
    'zod@4',
  ],
  transports: { stdio: ['2025', '2026'], http: ['2025', '2026'] },
  write(folder, count) {
    const server = `import { McpServer } from 'tmcp';
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import * as z from 'zod';
const server = new McpServer(${JSON.stringify(serverInfo)}, { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {}, prompts: {} } });
for (const { name, description } of ${JSON.stringify(toolsOf(count))}) {
  server.tool({ name, description, schema: ${zodInput}, outputSchema: ${zodOutput} }, async ${wholeResult});
}
for (const { name, description } of ${JSON.stringify(prompts)}) {
  server.prompt({ name, description, schema: z.object({ topic: z.string() }) }, async ({ topic }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: \`Tell me about \${topic}.\` } }],
  }));
}
`;
    writeFiles(folder, {
      'stdio.mjs': `import { StdioTransport } from '@tmcp/transport-stdio';\n${server}new StdioTransport(server).listen();\n`,
      'http.mjs': `import { createServer } from 'node:http';
import { createRequestListener } from '@remix-run/node-fetch-server';
import { HttpTransport } from '@tmcp/transport-http';
${server}const transport = new HttpTransport(server, { path: '/mcp' });
createServer(createRequestListener(async request => (await transport.respond(request)) ?? new Response(null, { status: 404 })))
  .listen(Number(process.argv[2]), '127.0.0.1');
`,
    });
  },
  command: run,
};

export const mcpFramework = {
  id: 'mcp-framework',
  packages: ['mcp-framework@0.2', '@modelcontextprotocol/sdk@1', 'zod@3'],
  transports: { stdio: ['2025'], http: ['2025'] },
  write(folder, count) {
    // It finds tools and prompts as files below the folder of the script that runs.
    const files = {};
    for (const { name, description } of toolsOf(count)) {
      files[`dist/tools/${name}.js`] = `import { MCPTool } from 'mcp-framework';
import { z } from 'zod';
export default class extends MCPTool {
  name = ${JSON.stringify(name)};
  description = ${JSON.stringify(description)};
  schema = ${zodInput};
  outputSchemaShape = ${zodOutput};
  async execute({ a, b }) { return { sum: a + b }; }
}
`;
    }
    for (const { name, description } of prompts) {
      files[`dist/prompts/${name}.js`] = `import { MCPPrompt } from 'mcp-framework';
import { z } from 'zod';
export default class extends MCPPrompt {
  name = ${JSON.stringify(name)};
  description = ${JSON.stringify(description)};
  schema = { topic: { type: z.string(), description: 'What to tell about', required: true } };
  async generateMessages({ topic }) {
    return [{ role: 'user', content: { type: 'text', text: \`Tell me about \${topic}.\` } }];
  }
}
`;
    }
    const start = options => `import { MCPServer } from 'mcp-framework';
await new MCPServer({ name: 'bench', version: '1.0.0', basePath: new URL('.', import.meta.url).pathname${options} }).start();
`;
    files['dist/stdio.js'] = start('');
    files['dist/http.js'] = start(
      ", transport: { type: 'http-stream', options: { host: '127.0.0.1', port: Number(process.argv[2]), cors: { allowOrigin: '*' } } }",
    );
    writeFiles(folder, files);
  },
  command: ({ transport, port }) => [`dist/${transport}.js`, `${port}`],
};

export const xmcp = {
  id: 'xmcp',
  packages: [
    'xmcp@1',
    'zod@4',
    '@modelcontextprotocol/server@2',
    '@modelcontextprotocol/client@2',
    '@xmcp-dev/compiler@1',
    'typescript@5.9',
    '@types/node@20',
  ],
  transports: { stdio: ['2025', '2026'], http: ['2025', '2026'] },
  write(folder, count, home) {
    // The port becomes part of the build.
    const port = 40_000 + Math.floor(Math.random() * 10_000);
    const files = {
      'package.json': '{ "private": true }\n',
      'xmcp.config.ts': `export default { stdio: true, http: { port: ${port}, host: '127.0.0.1' }, paths: { tools: 'src/tools', prompts: 'src/prompts', resources: false } };\n`,
      'tsconfig.json':
        '{ "compilerOptions": { "module": "esnext", "target": "es2022", "moduleResolution": "bundler", "strict": false, "noImplicitAny": false, "skipLibCheck": true }, "include": ["src", "xmcp-env.d.ts"] }\n',
    };
    for (const { name, description } of toolsOf(count)) {
      files[`src/tools/${name}.ts`] = `import { z } from 'zod';
export const schema = ${zodInput}.shape;
export const outputSchema = ${zodOutput}.shape;
export const metadata = { name: ${JSON.stringify(name)}, description: ${JSON.stringify(description)} };
export default async function run${wholeResult.replace('=>', '')}
`;
    }
    for (const { name, description } of prompts) {
      files[`src/prompts/${name}.ts`] = `import { z } from 'zod';
export const schema = { topic: z.string() };
export const metadata = { name: ${JSON.stringify(name)}, description: ${JSON.stringify(description)} };
export default function run({ topic }) { return \`Tell me about \${topic}.\`; }
`;
    }
    writeFiles(folder, files);
    const built = spawnSync(process.execPath, [join(home, 'node_modules/xmcp/dist/cli.js'), 'build'], {
      cwd: folder,
      encoding: 'utf8',
      // With 2,000 tools it takes longer than all other measurements together.
      timeout: 60_000,
    });
    // It reports a failed build with exit code 0.
    if (!existsSync(join(folder, 'dist/stdio.js')))
      throw new Error(`xmcp build failed (${built.signal ?? built.status}): ${built.stderr}`);
    return { port };
  },
  command: ({ transport }) => [`dist/${transport}.js`],
};
