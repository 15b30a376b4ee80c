import { InvalidArgumentError, Option } from 'commander';
import type { AuditPart } from '../../research/index.js';
import { addBotOptions } from '../bot/bot-options.js';
import type { RegisterCommand } from '../cli-context.js';
import { jobsOption } from '../threads/jobs.js';
import { wholeNumber } from '../whole-number.js';
import type { AuditFlags } from './audit-flags.js';

/** The parts of research's own list. Only the command that runs loads research itself. */
export const PART_NAMES = [
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
      'Runs a bot again and again on its stored candles, each time with something else that must not matter: another future, another thread, a longer warm-up, another order of instruments. Exits with 3 where it mattered. It also tells what the bot comes to with other costs, latency and paths, what each of its rules earns, and how large it can become.',
    )
    .addOption(
      new Option('--only <parts>', `of ${PART_NAMES.join(', ')}; separated by commas`).argParser(
        parseParts,
      ),
    )
    .addOption(
      new Option('--instants <number>', 'instants after which the market is changed')
        .argParser(wholeNumber(1, MAX_INSTANTS))
        .default(12),
    )
    .addOption(
      new Option('--seed <number>', 'start of all draws')
        .argParser(wholeNumber(0, 999_999_999))
        .default(1),
    )
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
  throw new InvalidArgumentError(`expected of ${PART_NAMES.join(', ')}, received "${unknown}"`);
}
