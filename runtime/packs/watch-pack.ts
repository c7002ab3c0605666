// In: another pack that a server uses. Out: whether its code may still be loaded, and if not, an error that says why: the
// pack may vanish, change or be broken while the server runs.
import { ToolError } from '../call/tool-error.js';
import { HandlerProblem } from '../handlers/handler-problem.js';
import { nodeFolder } from '../load/folder.js';
import { manifestFile, readManifest } from '../load/manifest.js';
import type { Program } from '../load/program.js';
import { createReader } from '../load/read.js';

export interface PackWatch {
  /** Before code is loaded that is not loaded yet. Throws a ToolError where it would not be the code of this pack. */
  check(): void;
  /** What to throw in place of something that went wrong while loading. */
  explain(error: unknown): unknown;
}

/** Clients learn the name of the pack; everything else is for the operator. */
export function watchPack({ name, version, folder: path }: Program['pack'], folder = nodeFolder(path)): PackWatch {
  return {
    check() {
      if (folder.status(manifestFile) === 'missing') {
        throw new ToolError(`The pack ${name} is not installed any more`, {
          ...unavailable,
          code: 'PACK_MISSING',
          suggestedFix: `The operator of this server should install ${name} again and restart the server.`,
          meta: { pack: name },
        });
      }
      const now = readManifest(createReader(folder)).value?.version;
      if (now !== version) {
        throw new ToolError(`The pack ${name} was changed while the server was running`, {
          ...unavailable,
          code: 'PACK_CHANGED',
          suggestedFix: 'The operator of this server should restart it.',
          meta: { pack: name, loaded: version, installed: now ?? null },
        });
      }
    },
    explain(error) {
      if (!(error instanceof HandlerProblem)) return error;
      return new ToolError(`The code of the pack ${name} cannot be loaded`, {
        ...unavailable,
        code: 'PACK_BROKEN',
        suggestedFix: `The operator of this server finds the reason in its log.`,
        meta: { pack: name },
        cause: error,
      });
    },
  };
}

const unavailable = { status: 503, retryable: false };
