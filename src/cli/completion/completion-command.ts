import { Argument } from 'commander';
import type { RegisterCommand } from '../cli-context.js';
import type { Shell } from './render-completion.js';

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

const INSTALLING = `
To use it, for example:
  bash: evenkeel completion bash > ~/.local/share/bash-completion/completions/evenkeel
  zsh:  evenkeel completion zsh > a file named _evenkeel in a folder of $fpath
  fish: evenkeel completion fish > ~/.config/fish/completions/evenkeel.fish`;

/** Adds `completion`: prints scripts that let shells complete commands and options. */
export const registerCompletion: RegisterCommand = (program, context) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'name of the shell').choices([...SHELLS]))
    .description('Prints a script that makes a shell complete commands, options and their values.')
    .addHelpText('after', INSTALLING)
    .action(async (shell: Shell) => {
      const { renderCompletion } = await import('./render-completion.js');
      context.stdout.write(renderCompletion(program, shell));
    });
};
