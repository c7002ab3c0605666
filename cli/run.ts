// In: the words of a command line. Out: an exit code: 0 fine, 1 errors, 2 usage, 70 a bug of ours.
import { Argument, Command, CommanderError, Option } from 'commander';
import { ignoreClosedPipes } from './closed-pipes.js';
import { collect, formats, withCommonFlags, withEntryFlags, withOverlays, withTalkFlags } from './common-flags.js';
import { refuseMisplaced } from './misplaced-options.js';

export async function run(words: readonly string[]): Promise<number> {
  ignoreClosedPipes();
  let exitCode = 0;
  const program = makeProgram(code => {
    exitCode = code;
  });
  try {
    refuseMisplaced(program, words);
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own message; it calls help and version "errors" of exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return isOutOfFiles(error) ? reportOutOfFiles() : await reportLate(error);
  }
}

async function reportLate(error: unknown): Promise<number> {
  let report: (error: unknown) => number;
  try {
    report = (await import('./report-error.js')).reportError;
  } catch (failed) {
    if (isOutOfFiles(failed)) return reportOutOfFiles();
    throw failed;
  }
  return report(error);
}

/** Not even the module that words errors can be loaded then. */
function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

function reportOutOfFiles(): number {
  process.stderr.write('toolwright: too many files are open: raise the limit (ulimit -n), or close other programs\n');
  return 1;
}

