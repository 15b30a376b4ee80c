import type { Command } from 'commander';

/** Lists the arguments and options of every command that a user types, as help shows them, in the form of docs/options.md. */
export function renderOptions(program: Command): string {
  return program
    .createHelp()
    .visibleCommands(program)
    .flatMap((command) => sectionsOf(command, []))
    .join('\n\n');
}

function sectionsOf(command: Command, above: readonly string[]): readonly string[] {
  const help = command.createHelp();
  const names = [...above, command.name()];
  // Without the command `help`, which commander adds to each group.
  if (command.commands.length > 0)
    return command.commands.flatMap((each) => sectionsOf(each, names));
  const rows = [
    ...help
      .visibleArguments(command)
      .map((each) => [help.argumentTerm(each), help.argumentDescription(each)]),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map((each) => [help.optionTerm(each), help.optionDescription(each)]),
  ];
  const lines = rows.map(
    ([term = '', text = '']) => `- \`${term}\`: ${text.replaceAll('<', '\\<')}`,
  );
  return [`## ${names.join(' ')}\n\n${lines.length === 0 ? 'No options.' : lines.join('\n')}`];
}
