// X3: flags and arguments of config keys. In: `config:` of toolwright.yaml. Out: those that a command line could not tell apart.
import type { ConfigEntry } from '../../schema/definitions.js';
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import type { Locator, Path } from '../../schema/document.js';
import { ownFlags } from '../../schema/own-flags.js';

/** @example checkFlags({ MODE: { type: 'string', flag: 'mode' } }, at) // config/flag-taken */
export function checkFlags(config: Readonly<Record<string, ConfigEntry>>, at: Locator): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const flags = new Map<string, string>();
  const places = new Map<number | 'rest', string>();
  const keys = Object.entries(config);
  for (const [name, { type, flag, argument, secret }] of keys) {
    const path: Path = ['config', name];
    // What is malformed has its diagnostic already.
    if (typeof flag === 'string') {
      const words = type === 'boolean' ? [flag, `no-${flag}`] : [flag];
      const taken = words.find(word => ownFlags.has(word) || flags.has(word));
      if (taken !== undefined) {
        const other = flags.get(taken);
        const owner = other === undefined ? 'is an option of every server' : `belongs to ${other}`;
        diagnostics.push(diagnose('config/flag-taken', { flag: taken, owner }, at.site([...path, 'flag'])));
      }
      for (const word of words) if (!flags.has(word)) flags.set(word, name);
    }
    if (argument === 'rest' || Number.isInteger(argument)) {
      const place = argument as number | 'rest';
      const other = places.get(place);
      const site = at.site([...path, 'argument']);
      if (other !== undefined) diagnostics.push(diagnose('config/argument-taken', { argument: place, other }, site));
      else places.set(place, name);
      if (argument === 'rest' && type !== 'array')
        diagnostics.push(diagnose('config/rest-of-one', { name, type }, site));
    }
    if (secret === true && (flag !== undefined || argument !== undefined)) {
      const key = flag === undefined ? 'argument' : 'flag';
      diagnostics.push(diagnose('config/visible-secret', { name }, at.site([...path, key], 'key')));
    }
  }
  for (const [place, name] of places) {
    if (place === 'rest' || place <= 1 || places.has(place - 1)) continue;
    const site = at.site(['config', name, 'argument']);
    diagnostics.push(diagnose('config/argument-gap', { place, before: place - 1 }, site));
  }
  return diagnostics;
}
