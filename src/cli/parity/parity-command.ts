import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import type { ParityFlags } from './run-parity-command.js';

/** Adds `parity`: compares a backtest with a run of the same bot over HTTP against the local exchange, on the same candles. */
export const registerParity: RegisterCommand = (program, context) => {
  addBotOptions(program.command('parity'))
    .description(
      'Runs a backtest, and the same bot over HTTP against a local exchange in lockstep on the same candles, and compares what both ordered and what became of it. Exits with 3 at the first difference.',
    )
    .option('--journal <file>', 'keep the live side in a new journal; see replay and why')
    .option('--brief', 'print one line')
    .action(async (file: string, flags: ParityFlags) => {
      const { runParityCommand } = await import('./run-parity-command.js');
      await runParityCommand(file, flags, context);
    });
};
