// What a page of the docs asks a reader to do. In: Markdown. Out: files to write and commands to run, in order, with the output that the
// page shows; what it does not let a test run, with the reason; and mistakes of the page itself.
//
// - a block whose first line is a comment with a path is that file; so is any block below a line such as "`package.json`:"
// - an `sh` block is run line by line; a `text` block that is the next block shows what it prints ("..." leaves out)
// - `<!-- not run: reason -->` before a block of commands leaves it out, `<!-- exit: 1 -->` says that its last command fails,
//   `<!-- first: command -->` does what the prose before a block asks for ("Correct the word."),
//   `<!-- start: pack -->` anywhere says that the page begins in a pack that `init` made, not in an empty folder

export interface Command {
  readonly text: string;
  readonly line: number;
}

export interface WriteStep {
  readonly kind: 'write';
  readonly path: string;
  readonly text: string;
  readonly line: number;
}

export interface RunStep {
  readonly kind: 'run';
  readonly commands: readonly Command[];
  /** Of the last command; those before it must end with 0. */
  readonly exit: number;
  readonly shown: string | undefined;
  readonly line: number;
}

export interface SkippedBlock {
  readonly reason: string;
  readonly line: number;
}

export interface Page {
  readonly startsIn: 'empty' | 'pack';
  readonly steps: readonly (WriteStep | RunStep)[];
  readonly skipped: readonly SkippedBlock[];
  readonly problems: readonly string[];
  /** Of prose: code, tables and comments do not count. */
  readonly words: number;
}

interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** Comments for the test that stand between the block before and this one. */
  readonly marks: readonly Mark[];
  /** From a line such as "`package.json`:" right above the block. */
  readonly path: string | undefined;
}

interface Mark {
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

const shells = new Set(['sh', 'bash', 'shell', 'console', 'zsh', 'fish', 'powershell', 'ps1', 'bat', 'cmd']);
const files = '[\\w@.-]*[\\w@-]\\.[a-z]+|Dockerfile|\\.env[.\\w]*|\\.gitignore';
const firstLine = new RegExp(`^(?:#|//|<!--) ((?:[\\w@.-]+/)*(?:${files}))(?: -->)?\\n`);
const pathLine = new RegExp(`^\`((?:[\\w@.-]+/)*(?:${files}))\`:$`);

export function readPage(markdown: string): Page {
  const problems: string[] = [];
  const { blocks, marks, prose } = split(markdown);
  const steps: (WriteStep | RunStep)[] = [];
  const skipped: SkippedBlock[] = [];
  blocks.forEach((block, index) => {
    const known = ['not run', 'exit', 'first', 'start'];
    for (const { key, value, line } of block.marks) {
      if (!known.includes(key)) problems.push(`line ${line}: unknown mark "${key}"`);
      if (value === '')
        problems.push(`line ${line}: the mark "${key}" needs ${key === 'not run' ? 'a reason' : 'a value'}`);
    }
    const markOf = (key: string): string | undefined => block.marks.find(mark => mark.key === key)?.value;
    const reason = markOf('not run');
    if (reason !== undefined) {
      skipped.push({ reason, line: block.line });
      return;
    }
    const file = fileOf(block);
    if (file !== undefined) {
      steps.push({ kind: 'write', ...file, line: block.line });
      return;
    }
    if (block.language === 'sh') {
      const next = blocks[index + 1];
      const asked = block.marks.filter(({ key }) => key === 'first').map(({ value, line }) => ({ text: value, line }));
      const shown = next?.language === 'text' && fileOf(next) === undefined ? next.text : undefined;
      steps.push({
        kind: 'run',
        commands: [...asked, ...commandsOf(block)],
        exit: Number(markOf('exit') ?? 0),
        shown,
        line: block.line,
      });
      return;
    }
    if (shells.has(block.language) || /^\$ /m.test(block.text))
      problems.push(`line ${block.line}: commands that no test runs: use an "sh" block, or say <!-- not run: why -->`);
    if (block.language === 'text' && blocks[index - 1]?.language !== 'sh')
      problems.push(`line ${block.line}: a "text" block without commands before it`);
  });
  const start = marks.find(({ key }) => key === 'start')?.value ?? 'empty';
  if (start !== 'empty' && start !== 'pack') problems.push(`a page starts in "empty" or "pack", not in "${start}"`);
  return { startsIn: start === 'pack' ? 'pack' : 'empty', steps, skipped, problems, words: countWords(prose) };
}

function split(markdown: string): { blocks: readonly Block[]; marks: readonly Mark[]; prose: string } {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  const marks: Mark[] = [];
  const prose: string[] = [];
  let waiting: Mark[] = [];
  let above = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, indent = '', language] = /^( *)```(\S*)/.exec(line) ?? [];
    if (language !== undefined) {
      const end = lines.findIndex((other, index) => index > at && other.trim() === '```');
      const inside = lines.slice(at + 1, end === -1 ? lines.length : end).map(one => one.slice(indent.length));
      const [, path] = pathLine.exec(above) ?? [];
      blocks.push({ language, text: `${inside.join('\n')}\n`, line: at + 1, marks: waiting, path });
      waiting = [];
      above = '';
      at = end === -1 ? lines.length : end;
      continue;
    }
    const [, key, value = ''] = /^<!-- ([a-z ]+):(.*)-->$/.exec(line) ?? [];
    if (key !== undefined && !/toolwright/.test(key)) {
      const mark = { key, value: value.trim(), line: at + 1 };
      marks.push(mark);
      waiting.push(mark);
      continue;
    }
    if (line.trim() !== '') above = line.trim();
    prose.push(line);
  }
  return { blocks, marks, prose: prose.join('\n') };
}

function fileOf(block: Block): { readonly path: string; readonly text: string } | undefined {
  if (block.path !== undefined) return { path: block.path, text: block.text };
  if (block.language === 'sh' || block.language === 'text') return undefined;
  const [, path] = firstLine.exec(block.text) ?? [];
  return path === undefined ? undefined : { path, text: block.text };
}

/** One for each line; a backslash at its end takes in the next. */
function commandsOf({ text, line }: Block): readonly Command[] {
  const commands: Command[] = [];
  let begun: Command | undefined;
  text.split('\n').forEach((written, index) => {
    const whole: Command = begun
      ? { text: `${begun.text}\n${written}`, line: begun.line }
      : { text: written, line: line + 1 + index };
    begun = written.endsWith('\\') ? whole : undefined;
    if (begun === undefined && !/^\s*(#.*)?$/.test(whole.text)) commands.push(whole);
  });
  return commands;
}

function countWords(prose: string): number {
  const text = prose
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^\|.*$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']');
  return text.split(/\s+/).filter(word => /\w/.test(word)).length;
}
