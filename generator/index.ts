// The package's face for build tools: `import { formatDiagnostics } from 'toolwright/generator'`.
export { formatDiagnostics } from '../schema/print-diagnostics.js';
