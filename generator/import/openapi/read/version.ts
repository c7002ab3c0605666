// The version of a document. In: its root. Out: which of the versions it is, or why it is none.
import { diagnose, startOf } from '../../../../schema/diagnostics.js';
import { type Document, isMap } from '../../../../schema/document.js';
import type { ApiVersion } from '../api.js';
import type { Library } from './library.js';
import { textOf } from './reader.js';
import { type Recognized, recognizeValue } from './recognize.js';

/** Undefined after a diagnostic. */
export function readVersion(document: Document, library: Library): ApiVersion | undefined {
  const { value, file } = document;
  const refuse = ({ name, hint }: Recognized): undefined => {
    library.collect([diagnose('import/not-openapi', { file, seems: name }, startOf(file), { hint })]);
    return undefined;
  };
  if (!isMap(value)) return refuse(recognizeValue(value));
  const key = ['openapi', 'swagger'].find(one => value[one] !== undefined && value[one] !== null);
  const written = key === undefined ? undefined : textOf(value[key]);
  if (key === undefined || written === undefined) {
    const guess = guessVersion(value);
    if (guess === undefined) return refuse(recognizeValue(value));
    const reason = 'the document does not say its version';
    library.report('import/assumed', { what: `OpenAPI ${guess}`, reason }, { pointer: '#' });
    return guess;
  }
  const [major, minor = '0'] = written.trim().replace(/^v/i, '').split('.');
  if (major === '2') return '2.0';
  if (major === '3' && minor === '0') return '3.0';
  if (major === '3' && minor === '1') return '3.1';
  if (major === '3') {
    if (minor !== '2') {
      const reason = `${written} is newer than what is known here`;
      library.report('import/assumed', { what: 'OpenAPI 3.2', reason }, { pointer: `#/${key}` });
    }
    return '3.2';
  }
  library.collect([diagnose('import/unknown-version', { file, version: written }, document.site([key]))]);
  return undefined;
}

/** From what only one of the versions has. */
function guessVersion(value: Readonly<Record<string, unknown>>): ApiVersion | undefined {
  if (!isMap(value.paths) || 'asyncapi' in value || 'swaggerVersion' in value) return undefined;
  const isOld = ['definitions', 'host', 'basePath', 'securityDefinitions', 'consumes', 'produces', 'schemes'];
  return isOld.some(key => key in value) && !('components' in value) && !('servers' in value) ? '2.0' : '3.0';
}
