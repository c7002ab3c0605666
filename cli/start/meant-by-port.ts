// In: the words of a command line that serves over HTTP. Out: the hint where somebody typed `--port`, which is `--http` here.

/** @example meantByPort(['--port', '3000']) // 'did you mean --http 3000?' */
export function meantByPort(words: readonly string[]): string | undefined {
  const at = words.findIndex(word => /^--port(?:=|$)/.test(word));
  if (at < 0) return undefined;
  const given = words[at]?.slice('--port='.length) || words[at + 1];
  return `did you mean --http ${given !== undefined && /^\d+$/.test(given) ? given : '<port>'}?`;
}
