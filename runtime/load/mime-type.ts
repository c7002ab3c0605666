// Media types: by the ending of a file, and which of them are text.

const endingsOf: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/javascript': 'js mjs cjs',
  'application/json': 'json map',
  'application/ld+json': 'jsonld',
  'application/pdf': 'pdf',
  'application/sql': 'sql',
  'application/toml': 'toml',
  'application/typescript': 'ts mts cts',
  'application/wasm': 'wasm',
  'application/xml': 'xml xsd xsl',
  'application/yaml': 'yaml yml',
  'application/zip': 'zip',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg oga opus',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg jpeg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif tiff',
  'image/vnd.microsoft.icon': 'ico',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html htm',
  'text/markdown': 'md markdown',
  'text/plain': 'txt log text',
  'text/tab-separated-values': 'tsv',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/** By ending, made with the first question. */
let types: ReadonlyMap<string, string> | undefined;

/**
 * The media type that the ending of a file stands for.
 *
 * @example mimeTypeOf('docs/board.png') // 'image/png'
 */
export function mimeTypeOf(path: string): string | undefined {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1] ?? '';
  types ??= new Map(
    Object.entries(endingsOf).flatMap(([type, endings]) => endings.split(' ').map(one => [one, type] as const)),
  );
  return types.get(ending.toLowerCase());
}

/** The usual ending of a media type. */
export function extensionOf(mimeType: string): string | undefined {
  const [type = ''] = mimeType.split(';');
  const known = type.trim().toLowerCase();
  return Object.hasOwn(endingsOf, known) ? endingsOf[known]?.split(' ')[0] : undefined;
}

const textTypes =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|javascript|typescript|toml|sql|graphql)$)|\+(?:json|xml|yaml)$/;

/**
 * Tells whether content of a media type is text.
 *
 * @example isTextType('application/ld+json; charset=utf-8') // true
 */
export function isTextType(mimeType: string): boolean {
  const [type = ''] = mimeType.split(';');
  return textTypes.test(type.trim().toLowerCase());
}

/** JSON, or a format that is written as JSON. */
export function isJsonType(mimeType: string): boolean {
  const [type = ''] = mimeType.split(';');
  return /[/+]json$/.test(type.trim().toLowerCase());
}
