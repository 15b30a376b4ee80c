import { setImmediate as nextTurn } from 'node:timers/promises';
import { openRunArchive } from '../../archive/index.js';
import {
  findMissingData,
  locateError,
  runParity,
  type ParityOutcome,
} from '../../assembly/index.js';
import { combineProblems } from '../../config/index.js';
import { formatUtc, UsageError } from '../../domain/index.js';
import { renderParity, renderParityLine } from '../../report/index.js';
import { keepJournal, refuseOldJournal, type KeptJournal } from '../backtest/keep-journal.js';
import type { BotFlags } from '../bot/bot-options.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import { ProgressLine } from '../progress.js';
import { systemTime } from '../../engine/index.js';
import { checkOutput, writeOutput } from '../write-output.js';

/** Options of `parity` as commander parses them. */
export interface ParityFlags extends BotFlags {
  readonly journal?: string;
  readonly brief?: true;
}

/** Runs `parity`. All inputs are checked before the first candle, and only the journal is written before the last. */
export async function runParityCommand(
  file: string,
  flags: ParityFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  if (flags.journal !== undefined) await refuseOldJournal(flags.journal, context);
  // Only a backtest closes positions at the end, so it is switched off here, and also in a replay of the journal.
  const set = [...(flags.set ?? []), 'simulation.closeAtEnd=false'];
  const comparable = { ...flags, set };
  const bot = await loadBot(file, context, comparable);
  const archive = openRunArchive(bot.config.simulation.archive);
  const missing = await findMissingData(bot, archive);
  if (missing.length > 0) throw combineProblems(missing);
  const kept =
    flags.journal === undefined
      ? undefined
      : await keepJournal({
          file,
          journal: flags.journal,
          bot,
          flags: comparable,
          context,
          mode: 'live',
        });
  const outcome = await compare({ bot, kept, context });
  if (outcome === undefined) return;
  if (!isIdentical(outcome)) context.setExitCode(3);
  await tell({ bot, outcome, flags, context });
}

interface Comparison {
  readonly bot: LoadedBot;
  readonly kept: KeptJournal | undefined;
  readonly context: CliContext;
}

/** Runs and compares both sides. Undefined if the live side did not come to rest: this is reported, and counts as a finding. */
async function compare({ bot, kept, context }: Comparison): Promise<ParityOutcome | undefined> {
  const { config, document, plugin } = bot;
  const progress = new ProgressLine(context.stderr);
  try {
    const outcome = await runParity({
      config,
      strategyClass: plugin.strategyClass,
      sourceHash: plugin.sourceHash,
      archive: openRunArchive(config.simulation.archive),
      journal: kept?.journal,
      onBegin: kept?.begin,
      breathe: () => nextTurn(),
      timers: systemTime,
      signal: context.signal,
      onProgress: (time, from, to) => {
        const percent = Math.floor((100 * (time - from)) / Math.max(1, to - from));
        progress.show(`over HTTP ${String(percent)} % ${formatUtc(time)}`);
      },
    });
    kept?.end();
    return outcome;
  } catch (error: unknown) {
    kept?.end(error);
    progress.clear();
    if (!(error instanceof UsageError) || error.code !== 'E_PARITY_UNSETTLED')
      throw locateError(error, document);
    context.setExitCode(3);
    for (const line of describeError(error).lines) context.stderr.write(`${line}\n`);
    return undefined;
  } finally {
    progress.clear();
  }
}

/** Whether both runs did the same, and the bot's books were right at the end. */
function isIdentical({ report, disagreements }: ParityOutcome): boolean {
  return report.difference === undefined && disagreements.length === 0;
}

interface Tale {
  readonly bot: LoadedBot;
  readonly outcome: ParityOutcome;
  readonly flags: ParityFlags;
  readonly context: CliContext;
}

async function tell({ bot, outcome, flags, context }: Tale): Promise<void> {
  const { name } = bot.config;
  const { report, from, to, requests, notes, disagreements } = outcome;
  const isEqual = isIdentical(outcome);
  if (flags.json !== undefined) {
    const result = {
      ...{ bot: name, from, to, requests, isIdentical: isEqual },
      ...report,
      notes,
      disagreements,
    };
    await writeOutput(flags.json, `${JSON.stringify(result, undefined, 2)}\n`, context);
  }
  if (flags.json === '-') return;
  const isBrief = flags.brief === true && isEqual;
  const text = isBrief ? renderParityLine(report) : renderParity({ bot: name, ...outcome });
  context.stdout.write(`${text}\n`);
}
