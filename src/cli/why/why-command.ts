import type { RegisterCommand } from '../cli-context.js';
import { addRunOptions } from '../replay/run-options.js';
import type { WhyFlags } from './run-why.js';

/** Adds `why`: shows what was known at an instant, the intents, the verdicts of risk, and the results. */
export const registerWhy: RegisterCommand = (program, context) => {
  addRunOptions(program.command('why'), 'that of the instant')
    .description(
      'Explains an instant of a journal: data, state, log and intents of the strategy, verdicts of risk, orders and their outcomes. If nothing was decided at that instant, explains the last decision before it.',
    )
    .option(
      '--at <time>',
      'instant, UTC, for example 2025-06-01T12:00:00Z; without it, names some of the journal',
    )
    .option('--instrument <id>', 'decisions on this instrument only, for example spot:BTCUSDT')
    .action(async (run: string, flags: WhyFlags) => {
      const { runWhy } = await import('./run-why.js');
      await runWhy(run, flags, context);
    });
};
