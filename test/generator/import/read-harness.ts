// Documents of tests, and what the reader says of them in one line each.
import type { Api, ApiOperation } from '../../../generator/import/openapi/api.js';
import { type ReadApi, type ReadApiOptions, readApi } from '../../../generator/import/openapi/read/read-api.js';
import type { Diagnostic } from '../../../schema/diagnostics.js';

export function read(text: string, options: ReadApiOptions & { readonly file?: string } = {}): ReadApi {
  return readApi({ file: options.file ?? 'api.yaml', text }, options);
}

export function apiOf(text: string, options?: ReadApiOptions & { readonly file?: string }): Api {
  const { api, diagnostics } = read(text, options);
  if (api === undefined) throw new Error(said(diagnostics).join('\n'));
  return api;
}

/** The only operation of a document. */
export function operationOf(text: string, options?: ReadApiOptions): ApiOperation {
  const [operation, ...others] = apiOf(text, options).operations;
  if (operation === undefined || others.length > 0) throw new Error(`${others.length + 1} operations`);
  return operation;
}

/** `warning import/ignored api.yaml:3:5 "x" is ignored: it is a list`. */
export function said(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(
    ({ severity, code, file, line, column, message }) => `${severity} ${code} ${file}:${line}:${column} ${message}`,
  );
}

/** A port for files, by their addresses. */
export function filesOf(files: Readonly<Record<string, string>>): (address: string) => string | undefined {
  return address => (Object.hasOwn(files, address) ? files[address] : undefined);
}
