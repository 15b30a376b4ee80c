import type { Command } from 'commander';

export interface OptionWords {
  /** For example `--json`, and `-h` where there is a short form. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Whether a value follows. */
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** What can be typed after a chain of commands. */
export interface CommandWords {
  /** The commands that lead here; none for the program itself. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly OptionWords[];
  /** Values of the first argument, where they are listed; files are completed where not. */
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
