import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import type { ParityFlags } from './run-parity-command.js';

/** Adds `parity`: compares a backtest with a run of the same bot over HTTP against the local exchange, on the same candles. */
export const registerParity: RegisterCommand = (program, context) => {
  addBotOptions(program.command('parity'))
    .description(
      'Runs a backtest, then the same bot over HTTP against a local exchange in lockstep on the same candles. Compares all orders and their outcomes. Exits with 3 at the first difference.',
    )
    .option('--journal <file>', 'store the live side in a new journal, for replay and why')
    .option('--brief', 'print one line')
    .action(async (file: string, flags: ParityFlags) => {
      const { runParityCommand } = await import('./run-parity-command.js');
      await runParityCommand(file, flags, context);
    });
};
