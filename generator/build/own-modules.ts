// An esbuild plugin: what `toolwright` means in handlers and validators: the running copy, wherever it is installed. Its files get
// names of their own, so that no path of this machine reaches the output.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message, Plugin } from 'esbuild';
import { ownModules, packageFile } from '../../runtime/load/own-package.js';
import { maxCodeBytes, readUtf8 } from '../../runtime/load/read-file.js';

const namespace = 'toolwright';

/** The package as handlers see it: what they use while they run comes without the rest. */
const face = 'toolwright';
/** As it is seen by who takes all of it, or asks for it while running: nobody can tell what of it will be used. */
const openFace = 'toolwright-whole';
const light = "export { audio, image, link, resource, text, ToolError } from './dist/runtime/handler-values.js';\n";
const whole = `${light}export * from './dist/runtime/index.js';\n`;

/** Whether a message of esbuild says that somebody wants more of the package than handlers mostly do. */
export function wantsWhole({ text }: Message): boolean {
  return text.includes(`"${namespace}:${face}"`);
}

interface OwnModules {
  /** With everything that the package exports. */
  readonly isWhole: boolean;
  /** What it loads late by its path is given this prefix in place of `../`, for who bundles the modules once more. */
  readonly latePrefix: string | undefined;
}

export function ownModulesPlugin({ isWhole, latePrefix }: OwnModules): Plugin {
  const faceText = isWhole ? whole : light;
  const root = fileURLToPath(packageFile());
  const own = new Map(Object.entries(ownModules()).map(([name, url]) => [name, fileURLToPath(url)]));
  // Nothing of it does anything when it is only imported, so that handlers get what they use.
  const leadTo = (file: string) => ({
    path: file.slice(root.length).replaceAll('\\', '/'),
    namespace,
    sideEffects: false,
  });
  return {
    name: 'toolwright-own-modules',
    setup(build) {
      build.onResolve({ filter: /^toolwright(\/|$)/ }, async ({ path, kind, importer }) => {
        if (path === 'toolwright') {
          const isOpen = kind !== 'import-statement' || takesAll(importer);
          return { path: isOpen ? openFace : face, namespace, sideEffects: false };
        }
        const file = own.get(path);
        return file === undefined ? undefined : leadTo(file);
      });
      build.onResolve({ filter: /^\./, namespace }, ({ path, importer }) =>
        leadTo(join(root, dirname(importer), path)),
      );
      build.onLoad({ filter: new RegExp(`^(?:${face}|${openFace})$`), namespace }, ({ path }) => ({
        contents: path === openFace ? whole : faceText,
        resolveDir: root,
      }));
      build.onLoad({ filter: /./, namespace }, async ({ path }) => ({
        contents: withLate(readUtf8(join(root, path), maxCodeBytes), latePrefix),
        loader: 'js',
        resolveDir: dirname(join(root, path)),
      }));
    },
  };
}

const allOfIt = /\*(?:\s*as\s+[\w$]+)?\s*from\s*(['"])toolwright\1/;

/** Whether a module imports or passes on the package as a whole. What is not a file on disk does not. */
function takesAll(importer: string): boolean {
  try {
    return allOfIt.test(readUtf8(importer, maxCodeBytes));
  } catch {
    return false;
  }
}

function withLate(text: string, prefix: string | undefined): string {
  return prefix === undefined
    ? text
    : text.replaceAll(/\("\.\.\/((?:yaml|validators\.gen)\.cjs)"\)/g, `("${prefix}$1")`);
}
