// The package's face for build tools: `import { generate, apply } from 'toolwright/generator'`.
export { formatDiagnostics } from '../schema/print/diagnostics.js';
export { type BuildOptions, type Built, type BuiltArtifact, build } from './build/build.js';
export { applyGenerated as apply, type Generated, type GenerateOptions, generate } from './compile/generate.js';
export type { FileOp } from './compile/reconcile.js';
