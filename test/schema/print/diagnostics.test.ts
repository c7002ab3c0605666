import { describe, expect, it } from 'vitest';
import { type Code, codes } from '../../../schema/codes.js';
import { type Diagnostic, diagnose } from '../../../schema/diagnostics.js';
import { type DiagnosticFormat, formatDiagnostics, type Paint, printLine } from '../../../schema/print/diagnostics.js';
import { showHidden, visible, visibleLines } from '../../../schema/print/visible.js';

type Place = Pick<Diagnostic, 'line' | 'column' | 'endLine' | 'endColumn'>;

const place = (line: number, column: number, endColumn: number, endLine = line): Place => ({
  line,
  column,
  endLine,
  endColumn,
});

function make(at: Place, extra: Partial<Diagnostic> = {}): Diagnostic {
  return { code: 'validate/unknown-key', severity: 'error', message: 'wrong', file: 'mcp/a.yaml', ...at, ...extra };
}

function print(diagnostics: readonly Diagnostic[], text?: string, format: DiagnosticFormat = 'text'): string {
  return formatDiagnostics(diagnostics, { format, textOf: () => text });
}

/** The two last lines of a code frame. */
function frame(text: string, at: Place): string[] {
  const lines = print([make(at)], text).split('\n');
  const end = lines.indexOf('');
  return lines.slice(end - 2, end);
}

