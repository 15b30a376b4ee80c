import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import type { CheckFlags } from './run-check.js';

/** Adds `check`: reports everything about a bot that can be known without running it. */
export const registerCheck: RegisterCommand = (program, context) => {
  addBotOptions(program.command('check'), '<config...>')
    .description(
      'Validates the config, the plugin (with its types if TypeScript 5 or 6 is installed), parameters, rules and stored candles. Looks for causes of runs that differ, and runs the first candles twice. Checks that the polls of all bots fit the limits of the venue. Exits with 3 if it finds a problem.',
    )
    .option(
      '--online',
      "also check the bot's venue: answers, clock, key, rules, the smallest order as a test, and features; places no order",
    )
    .action(async (files: readonly string[], flags: CheckFlags) => {
      const { runCheck } = await import('./run-check.js');
      await runCheck(files, flags, context);
    });
};
