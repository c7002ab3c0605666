// In: the tables of commands, variables, exit codes and diagnostics. Out: a page of each.

export function printCommands({ commands, cell, escapeText }) {
  const shown = commands.filter(({ isHidden }) => !isHidden);
  const opening = `# Commands

Every command of \`toolwright\`, with its arguments and options. \`toolwright <command> --help\` prints the same in a terminal. Data
goes to stdout, everything else to stderr. See also the [exit codes](exit-codes.md) and [environment variables](environment.md).
This page is made from \`cli/commands/\`.

| command | what it does |
|---|---|
${shown.map(({ name, text }) => `| [${name}](#${name}) | ${cell(escapeText(text))} |`).join('\n')}
`;
  return [opening, ...shown.map(printCommand)].join('\n');

  function printCommand({ name, text: about, usage, arguments: values, options }) {
    const words = usage ?? ['[options]', ...values.map(([form]) => form)].join(' ');
    const visible = options.filter(([, , more]) => !more?.isHidden);
    const rows = [...values, ...visible].map(row => `| ${cell(`\`${row[0]}\``)} | ${cell(printMeaning(row))} |`);
    const first = about.charAt(0).toUpperCase() + about.slice(1);
    const table = ['| argument or option | meaning |', '|---|---|', ...rows].join('\n');
    return `## ${name}\n\n${escapeText(first)}.\n\n\`\`\`sh\ntoolwright ${name} ${words}\n\`\`\`\n\n${table}\n`;
  }

  function printMeaning([, meaning, { choices, default: value } = {}]) {
    const allowed = choices === undefined ? [] : [`one of ${choices.map(choice => `\`${choice}\``).join(', ')}`];
    const usual = value === undefined ? [] : [`default \`${value}\``];
    const more = [...allowed, ...usual].join('; ');
    return more === '' ? escapeText(meaning) : `${escapeText(meaning)} (${more})`;
  }
}

export function printEnvironment({ ownVariables, foreignVariables, cell }) {
  const print = ({ name, does, form, example, readBy }) =>
    [
      `### ${name}`,
      `${does.charAt(0).toUpperCase()}${does.slice(1)}.`,
      `- **Value**: ${form}\n- **Read by**: ${readBy}`,
      ...(example === undefined ? [] : [`\`\`\`sh\n${example}\n\`\`\``]),
    ].join('\n\n');
  const row = ({ name, does, readBy }) => `| \`${name}\` | ${cell(does)} | ${cell(readBy)} |`;
  return `${[
    '# Environment variables',
    'What Toolwright reads from the environment. The variables that your handlers read are declared under [config](pack.md#config) in toolwright.yaml, and a token for HTTP is named by [auth.env](server.md#authenv). This page is made from `schema/variables.ts`.',
    '## Toolwright variables',
    ...ownVariables.map(print),
    '## Variables from the system and other programs',
    ['| variable | what it does | read by |', '|---|---|---|', ...foreignVariables.map(row)].join('\n'),
  ].join('\n\n')}\n`;
}

export function printExitCodes({ exitCodes, cell }) {
  const rows = exitCodes.map(({ code, name, meaning }) => `| ${code} | ${name} | ${cell(meaning)} |`);
  return `${[
    '# Exit codes',
    'What a command reports to a script or to CI when it ends. This page is made from `cli/terminal/exit-codes.ts`.',
    ['| code | name | when |', '|---|---|---|', ...rows].join('\n'),
    '`toolwright call` exits with 1 if the tool answers with an error, `toolwright test` if a test fails, and `check` and `lock --check` if something differs. `start` ends with 0 when the client closes the connection.',
  ].join('\n\n')}\n`;
}

/** What comes before the slash of a code, in the order in which things happen. */
const stages = {
  discover: 'Finding the pack',
  read: 'Reading files',
  parse: 'YAML and JSON',
  validate: 'Keys and values of manifests',
  schema: 'JSON Schemas inside definitions',
  text: 'Hidden characters',
  resolve: 'Which definition counts',
  overlay: 'Overlays',
  link: 'References, names and texts',
  backend: 'Tools without code',
  template: 'Templates of prompts, results and errors',
  example: 'Examples',
  pack: 'Other packs',
  lock: 'The lock file',
  generate: 'Generated code and handlers',
  typecheck: 'Types',
  author: '`init` and `add`',
  eject: '`eject`',
  import: '`import`',
  rename: '`rename`',
  remove: '`remove`',
  config: 'Configuration',
  options: 'Options of tools',
  runtime: 'Running servers',
  test: '`test`',
  build: '`build`',
  publish: 'Publishing',
};

export function printDiagnostics({ anchorsOf, codes, createSlugger, escapeText, listKeys }, kinds) {
  const stageOf = code => code.split('/')[0];
  const unknown = Object.keys(codes).filter(code => !(stageOf(code) in stages));
  if (unknown.length > 0) throw new Error(`no stage in scripts/reference/tables.mjs for ${unknown.join(', ')}`);
  const slug = createSlugger();
  slug('Diagnostics');
  const groups = Object.entries(stages)
    .map(([stage, title]) => ({ title, list: Object.keys(codes).filter(code => stageOf(code) === stage) }))
    .filter(({ list }) => list.length > 0)
    .map(({ title, list }) => ({
      title,
      anchor: slug(title),
      entries: list.map(code => ({ code, anchor: slug(code) })),
    }));
  const contents = groups.map(
    ({ title, anchor, entries }) =>
      `- [${title}](#${anchor}): ${entries.map(({ code, anchor: at }) => `[${code.split('/')[1]}](#${at})`).join(', ')}`,
  );
  const concerned = keysOfCodes(kinds);
  const print = ({ code }) => {
    const { severity, cause, fix } = codes[code];
    const keys = concerned.get(code) ?? [];
    const about = keys.length === 0 ? [] : [`About: ${keys.join(', ')}`];
    return [`### ${code}`, `*${severity}* - ${escapeText(cause)}`, escapeText(fix), ...about].join('\n\n');
  };
  return `${[
    '# Diagnostics',
    'Every code that Toolwright can report, with its severity, why it happens and what helps, by the stage that finds it. Some codes that are a warning in a raw `inputSchema` are an error in the `parameters` shorthand. This page is made from `schema/codes/`.',
    contents.join('\n'),
    ...groups.flatMap(({ title, entries }) => [`## ${title}`, ...entries.map(print)]),
  ].join('\n\n')}\n`;

  /** Code -> links to the keys that it is about. */
  function keysOfCodes(references) {
    const found = new Map();
    for (const reference of references) {
      const { kind, keys } = reference;
      const anchors = anchorsOf(reference);
      for (const { path, codes: list = [] } of listKeys(keys)) {
        const link = `[${kind} \`${path}\`](${kind}.md#${anchors.get(path)})`;
        for (const code of list) found.set(code, [...(found.get(code) ?? []), link]);
      }
    }
    return found;
  }
}
