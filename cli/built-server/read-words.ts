// In: the words after a built server on a command line. Out: its flags, the same as those of `toolwright start`; or what is
// wrong with them. Words of its configuration (X3) may stand between them. No library: a built server has no time to load one.
import type { ProtocolName } from '../../runtime/serve/stdio-connection.js';
import type { ConfigEntry } from '../../schema/definitions.js';
import { didYouMean } from '../../schema/nearest.js';
import { visible } from '../../schema/print/visible.js';
import { flagNames, helpRows, openConfigWords, printPlaces, type WordKeys } from '../start/config-words.js';
import { meantByPort } from '../start/meant-by-port.js';

export interface ServerFlags {
  readonly http?: boolean | string;
  readonly host?: string;
  readonly insecure?: boolean;
  readonly stdio?: boolean;
  readonly mode?: string;
  readonly overlay: readonly string[];
  readonly envFile: readonly string[];
  readonly strict?: boolean;
  readonly protocol?: ProtocolName;
  readonly lane?: 'lean' | 'sdk';
  readonly initialize?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly cwd?: string;
  readonly help?: boolean;
  readonly version?: boolean;
}

/** `text` takes the next word; `maybe` takes it unless it is a flag; `no` switches off what its name says. */
type Takes = 'nothing' | 'text' | 'texts' | 'maybe' | 'no';

interface Flag {
  readonly takes: Takes;
  readonly shown: string;
  readonly says: string;
}

const flags: Readonly<Record<string, Flag>> = {
  http: { takes: 'maybe', shown: '--http [port]', says: 'serve over HTTP; 0 picks a free port' },
  stdio: { takes: 'nothing', shown: '--stdio', says: 'serve over stdio, even if the definition says http' },
  host: {
    takes: 'text',
    shown: '--host <address>',
    says: 'the address to listen on; anything but loopback needs auth',
  },
  insecure: { takes: 'nothing', shown: '--insecure', says: 'listen anywhere without auth' },
  mode: { takes: 'text', shown: '--mode <name>', says: 'only items in this mode' },
  overlay: {
    takes: 'texts',
    shown: '--overlay <dir>',
    says: 'an overlay: a folder that changes texts and policy; may be repeated, later ones win',
  },
  'env-file': {
    takes: 'texts',
    shown: '--env-file <file>',
    says: 'read variables from this file; the environment overrides it; may be repeated, later files win',
  },
  strict: { takes: 'nothing', shown: '--strict', says: 'refuse to start if an item is broken' },
  protocol: { takes: 'text', shown: '--protocol <name>', says: '"sdk" answers everything through the MCP SDK' },
  // What --protocol was called before.
  lane: { takes: 'text', shown: '--lane <name>', says: '' },
  initialize: { takes: 'no', shown: '--no-initialize', says: 'answer lists without running initialize first' },
  quiet: { takes: 'nothing', shown: '--quiet', says: 'print only errors' },
  color: { takes: 'no', shown: '--no-color', says: 'print without colours' },
  cwd: { takes: 'text', shown: '--cwd <dir>', says: 'the folder that paths in flags are relative to' },
  version: { takes: 'nothing', shown: '-V, --version', says: 'print the version' },
  help: { takes: 'nothing', shown: '-h, --help', says: 'print this' },
};

const short: Readonly<Record<string, string>> = { '-V': '--version', '-h': '--help' };

interface ReadWords {
  readonly flags: ServerFlags;
  /** X3: what words set of the configuration, as variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** The words that did. */
  readonly words: readonly string[];
}

/** `keys`: those of the server's own pack. */
export function readWords(words: readonly string[], keys: WordKeys = {}): ReadWords | { readonly problem: string } {
  const ofConfig = openConfigWords(keys);
  const passed: string[] = [];
  let isPlain = false;
  const found: Record<string, unknown> = {};
  const lists: Record<string, string[]> = {};
  for (let index = 0; index < words.length; index += 1) {
    const typed = words[index] ?? '';
    isPlain ||= typed === '--';
    const word = short[typed] ?? typed;
    const equals = word.indexOf('=');
    const given = equals < 0 ? undefined : word.slice(equals + 1);
    const isOff = word.startsWith('--no-');
    const name = (equals < 0 ? word : word.slice(0, equals)).slice(isOff ? 5 : 2);
    const flag = !isPlain && word.startsWith('--') && Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined || (flag.takes === 'no') !== isOff) {
      const taken = ofConfig.take(words, index);
      if (taken === undefined)
        return { problem: `unknown option or argument ${JSON.stringify(typed)}${meantBy(words.slice(index), keys)}` };
      if ('problem' in taken) return taken;
      passed.push(...words.slice(index, taken.next));
      index = taken.next - 1;
      continue;
    }
    const next = words[index + 1];
    switch (flag.takes) {
      case 'no':
      case 'nothing':
        if (given !== undefined) return { problem: `--${name} takes no value` };
        found[name] = !isOff;
        break;
      case 'maybe': {
        const isTaken = given === undefined && next !== undefined && !next.startsWith('-');
        found[name] = given ?? (isTaken ? next : true);
        if (isTaken) index += 1;
        break;
      }
      case 'text':
      case 'texts': {
        const value = given ?? next;
        if (value === undefined) return { problem: `--${name} needs a value: ${flag.shown}` };
        if (given === undefined) index += 1;
        if (flag.takes === 'texts') lists[name] = [...(lists[name] ?? []), value];
        else found[name] = value;
        break;
      }
      default:
        return flag.takes satisfies never;
    }
  }
  const { lane, protocol, http } = found;
  if (protocol !== undefined && protocol !== 'sdk' && protocol !== 'own')
    return { problem: `--protocol is "own" or "sdk", not ${JSON.stringify(protocol)}` };
  if (lane !== undefined && lane !== 'sdk' && lane !== 'lean')
    return { problem: `--lane is "lean" or "sdk", not ${JSON.stringify(lane)}` };
  if (typeof http === 'string' && !(/^\d+$/.test(http) && Number(http) <= 65_535)) {
    return { problem: `--http needs a port from 0 to 65535, not ${JSON.stringify(http)}` };
  }
  return {
    flags: { ...found, overlay: lists['overlay'] ?? [], envFile: lists['env-file'] ?? [] },
    variables: ofConfig.variables(),
    words: passed,
  };
}

function meantBy(rest: readonly string[], keys: WordKeys): string {
  const [typed = ''] = rest;
  const known = Object.entries(flags).map(([name, { takes }]) => `--${takes === 'no' ? 'no-' : ''}${name}`);
  const name = typed.startsWith('-') ? typed.replace(/=.*$/s, '') : '';
  const hint = meantByPort(rest.slice(0, 2)) ?? didYouMean(name, [...known, ...flagNames(keys)]);
  return hint === undefined ? '' : `: ${hint}`;
}

export function printHelp(name: string, config: Readonly<Record<string, ConfigEntry>>): string {
  const told = Object.values(flags).filter(({ says }) => says !== '');
  const own = told.map(({ shown, says }) => [shown, says] as const);
  const given = helpRows(config);
  const width = Math.max(...[...own, ...given].map(([shown]) => shown.length));
  const print = (rows: typeof given): string =>
    rows.map(([shown, says]) => `  ${shown.padEnd(width)}  ${visible(says)}`).join('\n');
  const places = printPlaces(config);
  const settings = given.length === 0 ? '' : `Configuration:\n${print(given)}\n\n`;
  const usage = `Usage: ${name} [options]${places === '' ? '' : ` ${places}`}`;
  return `${usage}\n\nServes ${name} over stdio or HTTP.\n\n${settings}Options:\n${print(own)}\n`;
}
