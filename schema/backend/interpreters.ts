// B3. In: a command with its arguments, its input and its variables. Out: the values that would become code of the program that runs them. No
// quoting makes a value safe there: a shell reads what it is given as its own language.
import type { ExecCall } from '../definitions.js';
import { asList, asMap, asText } from '../document.js';
import { type Part, type Placeholder, parseText, placeholdersOf } from './text.js';

export interface CodeValue {
  /** Inside `exec`. */
  readonly path: readonly (string | number)[];
  readonly placeholder: Placeholder;
  /** The end of a sentence that begins with the placeholder. */
  readonly reason: string;
}

interface Interpreter {
  readonly names: RegExp;
  /** The word behind such a flag is code, or the rest of its own. */
  readonly flags: RegExp;
  /** All words behind the flag are code. */
  readonly takesAll?: boolean;
  /** Beside these, as beside the flags, the first operand is not code. */
  readonly others?: RegExp;
  /** Flags with a value in the next word. */
  readonly valued?: RegExp;
  /** The first operand is a place, and the others are code there. */
  readonly isRemote?: boolean;
}

const interpreters: readonly Interpreter[] = [
  {
    names: /^(?:ba|da|z|k|mk|a|tc|c|fi|pd|ya)?sh$/,
    flags: /^(?:-[a-zA-Z]*c|-C|--command|--init-command)$/,
    valued: /^[-+][oO]$/,
  },
  {
    names: /^(?:node|nodejs|bun|deno)$/,
    flags: /^(?:-[a-z]*[epr]|--eval|--print|--require|--import|--loader|--experimental-loader|eval)$/,
  },
  { names: /^(?:python|pypy)w?$/, flags: /^-[a-zA-Z]*[cm]$/, valued: /^-[WX]$/ },
  { names: /^(?:perl|ruby|lua|luajit|osascript|Rscript|ghc|julia|elixir)$/, flags: /^(?:-[a-zA-Z0-9]*[eE]|--eval)$/ },
  { names: /^php$/, flags: /^(?:-[rBRE]|--run)$/, valued: /^-d$/ },
  { names: /^(?:pwsh|powershell)$/i, flags: /^-(?:c[a-z]*|e[a-z]*)$/i, takesAll: true },
  { names: /^cmd$/i, flags: /^\/[ckr]$/i, takesAll: true },
  { names: /^(?:g|m|n)?awk$/, flags: /^(?:-e|--source)$/, others: /^(?:-f|--file)/, valued: /^-[vF]$/ },
  { names: /^g?sed$/, flags: /^(?:-[a-zA-Z]*e|--expression)$/, others: /^(?:-[a-zA-Z]*[ef]|--file|--expression)/ },
  { names: /^(?:su|runuser|script)$/, flags: /^(?:-c|--command)$/, others: /^/ },
  { names: /^ssh$/, flags: /(?!)/, isRemote: true, valued: /^-[bBcDEeFIiJLlmOopPQRSWw]$/ },
];
const shells = interpreters.slice(0, 1);

/** They run the program that their arguments name. */
const runners = /^(?:env|sudo|doas|nice|nohup|timeout|xargs|setsid|stdbuf|busybox|time|flock|chroot|unshare|exec)$/;