describe('the text format', () => {
  it('W67 a diagnostic prints its position, severity, message, code, frame, hint and related positions', () => {
    const site = { file: 'mcp/tools/x.yaml', ...place(3, 1, 5) };
    const first = { file: 'mcp/tools.yaml', ...place(12, 3, 9), message: 'the other one' };
    const all = [
      diagnose('validate/unknown-key', { key: 'nmae', where: 'the document' }, site, {
        hint: 'did you mean "name"?',
        related: [first],
      }),
      diagnose('link/no-description', { kind: 'tool', item: 'x' }, { ...site, ...place(2, 1, 6) }),
      make(place(1, 1, 2), { severity: 'error', file: 'toolwright.yaml' }),
    ];
    const text = '# a tool\ntitle: X\nnmae: x\n';
    expect(
      formatDiagnostics(all, { format: 'text', textOf: file => (file.startsWith('mcp') ? text : undefined) }),
    ).toBe(
      `mcp/tools/x.yaml:3:1 error unknown key "nmae" in the document  [validate/unknown-key]
2 | title: X
3 | nmae: x
  | ^^^^
  = hint: did you mean "name"?
  = mcp/tools.yaml:12:3 the other one

mcp/tools/x.yaml:2:1 warning the tool "x" has no description  [link/no-description]
1 | # a tool
2 | title: X
  | ^^^^^
  = hint: add \`description\`

toolwright.yaml:1:1 error wrong  [validate/unknown-key]

2 errors, 1 warning in 2 files
`,
    );
  });

  it('W67 the last line counts errors, warnings, notes and files', () => {
    expect(print([])).toBe('no problems\n');
    expect(print([make(place(1, 1, 2), { severity: 'info' })])).toContain('1 note in 1 file\n');
    expect(print([make(place(1, 1, 2)), make(place(1, 1, 2))])).toContain('2 errors in 1 file\n');
  });

  it('W67 a frame for the first line has no line before it, and an empty one is not shown', () => {
    expect(print([make(place(1, 1, 2))], 'a: 1')).toContain('[validate/unknown-key]\n1 | a: 1\n');
    expect(print([make(place(3, 1, 2))], 'a: 1\n\nb: 2')).toContain('[validate/unknown-key]\n3 | b: 2\n');
  });

  it('W67 line numbers of different length are aligned', () => {
    const text = Array.from({ length: 12 }, (_, index) => `k${index + 1}: 1`).join('\r\n');
    expect(print([make(place(10, 1, 4), { hint: 'h' })], text)).toContain(
      ' 9 | k9: 1\n10 | k10: 1\n   | ^^^\n   = hint: h\n',
    );
  });

  it.each([
    ['tabs', 'a:\tb\tc', place(1, 6, 7), '1 | a:  b   c', '  |         ^'],
    ['CJK', '名前: 値', place(1, 5, 6), '1 | 名前: 値', '  |       ^^'],
    ['emoji', '👍: x', place(1, 5, 6), '1 | 👍: x', '  |     ^'],
    ['a family of emoji', '👩‍👩‍👧: x', place(1, 1, 9), '1 | 👩‍👩‍👧: x', '  | ^^'],
    ['a flag', '🇩🇪 x', place(1, 6, 7), '1 | 🇩🇪 x', '  |    ^'],
    ['a text character shown as emoji', '❤️ x', place(1, 4, 5), '1 | ❤️ x', '  |    ^'],
    ['combining marks', 'e\u0301: x', place(1, 5, 6), '1 | e\u0301: x', '  |    ^'],
    ['Hangul and fullwidth', '한Ａ: x', place(1, 5, 6), '1 | 한Ａ: x', '  |       ^'],
    ['an empty range', 'a: 1', place(1, 3, 3), '1 | a: 1', '  |   ^'],
    ['a range of several lines', 'a: b', place(1, 2, 1, 4), '1 | a: b', '  |  ^^^'],
    ['a place behind the end', 'ab', place(1, 9, 12), '1 | ab', '  |   ^'],
    ['an empty line', '', place(1, 1, 1), '1 |', '  | ^'],
  ])('W67 the mark is right under %s', (_, text, at, line, mark) => {
    expect(frame(text, at)).toEqual([line, mark]);
  });

  it('W67 a long line is cut around the mistake', () => {
    const [line = '', mark = ''] = frame(
      `${'a'.repeat(100_000)}HERE${'b'.repeat(100_000)}`,
      place(1, 100_001, 100_005),
    );
    expect(line.length).toBeLessThan(130);
    expect(line).toMatch(/^1 \| …a+HEREb+…$/);
    expect(mark.indexOf('^')).toBe(line.indexOf('HERE'));
    expect(mark.trim()).toMatch(/\^{4}$/);
  });

  it('W67 the beginning and the end of a long line, and pairs of surrogates, are not cut wrongly', () => {
    const long = '👍'.repeat(200);
    expect(frame(long, place(1, 1, 3))[0]).toMatch(/^1 \| (👍)+…$/u);
    expect(frame(long, place(1, 399, 401))[0]).toMatch(/^1 \| …(👍)+$/u);
    for (let column = 1; column < 400; column += 7) {
      expect(frame(long, place(1, column, column + 2))[0]).not.toMatch(/\\u/);
    }
  });

  it('W67 the line before a cut line is cut at the same column', () => {
    const lines = print([make(place(2, 300, 304))], `${'p'.repeat(20)}\n${'x'.repeat(400)}`).split('\n');
    expect(lines[1]).toMatch(/^2 \| …x+…$/);
    const longer = print([make(place(2, 300, 304))], `${'p'.repeat(400)}\n${'x'.repeat(400)}`).split('\n');
    expect(longer[1]).toMatch(/^1 \| …p+…$/);
    expect(longer[1]?.length).toBe(longer[2]?.length);
  });

  it('W67 a position that the file does not have gives no frame', () => {
    expect(print([make(place(9, 1, 2))], 'a: 1')).toBe(
      'mcp/a.yaml:9:1 error wrong  [validate/unknown-key]\n\n1 error in 1 file\n',
    );
  });

  it('W67 colours come from the caller', () => {
    const tag =
      (name: string) =>
      (text: string): string =>
        `<${name}>${text}</${name}>`;
    const color: Paint = {
      red: tag('red'),
      yellow: tag('yellow'),
      blue: tag('blue'),
      dim: tag('dim'),
      bold: tag('bold'),
      cyan: tag('cyan'),
    };
    const one = make(place(1, 1, 2), { severity: 'warning', hint: 'h' });
    expect(formatDiagnostics([one], { format: 'text', color, textOf: () => 'a: 1' })).toBe(
      '<bold>mcp/a.yaml:1:1</bold> <yellow>warning</yellow> wrong  <dim>[validate/unknown-key]</dim>\n' +
        '<dim>1 |</dim> a: 1\n<dim>  |</dim> <yellow>^</yellow>\n  <dim>=</dim> <cyan>hint:</cyan> h\n\n1 warning in 1 file\n',
    );
  });

  it('W67 a file is asked for once', () => {
    const asked: string[] = [];
    const textOf = (file: string): undefined => {
      asked.push(file);
    };
    formatDiagnostics([make(place(1, 1, 2)), make(place(1, 1, 2)), make(place(1, 1, 2))], { format: 'text', textOf });
    expect(asked).toEqual(['mcp/a.yaml']);
  });
});