function makeProgram(exit: (code: number) => void): Command {
  const program = new Command('toolwright')
    .description('Checks, compiles and serves YAML manifests of MCP servers.')
    .option('-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('Run with --help for usage.')
    .configureHelp({ showGlobalOptions: false })
    .helpCommand(false);
  withOverlays(withCommonFlags(program.command('check')), 'for texts and policy')
    .description('report every mistake in a pack')
    .argument('[path...]', 'folders, package names or manifest files')
    .option('--strict', 'exit with 1 on warnings too')
    .option('--publish', 'also what would be missing or wrong once npm has published it')
    .option('--fix', 'with --publish: write the summary into package.json')
    .action(async (paths, flags) => exit(await (await import('./check.js')).check(paths, flags)));
  withTalkFlags(program.command('list'))
    .description('list the servers of this project and of the packs it has installed; runs and installs nothing')
    .argument('[pattern]', 'only servers whose qualified name it fits, such as acme/*')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('--tag <tag>', 'only servers that serve something with this tag')
    .option('--all', 'packs among all installed packages, not only among those that the project lists')
    .option('--builtin', 'what comes with toolwright, too')
    .option('--remote', 'packs of the registry, too, asked through npm')
    .option('--refresh', 'ask the registry again, whatever is known')
    .action(async (pattern, flags) => exit(await (await import('./list.js')).list(pattern, flags)));
  withOverlays(withCommonFlags(program.command('explain')), 'for texts and policy')
    .description('show which definition of an item wins, what it shadows, and where each field was written')
    .argument('<item>', 'a name, as in get-issue, tool:get-issue or acme/jira/get-issue')
    .option('--field <name>', 'only this field')
    .action(async (item, flags) => exit(await (await import('./explain.js')).explainItem(item, flags)));
  withOverlays(withTalkFlags(program.command('inspect')), 'for texts and policy')
    .description('show all of a server or pack: properties, items with their schemas and origins, missing packs')
    .argument('[name]', 'a server or a pack, as in reporting, acme/jira or acme/jira/reporting')
    .addOption(new Option('--format <format>', 'how to print').choices([...formats, 'mermaid']).default('text'))
    .option('--tag <tag>', 'only items with this tag')
    .option('--remote', 'ask the registry about packs that are not installed')
    .action(async (name, flags) => exit(await (await import('./inspect.js')).inspect(name, flags)));
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
  withCommonFlags(program.command('init'))
    .description('start a pack, in a new folder or in an existing package; nothing is overwritten')
    .argument('[dir]', 'where; this folder where it is left out')
    .option('--name <name>', 'of the package')
    .option('--description <text>', 'what it is for')
    .addOption(new Option('--language <language>', 'of the handlers').choices(['ts', 'js']))
    .addOption(new Option('--transport <transport>', 'how clients reach the server').choices(['stdio', 'http']))
    .option('--toolwright <spec>', 'what package.json asks for (this version)')
    .option('--yes', 'ask nothing')
    .option('--dry-run', 'only print what would be written')
    .action(async (dir, flags) => exit(await (await import('./init.js')).init(dir, flags)));
  withCommonFlags(program.command('add'))
    .description('add an item: definition, stub, and declaration where toolwright.yaml lists its kind')
    .argument('<kind>', 'server, tool, prompt or resource')
    .argument('<name>', 'its item name')
    .option('--description <text>', 'what it does; a model reads it')
    .option('--server <name>', 'also into the list of this server')
    .option('--dry-run', 'only print what would change')
    .action(async (kind, item, flags) => exit(await (await import('./add.js')).add(kind, item, flags)));
  withOverlays(withCommonFlags(program.command('typecheck')), 'for texts and policy')
    .description('report type errors, each with the manifest line it contradicts')
    .argument('[path]', 'a folder, a package name or a manifest file')
    .action(async (path, flags) => exit(await (await import('./typecheck.js')).typecheck(path, flags)));
  withOverlays(withTalkFlags(program.command('start')), 'for texts and policy')
    .description('serve a server of the pack, over stdio or HTTP')
    .argument('[server]', 'its name, as in reporting or acme/jira/reporting; may be left out where the pack has one')
    .option('--http [port]', 'serve over HTTP; 0 takes a free port')
    .option('--stdio', 'serve over stdio, whatever the definition says')
    .option('--host <address>', 'where to listen; anything but loopback needs auth')
    .option('--insecure', 'listen anywhere without auth')
    .option('--strict', 'refuse to start where an item is broken or a handler is missing')
    .option('--no-install', 'install no packs that are missing')
    .option('--frozen', 'leave out items of other packs that are not as toolwright.lock has them')
    .option('--mode <name>', 'only items of this mode')
    .addOption(
      new Option('--lane <lane>', 'sdk: leave everything to the MCP SDK').choices(['lean', 'sdk']).default('lean'),
    )
    .action(async (server, flags) => exit(await (await import('./start.js')).start(server, flags)));
  withCommonFlags(program.command('build'))
    .description('make servers of the pack that run by themselves: one file to start, no node_modules')
    .argument('[server...]', 'their item names; all where none is named')
    .option('--out <dir>', 'where to write, relative to the pack', 'dist')
    .addOption(new Option('--target <target>', 'where it will run').choices(['node', 'worker']).default('node'))
    .option('--single-file', 'put everything into the one file')
    .option('--external <name>', 'a package that stays outside; may be repeated', collect)
    .setOptionValueWithSource('external', [], 'default')
    .option('--sourcemap', 'write source maps of handlers')
    .option('--minify', 'make handlers small too')
    .addOption(
      new Option('--definitions <where>', 'external: beside the server, where they can be changed')
        .choices(['inside', 'external'])
        .default('inside'),
    )
    .option('--no-install', 'install no packs that are missing')
    .option('--frozen', 'refuse items of other packs that are not as toolwright.lock has them')
    .option('--pack', 'instead of servers, compile the handlers for publishing')
    .action(async (servers, flags) => exit(await (await import('./build.js')).buildCommand(servers, flags)));
  withOverlays(withTalkFlags(program.command('dev')), 'for texts and policy')
    .description('serve a server of the pack while you edit: clients stay connected')
    .argument('[server]', 'its name; may be left out where the pack has one')
    .addOption(new Option('--format <format>', 'how to print, on stderr').choices(['text', 'json']).default('text'))
    .option('--stdio', 'serve over stdio, whatever the server says')
    .option('--http [port]', 'serve over HTTP; 0 takes a free port')
    .option('--host <address>', 'where to listen; anything but loopback needs auth')
    .option('--insecure', 'listen anywhere without auth')
    .option('--mock', 'answer from the examples of tools and prompts, without handlers')
    .option('--inspect', 'open the official inspector on it')
    .option('--no-generate', 'leave generated files as they are')
    .option('--no-install', 'install no packs that are missing')
    .option('--frozen', 'leave out items of other packs that are not as toolwright.lock has them')
    .option('--mode <name>', 'only items of this mode')
    .action(async (server, flags) => exit(await (await import('./dev.js')).dev(server, flags)));
  program
    .command('dev-worker', { hidden: true })
    .action(async () => exit(await (await import('./dev-worker.js')).devWorker()));
  withOverlays(withTalkFlags(program.command('call')), 'for texts and policy')
    .description('call a tool and print its result')
    .usage('[options] [server] <tool> [json]')
    .argument('<tool...>', 'the tool, after a server where the pack has several, before its arguments; - reads them')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('--arg <key=value>', 'one argument; may be repeated', collect)
    .setOptionValueWithSource('arg', [], 'default')
    .option('--strict', 'refuse where an item is broken or a handler is missing')
    .option('--no-install', 'install no packs that are missing')
    .option('--frozen', 'leave out items of other packs that are not as toolwright.lock has them')
    .option('--mode <name>', 'only items of this mode')
    .action(async (words, flags) => exit(await (await import('./call.js')).call(words, flags)));
  withOverlays(withTalkFlags(program.command('test')), 'for texts and policy')
    .description('run the examples of tools and prompts against the real server, and the contract of all of them')
    .argument('[server]', 'its name; without one all servers of the pack')
    .argument('[pattern]', 'only items or tests that it fits, such as get-*')
    .option('-t, --test <pattern>', 'the same as [pattern]')
    .option('--bail', 'stop at the first failure')
    .option('--isolate', 'start a new server for each test')
    .option('--conformance', 'also the scenarios of the official suite that fit any server')
    .addOption(new Option('--reporter <name>', 'how to print').choices(['text', 'json', 'junit', 'github']))
    .addOption(new Option('--format <format>', 'the same as --reporter').choices(['text', 'json', 'junit', 'github']))
    .option('--output <file>', 'write the report there, and print text')
    .option('--no-install', 'install no packs that are missing')
    .option('--frozen', 'leave out items of other packs that are not as toolwright.lock has them')
    .option('--mode <name>', 'only items of this mode')
    .action(async (server, pattern, flags) => exit(await (await import('./test.js')).test([server, pattern], flags)));
  withOverlays(withCommonFlags(program.command('docs')), 'for texts and policy')
    .description('write a reference: regions of the README, or one HTML page')
    .argument('[path]', 'a folder, a package name or a manifest file')
    .option('--readme <file>', 'the Markdown file with the regions, from the pack (default README.md)')
    .option('--html [file]', 'write a page that needs nothing else (default docs/index.html)')
    .option('--stdout', 'print the whole reference, as Markdown or JSON')
    .option('--check', 'write nothing, exit with 1 where something would change')
    .option('--force', 'replace a page that is not ours')
    .action(async (path, flags) => exit(await (await import('./docs.js')).docs(path, flags)));
  withEntryFlags(program.command('install'))
    .description('put a server into the settings of an MCP client')
    .argument('[client]', 'such as claude-code or cursor; without one all are listed')
    .argument('[server]', 'its name; may be left out where the pack has one')
    .option('--run <way>', 'what the client runs: built, npx or start (the first that there is)')
    .option('--out <dir>', 'where toolwright build has put the server')
    .option('--env <name=value>', 'a variable of the server; may be repeated', collect)
    .option('--enable <tools>', 'only these tools; may be repeated', collect)
    .option('--disable <tools>', 'all but these tools; may be repeated', collect)
    .option('--option <tool.option=value>', 'an option of a tool; may be repeated', collect)
    .option('--no-install', 'install no packs that are missing')
    .option('--yes', 'ask nothing')
    .option('--print', 'only print the entry')
    .setOptionValueWithSource('env', [], 'default')
    .setOptionValueWithSource('enable', [], 'default')
    .setOptionValueWithSource('disable', [], 'default')
    .setOptionValueWithSource('option', [], 'default')
    .action(async (client, server, flags) => exit(await (await import('./install.js')).install(client, server, flags)));
  withEntryFlags(program.command('uninstall'))
    .description('take a server out of the settings of an MCP client')
    .argument('<client>', 'such as claude-code or cursor')
    .argument('[server]', 'its name; may be left out where the pack has one')
    .action(async (client, server, flags) =>
      exit(await (await import('./uninstall.js')).uninstall(client, server, flags)),
    );
  withCommonFlags(program.command('lock'))
    .description(
      'accept what servers take from other packs as it is now: writes toolwright.lock and shows what changed',
    )
    .argument('[path]', 'a folder, a package name or a manifest file')
    .option('--check', 'write nothing, exit with 1 where something changed')
    .action(async (path, flags) => exit(await (await import('./lock.js')).lock(path, flags)));
  withTalkFlags(program.command('doctor'))
    .description('tell what is in the way on this machine: Node, the pack, its project, its configuration, MCP clients')
    .argument('[path]', 'a folder, a package name or a manifest file')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .action(async (path, flags) => exit(await (await import('./doctor.js')).doctor(path, flags)));
  withTalkFlags(program.command('completion'))
    .description('print a script that completes commands, options and names of the pack in a shell')
    .addArgument(new Argument('<shell>', 'for which').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action(async shell => exit((await import('./completion.js')).completion(shell)));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async words => exit((await import('./complete.js')).complete(program, words)));
  // Overlays change no schema; they are taken so that one set of flags fits check, explain and schema.
  withOverlays(withCommonFlags(program.command('schema')), 'for texts and policy')
    .description('print the JSON Schema of a kind of file, or where the schemas are installed')
    .argument('[kind]', 'pack, server, tool, prompt, resource, their combined files (tools, ...), overlay, overlays')
    .option('--path', 'print the path of the file instead of its text')
    .action(async (kind, flags) => exit((await import('./schema.js')).schema(kind, flags)));
  const help = withTalkFlags(program.command('help')).description(
    'print what --help prints: of all commands, or of one',
  );
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map(command => command.name());
  help
    .addArgument(new Argument('[command]', 'which').choices(names))
    .action(name => (program.commands.find(command => command.name() === name) ?? program).outputHelp());
  return program;
}
