import type { Command } from 'commander';

interface OptionWords {
  /** For example `--json`, and `-h` if there is a short form. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Whether the option takes a value. */
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** The words that can follow a chain of commands. */
export interface CommandWords {
  /** The chain of commands; empty for the program itself. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly OptionWords[];
  /** Values of the first argument, if it has a fixed list; otherwise the shell completes files. */
  readonly choices: readonly string[];
}

/** Lists the program and every command below it, the program first. */
export function listCommands(
  command: Command,
  path: readonly string[] = [],
): readonly CommandWords[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const own: CommandWords = {
    path,
    commands: commands.map((command) => ({
      name: command.name(),
      summary: command.summary() === '' ? command.description() : command.summary(),
    })),
    options: help.visibleOptions(command).map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      description: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
  return [own, ...commands.flatMap((command) => listCommands(command, [...path, command.name()]))];
}