describe('hostile text in diagnostics', () => {
  const evil = 'a\u001b[31mb\u009b2Jc\u0007\u0000\r\u202e\u2066\u200b\ufeff\u2028\u007f\ud800\u{e0041}d';
  const one = make(place(1, 1, 3), {
    file: `x${evil}.yaml`,
    message: evil,
    hint: `${evil}\nsecond`,
    related: [{ file: evil, message: evil, ...place(1, 1, 2) }],
  });
  const raw =
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0041}]|\p{Surrogate}/u;

  it.each(['text', 'json', 'github', 'sarif'] as const)(
    'W67 no control character reaches a terminal in the format %s',
    format => {
      const output = print([one], `${evil}\n${evil}`, format);
      expect(raw.exec(output)).toBeNull();
      expect(output.length).toBeGreaterThan(50);
    },
  );

  it('W67 control characters are escaped, and the mark stays in place', () => {
    expect(print([make(place(1, 1, 2), { message: 'a\u001b[31m\nb\u202e' })])).toContain(
      'error a\\x1b[31m\\nb\\u202e  [',
    );
    expect(frame('a\u001b[31mb', place(1, 7, 8))).toEqual(['1 | a\\x1b[31mb', '  |          ^']);
  });

  it('W67 JSON keeps the exact value', () => {
    expect(JSON.parse(print([one], undefined, 'json'))).toEqual([one]);
    expect(print([], undefined, 'json')).toBe('[]\n');
    expect(print([make(place(1, 1, 2))], undefined, 'json')).toContain('\n    "code": "validate/unknown-key",\n');
  });
});

describe('the github format', () => {
  it('W67 the github format prints workflow commands, escaped as GitHub reads them', () => {
    const all = [
      make(place(3, 5, 9), { message: '100% wrong: a,b\nnext', hint: 'did you mean "x"?', file: 'mcp/a,b:c.yaml' }),
      make(place(1, 2, 4, 6), { severity: 'warning' }),
      make(place(1, 1, 1), { severity: 'info' }),
    ];
    expect(print(all, undefined, 'github').split('\n')).toEqual([
      '::error file=mcp/a%2Cb%3Ac.yaml,line=3,col=5,endLine=3,endColumn=9,title=validate/unknown-key::100%25 wrong: a,b\\nnext%0Ahint: did you mean "x"?',
      '::warning file=mcp/a.yaml,line=1,endLine=6,title=validate/unknown-key::wrong',
      '::notice file=mcp/a.yaml,line=1,col=1,endLine=1,endColumn=1,title=validate/unknown-key::wrong',
      '',
    ]);
    expect(print([], undefined, 'github')).toBe('');
  });

  it('W67 a message cannot start a workflow command of its own', () => {
    const output = print(
      [make(place(1, 1, 2), { message: 'x\n::set-output name=a::b\r::stop-commands::t' })],
      undefined,
      'github',
    );
    expect(output.trimEnd().split(/[\r\n]/)).toHaveLength(1);
  });
});

interface SarifMessage {
  readonly text: string;
}
interface SarifLocation {
  readonly id?: number;
  readonly message?: SarifMessage;
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string };
    readonly region: { startLine: number; startColumn: number; endLine: number; endColumn: number };
  };
}
interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: SarifMessage;
  readonly locations: readonly SarifLocation[];
  readonly relatedLocations?: readonly SarifLocation[];
}
interface SarifLog {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly rules: readonly {
          readonly id: string;
          readonly shortDescription: SarifMessage;
          readonly help: SarifMessage;
          readonly defaultConfiguration: { readonly level: string };
        }[];
      };
    };
    readonly columnKind: string;
    readonly results: readonly SarifResult[];
  }[];
}

