// In: a server and the packs around it. Out: all that it serves, and the other packs by the names that it uses; or diagnostics where
// something is missing, broken, or not what somebody accepted.
import { resolve } from 'node:path';
import { missingOf } from '../../runtime/call/handlers/missing-handlers.js';
import { nodeFolder } from '../../runtime/load/folder.js';
import type { LoadOptions } from '../../runtime/load/load.js';
import type { Server } from '../../runtime/load/program.js';
import { type ComposedServer, composeServer, hasForeign, packsOf } from '../../runtime/packs/compose.js';
import { startsOf } from '../../runtime/packs/find-pack.js';
import { applyLock, readLock } from '../../runtime/packs/lock.js';
import { makeLookup, type PackLookup } from '../../runtime/packs/look-up.js';
import type { OpenPack } from '../../runtime/packs/open-pack.js';
import type { Diagnostic } from '../../schema/diagnostics.js';

export interface OtherPack {
  /** As the server names it; undefined: the built-in pack. */
  readonly reference: string | undefined;
  readonly pack: OpenPack;
}

export interface ComposedBuild {
  readonly composed: ComposedServer;
  readonly others: readonly OtherPack[];
  /** Whether the server uses it or not. */
  readonly builtin: OpenPack | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ComposeOptions extends Pick<LoadOptions, 'cache'> {
  /** Where packs are looked for beside the pack itself. */
  readonly cwd: string;
  /** What is not as toolwright.lock has it is an error: a build is handed on, and nobody would notice what it lacks. */
  readonly frozen: boolean;
}

export function composeBuild(own: OpenPack, server: Server, { cwd, frozen, cache }: ComposeOptions): ComposedBuild {
  const { folder } = own.program.pack;
  const around = { starts: startsOf(folder, cwd), project: cwd, ...(cache === undefined ? {} : { cache }) };
  const used: OtherPack[] = [];
  const lookUp = makeLookup(around);
  const builtin = lookUp.builtin();
  const found = composeServer(own, server, noting(lookUp, used));
  if (!hasForeign(server)) return { composed: found, others: [], builtin, diagnostics: found.diagnostics };
  const { diagnostics: unaccepted } = applyLock(found, readLock(nodeFolder(folder)), frozen);
  const missing = packsOf(found)
    .filter(pack => pack !== own)
    .flatMap(pack => missingOf(pack, found));
  const told = frozen ? unaccepted.map(one => ({ ...one, severity: 'error' as const })) : unaccepted;
  return {
    composed: found,
    others: used,
    builtin,
    diagnostics: [...found.diagnostics, ...told, ...missing].map(placed),
  };

  /** Those of other packs have full paths already. */
  function placed(one: Diagnostic): Diagnostic {
    return { ...one, file: resolve(folder, one.file) };
  }
}

/** A lookup that remembers what was found. */
function noting(lookUp: PackLookup, used: OtherPack[]): PackLookup {
  const note = (reference: string | undefined, pack: OpenPack): void => {
    if (!used.some(one => one.reference === reference)) used.push({ reference, pack });
  };
  return {
    ...lookUp,
    pack(name) {
      const found = lookUp.pack(name);
      if ('program' in found) note(name, found);
      return found;
    },
    builtin() {
      const found = lookUp.builtin();
      if (found !== undefined) note(undefined, found);
      return found;
    },
  };
}
