// The floor of bench/list.mjs: finds all packages of a node_modules folder and parses their package.json, no more.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const modules = process.argv[2] ?? '';
let count = 0;
for (const name of readdirSync(modules)) {
  const inner = name.startsWith('@') ? readdirSync(join(modules, name)).map(one => join(name, one)) : [name];
  for (const one of inner) {
    if (typeof JSON.parse(readFileSync(join(modules, one, 'package.json'), 'utf8')).name === 'string') count += 1;
  }
}
console.log(`${count} packages`);
