import { Option, type Command } from 'commander';
import type { BotStatus } from '../../live/index.js';
import { collect } from '../bot/bot-options.js';
import type { CliContext, RegisterCommand } from '../cli-context.js';
import type { LiveFlags } from './live-flags.js';

/** Adds `live` and `paper`: run bots at a venue, with real or simulated orders. */
export const registerLive: RegisterCommand = (program, context) => {
  addCommand(program, context, 'live')
    .description(
      'Runs one or more bots at their venue with real orders. Ctrl-C or SIGTERM stops them in order, a second Ctrl-C at once. The first start on a key asks for a typed confirmation.',
    )
    .option('-y, --yes', 'skip the confirmation, for automated starts')
    .option('--dry-run', 'send no orders, only log them')
    .option(
      '--probe',
      "open and close the smallest position to find the leverage and modes of a new bot's contracts, if the venue does not show them",
    );
  addCommand(program, context, 'paper').description(
    'Runs one or more bots on live market data with simulated execution. Ctrl-C or SIGTERM stops them in order, a second Ctrl-C at once.',
  );
};

function addCommand(program: Command, context: CliContext, mode: BotStatus['mode']): Command {
  return program
    .command(mode)
    .argument('<config...>', 'YAML files of the bots')
    .option('--set <path=value>', 'replace the value of a key, in YAML; repeatable', collect)
    .addOption(
      new Option(
        '--log <form>',
        'format of the log (default: pretty on a terminal, otherwise json)',
      ).choices(['pretty', 'json']),
    )
    .addOption(
      new Option('--log-level <level>', 'lowest level to log')
        .choices(['debug', 'info', 'warn'])
        .default('info'),
    )
    .option(
      '--accept-findings',
      'start in spite of findings of check on the plugin and protections',
    )
    .option('--no-view', 'do not show the bots below the log')
    .action(async (files: readonly string[], flags: LiveFlags) => {
      const { runLive } = await import('./run-live.js');
      await runLive({ mode, files, flags }, context);
    });
}
