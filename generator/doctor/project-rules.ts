// Rules about the project around a pack: what its package.json and tsconfig.json say, its compiler.
import { isAtLeast, readPackage } from '../../runtime/packs/installed-package.js';
import type { TsconfigOptions } from '../compile/project/project.js';
import { howToolwrightIsListed } from '../publish/package-findings.js';
import { findTypeScript } from '../typecheck/compile-project.js';
import { isUnsuitedResolution, neededResolution } from '../typecheck/unresolved-imports.js';
import { type ExaminedPack, type Judgement, ofPack, type Rule } from './finding.js';

/** Only of those who list it for development: a pack that lists it nowhere may be run by a toolwright of the machine. */
function judgeDependency({ folder }: ExaminedPack): readonly Judgement[] {
  const manifest = readPackage(folder);
  if (manifest === undefined || howToolwrightIsListed(manifest) !== 'dev') return [];
  const message = 'toolwright is among devDependencies only, and generated code imports it when it runs';
  return [{ status: 'warning', message, hint: 'move it to dependencies, or ship what toolwright build makes' }];
}

function judgeTsconfig({ tsconfig, folder, generated }: ExaminedPack): readonly Judgement[] {
  const { options, diagnostics } = tsconfig;
  if (options === undefined) return [];
  if (diagnostics.length > 0)
    return diagnostics.map(({ message, hint }) => ({ status: 'warning', message, hint: hint ?? 'fix tsconfig.json' }));
  const found = [...judgeResolution(options), ...judgeOutput(options)];
  return found.length > 0 ? found : [{ status: 'ok', message: 'tsconfig.json works for the handlers' }];

  function judgeResolution({ module, moduleResolution, hasUnknownBase }: TsconfigOptions): Judgement[] {
    // What a silent tsconfig means depends on the compiler, and on what it extends.
    const version = hasUnknownBase === true ? undefined : findTypeScript(folder)?.version;
    if (!isUnsuitedResolution({ module, moduleResolution }, version)) return [];
    // Generated code is found all the same: its imports say that they mean an ES module.
    const message = 'tsconfig.json resolves modules in a way that cannot find the types for toolwright/testing';
    return [{ status: 'info', message, hint: neededResolution }];
  }

  function judgeOutput({ rootDir, outDir, noEmit, emitDeclarationOnly }: TsconfigOptions): Judgement[] {
    const pack = generated.loaded.program?.pack;
    const isWritten = noEmit !== true && emitDeclarationOnly !== true && outDir !== undefined && rootDir !== undefined;
    if (pack === undefined || !isWritten || outDir !== pack.dist || rootDir === pack.handlers) return [];
    const message = `with this rootDir, tsc writes handlers where an installed pack does not look for them (${pack.dist}/)`;
    return [{ status: 'warning', message, hint: `"rootDir": "${pack.handlers || '.'}", or toolwright build --pack` }];
  }
}

/** The oldest one that generated code is compiled with in our tests. */
const oldestTypeScript = '5.9';

function judgeTypeScript({ folder, project }: ExaminedPack): readonly Judgement[] {
  if (project?.language !== 'ts') return [];
  const version = findTypeScript(folder)?.version;
  if (version === undefined) {
    const message = 'no TypeScript is installed: handlers run without it, editors and tsc need it';
    return [{ status: 'info', message, hint: 'npm install --save-dev typescript' }];
  }
  if (isAtLeast(version, oldestTypeScript)) return [{ status: 'ok', message: `TypeScript ${version}` }];
  const message = `TypeScript ${version} is older than ${oldestTypeScript}, the oldest that generated code is tested with`;
  return [{ status: 'info', message }];
}

export const projectRules: readonly Rule[] = [
  ofPack('dependency', judgeDependency),
  ofPack('tsconfig', judgeTsconfig),
  ofPack('typescript', judgeTypeScript),
];
