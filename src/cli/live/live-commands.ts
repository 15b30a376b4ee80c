import { Option, type Command } from 'commander';
import type { BotStatus } from '../../live/index.js';
import { collect } from '../bot/bot-options.js';
import type { CliContext, RegisterCommand } from '../cli-context.js';
import type { LiveFlags } from './live-flags.js';

/** Adds `live` and `paper`: run bots at a venue, with real or simulated orders. */
export const registerLive: RegisterCommand = (program, context) => {
  addCommand(program, context, 'live')
    .description(
      'Runs bots at their venue with real orders, several in one process if several files are named, until they are stopped: Ctrl-C or SIGTERM ends them in order, a second Ctrl-C at once. The first start on a key asks for a typed confirmation.',
    )
    .option('-y, --yes', 'start without the confirmation, for machines')
    .option('--dry-run', 'send nothing: log what would be sent')
    .option(
      '--probe',
      "find out what the venue does not show of a new bot's contracts (leverage and modes) by opening and closing the smallest position",
    );
  addCommand(program, context, 'paper').description(
    'Runs bots on live market data with simulated execution, until they are stopped: Ctrl-C or SIGTERM ends them in order, a second Ctrl-C at once.',
  );
};

function addCommand(program: Command, context: CliContext, mode: BotStatus['mode']): Command {
  return program
    .command(mode)
    .argument('<config...>', 'YAML files of the bots')
    .option('--set <path=value>', 'another value for a key, in YAML; repeatable', collect)
    .addOption(
      new Option(
        '--log <form>',
        'form of the log (default: pretty on a terminal, else json)',
      ).choices(['pretty', 'json']),
    )
    .addOption(
      new Option('--log-level <level>', 'least weight of a line')
        .choices(['debug', 'info', 'warn'])
        .default('info'),
    )
    .option('--accept-findings', 'start in spite of what check finds of plugin and protections')
    .option('--no-view', 'no view of the bots below the log')
    .action(async (files: readonly string[], flags: LiveFlags) => {
      const { runLive } = await import('./run-live.js');
      await runLive({ mode, files, flags }, context);
    });
}
