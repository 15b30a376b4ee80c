import { InvalidArgumentError, Option } from 'commander';
import { DAY_MS, parseDuration, UsageError } from '../../domain/index.js';
import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import { addSearchOptions } from '../sweep/sweep-command.js';
import type { CpcvGroups, WalkForwardFlags } from './walk-forward-flags.js';

/** Adds `walk-forward`: chooses parameters on one part of the range and tests them on the next. */
export const registerWalkForward: RegisterCommand = (program, context) => {
  const command = addBotOptions(program.command('walk-forward'))
    .description(
      'Chooses parameters on one part of the range and tests them on the next, fold by fold. Keeps every run in the ledger of trials. After an interruption, the same command continues from there.',
    )
    .addOption(lengthOption('--train', 'length of the training part (default: four times --test)'))
    .addOption(lengthOption('--test', 'length of the test part (default: a tenth of the range)'))
    .addOption(lengthOption('--step', 'distance from one fold to the next (default: --test)'))
    .option('--anchored', 'start every training part at the start of the first, so that it grows')
    .addOption(
      new Option(
        '--cpcv <N,k>',
        'cross-validate instead: test every choice of k of N groups of days, such as 6,2',
      ).argParser(cpcvGroups),
    )
    .addOption(
      new Option(
        '--embargo <length>',
        'days after each tested block that are not trained on, with --cpcv (default: 1 % of all days)',
      ).argParser((text: string) => wholeDays(text, 0)),
    );
  addSearchOptions(command).action(async (file: string, flags: WalkForwardFlags) => {
    const { cpcv, embargo } = flags;
    if (cpcv !== undefined) {
      const { runCrossValidation } = await import('./run-cross-validation.js');
      await runCrossValidation(file, { ...flags, cpcv }, context);
      return;
    }
    if (embargo !== undefined) throw new UsageError('E_USAGE', '--embargo needs --cpcv');
    const { runWalkForwardCommand } = await import('./run-walk-forward-command.js');
    await runWalkForwardCommand(file, flags, context);
  });
};

function lengthOption(name: string, what: string): Option {
  return new Option(`${name} <length>`, `${what}, such as 90d`).argParser((text: string) =>
    wholeDays(text, 1),
  );
}

function wholeDays(text: string, least: number): number {
  const days = durationOf(text) / DAY_MS;
  if (Number.isInteger(days) && days >= least) return days;
  throw new InvalidArgumentError('expected whole days, such as 90d or 12w');
}

function durationOf(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    return Number.NaN;
  }
}

function cpcvGroups(text: string): CpcvGroups {
  const [, groups, tested] = /^(\d{1,4}),(\d{1,4})$/.exec(text) ?? [];
  if (groups === undefined || tested === undefined)
    throw new InvalidArgumentError(
      'expected the number of groups and of tested groups, such as 6,2',
    );
  if (Number(tested) < 1 || Number(tested) >= Number(groups))
    throw new InvalidArgumentError(
      'expected at least one tested group, and fewer than all, such as 6,2',
    );
  return { groups: Number(groups), tested: Number(tested) };
}