describe('the sarif format', () => {
  const sarif = (diagnostics: readonly Diagnostic[]): SarifLog => JSON.parse(print(diagnostics, undefined, 'sarif'));
  const related = [
    { file: 'mcp/tools.yaml', message: 'first here', ...place(1, 1, 4) },
    { file: 'mcp/tools.yaml', message: 'then here', ...place(2, 1, 4) },
  ];
  const all = [
    make(place(2, 3, 7), { code: 'resolve/unreachable', severity: 'warning' }),
    make(place(1, 1, 1), { related, hint: 'try this' }),
    make(place(4, 1, 3, 6), { severity: 'info' }),
  ];

  it('W67 SARIF has one run, with rules from the catalogue and results with levels and regions', () => {
    const log = sarif(all);
    expect(log.version).toBe('2.1.0');
    expect(log.runs).toHaveLength(1);
    const [run] = log.runs;
    expect(run?.columnKind).toBe('utf16CodeUnits');
    expect(run?.tool.driver.name).toBe('toolwright');
    const rules = run?.tool.driver.rules ?? [];
    expect(rules.map(rule => rule.id)).toEqual(['resolve/unreachable', 'validate/unknown-key']);
    for (const rule of rules) {
      const entry = codes[rule.id as Code];
      expect(rule.help.text).toContain(entry.cause);
      expect(rule.help.text).toContain(entry.fix);
      expect(rule.defaultConfiguration.level).toBe(entry.severity);
    }
    expect(run?.results.map(result => [result.ruleId, result.ruleIndex, result.level])).toEqual([
      ['resolve/unreachable', 0, 'warning'],
      ['validate/unknown-key', 1, 'error'],
      ['validate/unknown-key', 1, 'note'],
    ]);
    for (const result of run?.results ?? []) expect(rules[result.ruleIndex]?.id).toBe(result.ruleId);
    expect(run?.results[2]?.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'mcp/a.yaml', uriBaseId: '%SRCROOT%' },
          region: { startLine: 4, startColumn: 1, endLine: 6, endColumn: 3 },
        },
      },
    ]);
  });

  it('W67 related positions in SARIF have ids of their own and messages', () => {
    const result = sarif(all).runs[0]?.results[1];
    expect(result?.message.text).toBe('wrong\nhint: try this');
    expect(result?.relatedLocations?.map(one => [one.id, one.message?.text])).toEqual([
      [0, 'first here'],
      [1, 'then here'],
    ]);
    expect(sarif(all).runs[0]?.results[0]).not.toHaveProperty('relatedLocations');
  });

  it('W67 braces and brackets of a message are neither placeholders nor links in SARIF (3.11.5, 3.11.6)', () => {
    const [result] =
      sarif([make(place(1, 1, 2), { message: 'use {{name}} or {0}, see [it](0)' })]).runs[0]?.results ?? [];
    expect(result?.message.text).toBe('use {{{{name}}}} or {{0}}, see [it] (0)');
  });

  it.each([
    ['mcp/tools/a b.yaml', 'mcp/tools/a%20b.yaml'],
    ['größe/100%.yaml', 'gr%C3%B6%C3%9Fe/100%25.yaml'],
    ['a:b/c?d#e.yaml', 'a%3Ab/c%3Fd%23e.yaml'],
    ['../other/x.yaml', '../other/x.yaml'],
    ['x\ud800.yaml', 'x%EF%BF%BD.yaml'],
  ])('W67 the file %j has the URI %s', (file, uri) => {
    const log = sarif([make(place(1, 1, 2), { file })]);
    expect(log.runs[0]?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
  });

  it('W67 SARIF without diagnostics is a run without results', () => {
    expect(sarif([]).runs[0]?.results).toEqual([]);
  });

  it('W67 every code of the catalogue can be a SARIF rule', () => {
    const log = sarif(Object.keys(codes).map(code => make(place(1, 1, 2), { code: code as Code })));
    expect(log.runs[0]?.tool.driver.rules.map(rule => rule.id)).toEqual(Object.keys(codes).sort());
    for (const rule of log.runs[0]?.tool.driver.rules ?? []) expect(rule.shortDescription.text).not.toBe('');
  });
});

describe('diagnostics in logs of CI systems', () => {
  const commands = [
    '::error title=Hi::x',
    '  ::stop-commands::y',
    '##[error]z',
    'a ##vso[task.setvariable]b',
    '##teamcity[x]',
  ];

  it('fix-A15 text of an author never becomes a command of a CI system', () => {
    for (const text of commands) {
      const wrong = make(place(2, 1, 3), {
        file: text,
        message: text,
        hint: text,
        related: [{ file: text, ...place(1, 1, 1), message: text }],
      });
      for (const shown of [
        print([wrong], `${text}\n${text}\n`),
        printLine(wrong),
        visibleLines(` ${text}\n+${text}\n`),
      ]) {
        expect(shown).not.toMatch(/^\s*::|##(?:\[|vso\[|teamcity\[)/m);
        expect(shown).toContain(text.slice(-3));
      }
    }
    // Elsewhere these are what they are.
    expect(visible('std::vector and ## a title')).toBe('std::vector and ## a title');
    expect(visible('::x')).toBe('\\x3a:x');
    expect(showHidden({ text: '::x' })).toEqual({ text: '::x' });
  });
});
