// In: code and its language. Out: HTML with comments, strings, keys and keywords marked. Small on purpose: a wrong colour does no harm.

import { escapeHtml } from './read-page.mjs';

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;
const number = /\b(?:true|false|null|undefined|\d+(?:\.\d+)?)\b/;
const keyword =
  /\b(?:import|export|from|const|let|await|async|return|function|interface|type|class|extends|implements|new|throw|if|else|for|of|readonly|declare|default|constructor)\b/;
const code = {
  comment: /\/\/[^\n]*|\/\*[\s\S]*?\*\//,
  string: new RegExp(`${string.source}|\`(?:[^\`\\\\]|\\\\.)*\``),
  keyword,
  number,
};

const languages = {
  yaml: {
    comment: /(?<=^|\s)#[^\n]*/m,
    key: /(?<=^\s*(?:- )?|[{,]\s*)[\w$<>.*/-]+(?=:(?:\s|$))/m,
    string,
    number: /(?<=[:,[]\s)(?:true|false|null|-?\d+(?:\.\d+)?)(?=[\s,\]}]|$)/m,
  },
  json: { key: /"(?:[^"\\\n]|\\.)*"(?=\s*:)/, string, number },
  sh: { comment: /(?<=^|\s)#[^\n]*/m, string, key: /(?<=^|\n)\s*(?:npx |npm |node |toolwright |\$ )[\w-]*/ },
  ts: code,
};
const aliases = {
  yml: 'yaml',
  js: 'ts',
  mjs: 'ts',
  tsx: 'ts',
  typescript: 'ts',
  javascript: 'ts',
  jsonc: 'json',
  bash: 'sh',
  shell: 'sh',
};

export function highlight(text, language) {
  const rules = languages[aliases[language] ?? language];
  if (rules === undefined) return escapeHtml(text);
  const names = Object.keys(rules);
  const pattern = new RegExp(names.map(name => `(?<${name}>${rules[name].source})`).join('|'), 'gm');
  let html = '';
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    const name = names.find(one => found.groups[one] !== undefined);
    html += `${escapeHtml(text.slice(end, found.index))}<span class="${name}">${escapeHtml(found[0])}</span>`;
    end = found.index + found[0].length;
  }
  return html + escapeHtml(text.slice(end));
}
