import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import type { CheckFlags } from './run-check.js';

/** Adds `check`: reports everything about a bot that can be known without running it. */
export const registerCheck: RegisterCommand = (program, context) => {
  addBotOptions(program.command('check'), '<config...>')
    .description(
      'Validates the config, the plugin (its types too, where TypeScript 5 or 6 is installed), parameters, rules and stored candles; looks for what keeps two runs from being the same, and runs the first candles twice; and whether the polls of all bots named fit the limits of the venue. Exits with 3 when something was found.',
    )
    .option(
      '--online',
      "look at the bot's venue, too: answers, clock, key, rules, the smallest order as a test, and what it can do; nothing is placed",
    )
    .action(async (files: readonly string[], flags: CheckFlags) => {
      const { runCheck } = await import('./run-check.js');
      await runCheck(files, flags, context);
    });
};
