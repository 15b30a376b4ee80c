import { InvalidArgumentError, Option } from 'commander';
import type { AuditPart } from '../../research/index.js';
import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import { jobsOption } from '../threads/jobs.js';
import { seedOption } from '../seed-option.js';
import { wholeNumber } from '../whole-number.js';
import type { AuditFlags } from './audit-flags.js';

/** The parts of research's own list. Only the command that runs loads research itself. */
const PART_NAMES = [
  'look-ahead',
  'determinism',
  'warm-up',
  'order',
  'sensitivity',
  'ablation',
  'capacity',
] as const satisfies readonly AuditPart[];

const MAX_INSTANTS = 10_000;

/** Adds `audit`: checks the properties of a strategy that make its backtests honest. */
export const registerAudit: RegisterCommand = (program, context) => {
  addBotOptions(program.command('audit'))
    .description(
      'Tests a bot for look-ahead, runs that differ, a short warm-up and dependence on the order of instruments. It repeats the backtest with changes that must not affect the result, and exits with 3 if one does. It also measures other costs, latency and paths, the profit of each rule, and the capacity of the bot.',
    )
    .addOption(
      new Option(
        '--only <parts>',
        `parts to run, separated by commas (default: all): ${PART_NAMES.join(', ')}`,
      ).argParser(parseParts),
    )
    .addOption(
      new Option('--instants <number>', 'number of instants after which the market is changed')
        .argParser(wholeNumber(1, MAX_INSTANTS))
        .default(12),
    )
    .addOption(seedOption())
    .addOption(jobsOption())
    .action(async (file: string, flags: AuditFlags) => {
      const { runAuditCommand } = await import('./run-audit-command.js');
      await runAuditCommand(file, flags, context);
    });
};

function parseParts(text: string): readonly AuditPart[] {
  const names = text.split(',').map((name) => name.trim());
  const parts = PART_NAMES.filter((part) => names.includes(part));
  const unknown = names.find((name) => !(PART_NAMES as readonly string[]).includes(name));
  if (unknown === undefined) return parts;
  throw new InvalidArgumentError(
    `expected parts of ${PART_NAMES.join(', ')}, received "${unknown}"`,
  );
}
