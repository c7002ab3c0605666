// In: the words of a command line. Out: an exit code: 0 fine, 1 errors, 2 usage, 70 a bug of ours.
import { Command, CommanderError, Option } from 'commander';

const formats = ['text', 'json', 'github', 'sarif'] as const;
export type OutputFormat = (typeof formats)[number];

/** Flags that every command has. */
export interface CommonFlags {
  readonly format: OutputFormat;
  readonly cwd?: string;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

export async function run(words: readonly string[]): Promise<number> {
  ignoreClosedPipes();
  let exitCode = 0;
  const program = makeProgram(code => {
    exitCode = code;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own message; it calls help and version "errors" of exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    // By name: each command may be a bundle of its own, with its own class.
    if (error instanceof Error && error.name === 'UsageError') {
      process.stderr.write(`toolwright: ${error.message}\n`);
      return 2;
    }
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`toolwright: this is a bug in toolwright, not in your pack. Please report it:\n${cause}\n`);
    return 70;
  }
}

function makeProgram(exit: (code: number) => void): Command {
  const program = new Command('toolwright')
    .description('Checks, compiles and serves YAML manifests of MCP servers.')
    .option('-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(add --help for the whole usage)')
    .configureHelp({ showGlobalOptions: false })
    .helpCommand(false);
  withOverlays(withCommonFlags(program.command('check')), 'for texts and policy')
    .description('report every mistake in a pack')
    .argument('[path...]', 'folders, package names or manifest files')
    .option('--strict', 'exit with 1 on warnings too')
    .action(async (paths, flags) => exit(await (await import('./check.js')).check(paths, flags)));
  withOverlays(withCommonFlags(program.command('explain')), 'for texts and policy')
    .description('show which definition of an item wins, what it shadows, and where each field was written')
    .argument('<item>', 'an item name, or kind:name')
    .option('--field <name>', 'only this field')
    .action(async (item, flags) => exit(await (await import('./explain.js')).explainItem(item, flags)));
  withCommonFlags(program.command('generate'))
    .description('write types, validators and handler stubs')
    .argument('[path]', 'a folder, a package name or a manifest file')
    .option('--check', 'write nothing, exit with 1 where something would change')
    .option('--dry-run', 'write nothing, print what would happen')
    .option('--watch', 'generate again on every change')
    .option('--force', 'replace generated files that were edited by hand')
    .action(async (path, flags) => exit(await (await import('./generate.js')).generateCommand(path, flags)));
  withOverlays(withCommonFlags(program.command('rename')), 'inside the pack')
    .description('rename an item everywhere: manifests, texts, handlers and what imports them')
    .argument('<kind>', 'server, tool, prompt or resource')
    .argument('<old>', 'its item name')
    .argument('<new>', 'the new one')
    .option('--dry-run', 'only print what would change')
    .action(async (kind, from, to, flags) =>
      exit(await (await import('./rename.js')).rename({ kind, from, to }, flags)),
    );
  withOverlays(withCommonFlags(program.command('typecheck')), 'for texts and policy')
    .description('report type errors, each with the manifest line it contradicts')
    .argument('[path]', 'a folder, a package name or a manifest file')
    .action(async (path, flags) => exit(await (await import('./typecheck.js')).typecheck(path, flags)));
  withOverlays(withTalkFlags(program.command('start')), 'for texts and policy')
    .description('serve a server of the pack, over stdio or HTTP')
    .argument('[server]', 'its item name; may be left out where the pack has one')
    .option('--http [port]', 'serve over HTTP; 0 takes a free port')
    .option('--host <address>', 'where to listen; anything but loopback needs auth')
    .option('--insecure', 'listen anywhere without auth')
    .option('--strict', 'refuse to start where an item is broken or a handler is missing')
    .option('--mode <name>', 'only items of this mode')
    .action(async (server, flags) => exit(await (await import('./start.js')).start(server, flags)));
  withOverlays(withTalkFlags(program.command('call')), 'for texts and policy')
    .description('call a tool and print its result')
    .usage('[options] [server] <tool> [json]')
    .argument('<words...>', 'the tool, after a server where the pack has several, before its arguments; - reads them')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('--arg <key=value>', 'one argument; may be repeated', collect)
    .setOptionValueWithSource('arg', [], 'default')
    .option('--strict', 'refuse where an item is broken or a handler is missing')
    .option('--mode <name>', 'only items of this mode')
    .action(async (words, flags) => exit(await (await import('./call.js')).call(words, flags)));
  // Overlays change no schema; they are taken so that one set of flags fits check, explain and schema.
  withOverlays(withCommonFlags(program.command('schema')), 'for texts and policy')
    .description('print the JSON Schema of a kind of file, or where the schemas are installed')
    .argument('[kind]', 'pack, server, tool, prompt, resource, their combined files (tools, ...), overlay, overlays')
    .option('--path', 'print the path of the file instead of its text')
    .action(async (kind, flags) => exit((await import('./schema.js')).schema(kind, flags)));
  return program;
}

function withCommonFlags(command: Command): Command {
  return withTalkFlags(
    command.addOption(new Option('--format <format>', 'how to print').choices([...formats]).default('text')),
  );
}

function withTalkFlags(command: Command): Command {
  return command
    .option('--cwd <dir>', 'run as if started in this folder')
    .option('--quiet', 'print only errors')
    .option('--no-color', 'print without colours');
}

/** The default is set apart from the option, or help would show it. */
function withOverlays(command: Command, which: string): Command {
  return command
    .option('--overlay <dir>', `a folder of patches ${which}; may be repeated`, collect)
    .setOptionValueWithSource('overlay', [], 'default');
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** `toolwright check | head` closes the pipe early: that is no error of ours. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', error => {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    });
  }
}
