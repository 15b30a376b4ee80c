import { Command, Help } from 'commander';
import type { CliContext, ExitCode } from './cli-context.js';
import { checkSettings } from './check-settings.js';
import { checkWords } from './check-words.js';
import { COMMANDS } from './commands.js';
import { reportFailure } from './describe-error.js';
import { readVersion } from './read-version.js';

/** Everything of the process except the exit code, which {@link runCli} keeps. */
export type CliIo = Omit<CliContext, 'setExitCode'>;

/**
 * Runs one command line, without the program's name, and returns the exit code. It never throws, and never accesses the process
 * itself.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  const ended: { exitCode: ExitCode } = { exitCode: 0 };
  const context: CliContext = {
    ...io,
    setExitCode: (code) => {
      ended.exitCode = code;
    },
  };
  const words = withHelpOption(argv);
  const program = await createProgram(context, commandOf(words));
  try {
    await program.parseAsync(words, { from: 'user' });
    // A failure while a command ended in order is more important than the interrupt.
    return io.signal.aborted && ended.exitCode === 0 ? reportInterrupt(io) : ended.exitCode;
  } catch (error: unknown) {
    if (io.signal.aborted) return reportInterrupt(io);
    const isDebug = program.opts<{ debug?: true }>().debug === true;
    return reportFailure(error, { stderr: io.stderr, isDebug });
  }
}

/** Writes `help backtest` as `backtest --help`: only the module of the named command is loaded. */
function withHelpOption(argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => !word.startsWith('-'));
  if (argv[at] !== 'help') return argv;
  const words = argv.toSpliced(at, 1);
  const name = words[at];
  const isKnown = COMMANDS.some(({ summaries }) => Object.hasOwn(summaries, name ?? ''));
  // Help of an unknown command would be help of the program.
  return name === undefined || isKnown ? [...words, '--help'] : words;
}

/** Finds the word that names the command. Options of the program itself take no values. Help before the command is help of the program. */
function commandOf(argv: readonly string[]): string {
  return argv.find((word) => /^(?!-)|^(?:-h|--help)$/.test(word)) ?? '';
}

function reportInterrupt(io: CliIo): ExitCode {
  io.stderr.write('interrupted\n');
  return 130;
}

/**
 * Makes the program with its commands.
 *
 * @param name - the command that will run. Only its module is loaded, or all modules if it lists all commands. If no command has this name, the
 * commands are added by name only. @defaultValue all commands, loaded
 */
export async function createProgram(context: CliContext, name?: string): Promise<Command> {
  const program = createRoot(context);
  const wanted = COMMANDS.filter(
    ({ summaries }) => name === undefined || Object.hasOwn(summaries, name),
  );
  const isWhole = name === undefined || wanted.some(({ listsAll }) => listsAll === true);
  const modules = isWhole ? COMMANDS : wanted;
  // One after the other, to keep the order of the list.
  for (const { load } of modules) (await load())(program, context);
  nameCommands(program);
  refuseRepeats(program);
  program.hook('preAction', (_, command) => {
    checkWords(command, context.cwd);
    checkSettings(command);
  });
  return program;
}

/** Adds the summary of each command. If no command is loaded, adds all of them by name. */
function nameCommands(program: Command): void {
  const loaded = new Map(program.commands.map((command) => [command.name(), command]));
  const isForList = loaded.size === 0;
  for (const { summaries } of COMMANDS)
    for (const [name, summary] of Object.entries(summaries)) {
      if (summary === undefined) continue;
      const command = loaded.get(name) ?? (isForList ? program.command(name) : undefined);
      command?.summary(summary);
    }
}

function createRoot(context: CliContext): Command {
  const help = new Help();
  return new Command('evenkeel')
    .description(
      'Runs algorithmic trading strategies: the orders you tested are the orders you get.',
    )
    .version(readVersion(), '-V, --version', 'print the version')
    .option('--debug', 'show the stack of errors')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .showHelpAfterError('(--help lists commands and options)')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed while running, 2 bad usage or configuration, 3 a check found\na violation, 130 interrupted.',
    )
    .exitOverride()
    .configureHelp({
      // The list shows names only. The arguments of a command are in its own help, which loads it.
      subcommandTerm: (command) =>
        command.parent?.parent === null ? command.name() : help.subcommandTerm(command),
    })
    .configureOutput({
      writeOut: (text) => {
        context.stdout.write(text);
      },
      writeErr: (text) => {
        context.stderr.write(text);
      },
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

/** Refuses an option that is given twice, or beside the one that negates it, because commander would silently drop the first value. */
function refuseRepeats(command: Command): void {
  const given = new Map<string, string>();
  for (const option of command.options) {
    if (option.description.includes('repeatable')) continue;
    const { flags } = option;
    command.on(`option:${option.name()}`, () => {
      const before = given.get(option.attributeName());
      given.set(option.attributeName(), flags);
      if (before === undefined || (before === flags && option.isBoolean())) return;
      const problem =
        before === flags
          ? `'${flags}' once, received it again`
          : `'${before}' or '${flags}', received both`;
      command.error(`error: expected option ${problem}`);
    });
  }
  for (const each of command.commands) refuseRepeats(each);
}
