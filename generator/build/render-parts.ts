// In: which bundled module is which. Out: the text of the module that tells the runtime of a built server (ServerParts).
import { printString } from '../render/code.js';
import type { CodeEntries } from './server-content.js';

interface PackView extends CodeEntries {
  /** The folder of its files. */
  readonly files: string;
}

export interface PartsView {
  /** The server's own first. */
  readonly packs: readonly PackView[];
  readonly hasSourceMaps: boolean;
  /** The text of toolwright.yaml as JSON, where definitions are external. */
  readonly manifest: string | undefined;
  /** Of other packs whose schemas external definitions use. */
  readonly schemaPacks?: string | undefined;
}

/** For a built server that is a folder: everything lies beside the module, which is CommonJS and so loaded at once. */
export function renderParts({ packs: [own, ...others], hasSourceMaps, manifest, schemaPacks }: PartsView): string {
  return [
    "'use strict';",
    "const { readFileSync, statSync } = require('node:fs');",
    // A build puts another folder in the place of this one: its code fits another program than the one that runs. The number
    // alone does not tell: the third folder may get that of the first.
    'const whichFolder = () => {',
    '  const { ino, birthtimeMs } = statSync(__dirname);',
    '  return `${ino} ${birthtimeMs}`;',
    '};',
    'const first = whichFolder();',
    'const checkFolder = () => {',
    "  if (whichFolder() !== first) throw new Error('The server was built anew while it ran: restart it');",
    '};',
    'const load = async file => {',
    '  checkFolder();',
    '  return import(file);',
    '};',
    'exports.thread = () => {',
    '  checkFolder();',
    "  const own = name => `require(${JSON.stringify(require('node:path').join(__dirname, name))})`;",
    "  return `${own('runtime/calls.cjs')}.serveBuiltThread(${own('parts.cjs')})`;",
    '};',
    "exports.folder = require('node:path').dirname(__dirname);",
    'exports.program = () => readFileSync(`${__dirname}/program`);',
    ...(own === undefined ? [] : [`Object.assign(exports, ${renderPack(own)});`]),
    `exports.others = [${others.map(renderPack).join(', ')}];`,
    ...(hasSourceMaps ? ['exports.hasSourceMaps = true;'] : []),
    ...(manifest === undefined
      ? []
      : [
          'exports.external = {',
          '  folder: exports.folder,',
          `  manifest: ${printString(manifest)},`,
          ...(schemaPacks === undefined ? [] : [`  schemaPacks: ${printString(schemaPacks)},`]),
          "  tools: async () => require('./runtime/external.cjs'),",
          '};',
        ]),
    '',
  ].join('\n');
}

/** Modules as data: functions that import would be several kilobytes of memory each, called or not. */
function renderPack({ files, modules, validators }: PackView): string {
  const print = (entries: CodeEntries['modules']): string => {
    const paths = [...entries].map(([key, { out }]) => [key, `./code/${out}.mjs`]);
    return `JSON.parse(${printString(JSON.stringify(Object.fromEntries(paths)))})`;
  };
  const place = `__dirname + ${printString(`/${files}`)}`;
  return `{ load, files: ${place}, modules: ${print(modules)}, validators: ${print(validators)} }`;
}

/** A pack's parts (PackParts). `files` is code; `place` tells from where a module is imported. */
export function printCode({ modules, validators }: CodeEntries, files: string, place: (out: string) => string): string {
  const print = (entries: CodeEntries['modules']): string =>
    [...entries]
      .map(([key, { out }]) => `    [${printString(key)}]: () => import(${printString(place(out))}),\n`)
      .join('');
  return `{\n  files: ${files},\n  modules: {\n${print(modules)}  },\n  validators: {\n${print(validators)}  },\n}`;
}
