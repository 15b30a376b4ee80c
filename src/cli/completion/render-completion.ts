import type { Command } from 'commander';
import { assertNever } from '../../domain/index.js';
import { listCommands, type CommandWords } from './command-tree.js';

/** Shells that `completion` writes a script for. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** Writes the completion script of a shell, with the present commands and options of the program. */
export function renderCompletion(program: Command, shell: Shell): string {
  const commands = listCommands(program);
  switch (shell) {
    case 'bash':
      return renderBash(commands);
    case 'zsh':
      return renderZsh(commands);
    case 'fish':
      return renderFish(commands);
    default:
      return assertNever(shell);
  }
}

/** All words that may follow a chain of commands, including options. */
function wordsOf({ commands, options, choices }: CommandWords): string {
  return [
    ...commands.map(({ name }) => name),
    ...choices,
    ...options.flatMap(({ flags }) => flags),
  ].join(' ');
}

/** The options of a command that have a fixed list of values, with their values. Another command may have other values of the same option. */
function listedValues({ path, options }: CommandWords): readonly (readonly [string, string])[] {
  return options
    .filter(({ choices }) => choices.length > 0)
    .map(({ flags, choices }) => [
      flags.map((flag) => `"${[...path, flag].join(' ')}"`).join('|'),
      choices.join(' '),
    ]);
}

/** Writes shell code, for bash and zsh, that finds the commands on the line and looks up the words that may follow. */
function lookUp(commands: readonly CommandWords[], words: string): string {
  const chains = commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `"${path.join(' ')}"`);
  const cases = commands.map(
    (command) => `    "${command.path.join(' ')}") candidates="${wordsOf(command)}" ;;`,
  );
  const values = commands
    .flatMap(listedValues)
    .map(([options, choices]) => `    ${options}) candidates="${choices}" ;;`);
  return `  local commands="" word candidates=""
  for word in ${words}; do
    case "\${commands:+$commands }$word" in
    ${chains.join('|')}) commands="\${commands:+$commands }$word" ;;
    esac
  done
  case "$commands" in
${cases.join('\n')}
  esac
  case "\${commands:+$commands }$previous" in
${values.join('\n')}
  esac`;
}

function renderBash(commands: readonly CommandWords[]): string {
  return `# Completion of evenkeel for bash.
_evenkeel() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
${lookUp(commands, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
# Where no word fits, files are completed.
complete -o default -F _evenkeel evenkeel
`;
}

function renderZsh(commands: readonly CommandWords[]): string {
  return `#compdef evenkeel
# Completion of evenkeel for zsh.
_evenkeel() {
  local previous="\${words[CURRENT-1]}"
${lookUp(commands, '"${(@)words[2,CURRENT-1]}"')}
  compadd -- \${=candidates}
  _files
}
compdef _evenkeel evenkeel
# Found through $fpath, this file is the function itself, and has to do its work now.
if [ "$funcstack[1]" = "_evenkeel" ]; then _evenkeel "$@"; fi
`;
}

function renderFish(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ path, commands, options, choices }) => {
    const seen = path.map((command) => `__fish_seen_subcommand_from ${command}`);
    const below = commands.map(({ name }) => name).join(' ');
    const here = below === '' ? seen : [...seen, `not __fish_seen_subcommand_from ${below}`];
    const condition = `complete -c evenkeel -n ${quote(here.join('; and '))}`;
    const always = seen.length === 0 ? 'complete -c evenkeel' : condition;
    return [
      ...commands.map(({ name, summary }) => `${condition} -f -a ${name} -d ${quote(summary)}`),
      ...choices.map((choice) => `${condition} -f -a ${choice}`),
      ...options.map(({ flags, description, takesValue, choices: values }) =>
        [
          always,
          ...flags.map((flag) =>
            flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
          ),
          ...(takesValue ? ['-r'] : []),
          ...(values.length > 0 ? ['-f', '-a', quote(values.join(' '))] : []),
          `-d ${quote(description)}`,
        ].join(' '),
      ),
    ];
  });
  return `# Completion of evenkeel for fish.\n${lines.join('\n')}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