/** What programs read before anything else: which code they load, what they start, and where their settings are. */
const variables =
  /^(?:PATH|HOME|SHELL|ENV|IFS|PS4|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|LESSCLOSE|CLASSPATH|XDG_CONFIG_HOME|XDG_CONFIG_DIRS|BASH_.*|BASHOPTS|SHELLOPTS|LD_.*|DYLD_.*|NODE_(?:OPTIONS|PATH)|PYTHON.*|PERL5?(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|GEM_.*|LUA_(?:PATH|CPATH|INIT).*|PHPRC|PHP_INI_SCAN_DIR|(?:_|JDK_)?JAVA_(?:TOOL_)?OPTIONS|MAVEN_OPTS|GRADLE_OPTS|npm_config_.*|GIT_.*|SSH_ASKPASS|DOCKER_HOST|KUBECONFIG)$/i;

interface Word {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly parts: readonly Part[];
  readonly values: readonly Placeholder[];
}

/**
 * @example findCodeValues({ command: 'bash', args: ['-c', 'echo {text}'] }) // [{ path: ['args', 1], placeholder: { name: 'text', ... }, ... }]
 */
export function findCodeValues(exec: Readonly<Record<string, unknown>>): readonly CodeValue[] {
  const { command, args, stdin, env } = exec as Partial<ExecCall>;
  const words = wordsOf(args);
  const ofVariables = Object.entries(asMap(env)).flatMap(([name, text]) =>
    variables.test(name)
      ? codeValues([readWord(text, ['env', name])], `the variable ${name} decides what programs run`)
      : [],
  );
  return [...ofProgram(asText(command), words, readWord(stdin, ['stdin'])), ...ofVariables];
}

function ofProgram(command: string, words: readonly Word[], stdin: Word): readonly CodeValue[] {
  const name = programName(command);
  const found = interpreters.find(({ names }) => names.test(name));
  if (found === undefined) return ofInnerProgram(name, words, stdin);
  const { flags, others, isRemote } = found;
  const readsInput = others === undefined && !words.some(({ text }) => isOperand(text) || flags.test(text));
  const code = codeWords(found, words);
  return codeValues(readsInput || isRemote === true ? [...code, stdin] : code, `${name} runs it as code`);
}

/** `env bash -c ...`, and `docker exec box sh -c ...`. */
function ofInnerProgram(name: string, words: readonly Word[], stdin: Word): readonly CodeValue[] {
  const isRunner = runners.test(name);
  const next = words.findIndex(({ text }, index) => {
    const inner = programName(text);
    const isNamed = ({ names }: Interpreter): boolean => names.test(inner);
    const after = words[index + 1]?.text ?? '';
    return (isRunner && interpreters.some(isNamed)) || shells.some(one => isNamed(one) && one.flags.test(after));
  });
  const program = words[next];
  return program === undefined ? [] : ofProgram(program.text, words.slice(next + 1), stdin);
}

/** `/usr/bin/python3.12` is python. */
function programName(command: string): string {
  const name = command.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');
  return name.replace(/-?[\d.]+$/, '');
}

function isOperand(text: string): boolean {
  return !text.startsWith('-');
}

function codeWords(
  { flags, takesAll, others, valued, isRemote }: Interpreter,
  words: readonly Word[],
): readonly Word[] {
  const isOperandAt = (word: Word, index: number): boolean =>
    (isOperand(word.text) || word.values.length > 0) && valued?.test(words[index - 1]?.text ?? '') !== true;
  const operandsFrom = (start: number): readonly Word[] =>
    words.filter((word, index) => index >= start && isOperandAt(word, index));
  if (isRemote === true) return operandsFrom(0).slice(1);
  const code: Word[] = [];
  let hasFlag = words.some(({ text }) => others?.test(text) === true);
  for (const [index, word] of words.entries()) {
    const [first] = word.parts;
    const start = typeof first === 'string' ? first.replace(/=.*$/s, '') : '';
    if (!flags.test(start)) continue;
    hasFlag = true;
    // `--eval={x}` and `-e{x}`; other options may stand between a shell's -c and its code.
    if (start !== word.text) code.push(word);
    else if (takesAll === true) code.push(...words.slice(index + 1));
    else code.push(...operandsFrom(index + 1).slice(0, 1));
  }
  return hasFlag ? code : operandsFrom(0).slice(0, 1);
}

function codeValues(words: readonly Word[], reason: string): readonly CodeValue[] {
  return [...new Set(words)].flatMap(({ path, values }) => values.map(placeholder => ({ path, placeholder, reason })));
}

function wordsOf(args: unknown): readonly Word[] {
  return asList(args).flatMap((one, index) =>
    typeof one === 'string'
      ? [readWord(one, ['args', index])]
      : asList(asMap(one)['args']).map((inner, at) => readWord(inner, ['args', index, 'args', at])),
  );
}

function readWord(value: unknown, path: Word['path']): Word {
  const text = asText(value);
  const { parts } = parseText(text);
  return { path, text, parts, values: placeholdersOf(parts).filter(({ of }) => of === 'argument') };
}
