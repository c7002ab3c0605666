// One measured process: `node contender.mjs <what> <pack>`. What it loads and does is what is measured.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [what, pack] = process.argv.slice(2);

/** Everything that the loader must read of these packs. */
function* texts() {
  yield readFileSync(join(pack, 'toolwright.yaml'), 'utf8');
  const root = join(pack, 'mcp');
  for (const name of readdirSync(root, { recursive: true })) {
    if (/\.(?:yaml|json)$/.test(name)) yield readFileSync(join(root, name), 'utf8');
  }
}

switch (what) {
  case 'yaml.parse': {
    const { parse } = await import('yaml');
    // The values are kept, as any loader must.
    const values = [];
    for (const text of texts()) values.push(parse(text));
    break;
  }
  case 'JSON.parse': {
    const values = [];
    for (const text of texts()) values.push(text.startsWith('{') ? JSON.parse(text) : text);
    break;
  }
  case 'checkPack': {
    const { checkPack } = await import('toolwright');
    const report = await checkPack(pack);
    if (!report.ok || report.diagnostics.length > 0) throw new Error(JSON.stringify(report.diagnostics[0]));
    break;
  }
  default:
    throw new Error(`unknown contender ${what}`);
}
