// In: the hash and the values of a YAML file that was parsed before and did not change since. Out: its source and documents;
// the file is read only where somebody asks for its text or for a position in it.
import type { Document, SourceFile } from '../../schema/document.js';
import { parse } from '../../schema/parse/parse.js';
import { ChangedMeanwhileError } from './folder.js';
import type { Read } from './read.js';

export interface Recalled {
  readonly source: SourceFile;
  readonly read: Read<readonly Document[]>;
}

export interface KnownSource extends Pick<SourceFile, 'path' | 'hash'> {
  readonly values: readonly unknown[];
}

export function recallSource({ path, hash, values }: KnownSource, read: () => Read<SourceFile>): Recalled {
  let text: string | undefined;
  let documents: readonly Document[] | undefined;
  const source: SourceFile = {
    path,
    format: 'yaml',
    hash,
    get text() {
      text ??= readSame(read, path, hash);
      return text;
    },
  };
  const open = (index: number): Document => {
    documents ??= parse(source, values).documents;
    const document = documents[index];
    if (document === undefined) throw new Error(`${path} has no document ${index}`);
    return document;
  };
  const late = values.map(
    (value, index): Document => ({
      file: path,
      value,
      site: (way, side) => open(index).site(way, side),
      find: (way, part, nth) => open(index).find(way, part, nth),
      source: way => open(index).source(way),
    }),
  );
  return { source, read: { value: late, diagnostics: [] } };
}

/** Positions in another text would be wrong, and remembered. */
function readSame(read: () => Read<SourceFile>, path: string, hash: string): string {
  const { value } = read();
  if (value?.hash !== hash) throw new ChangedMeanwhileError(`${path} changed while it was read`);
  return value.text;
}
