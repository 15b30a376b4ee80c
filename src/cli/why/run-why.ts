import { setImmediate as nextTurn } from 'node:timers/promises';
import { listActiveChecks, replayJournal } from '../../assembly/backtest/index.js';
import {
  DomainError,
  parseUtc,
  UsageError,
  type EpochMs,
  type InstrumentId,
} from '../../domain/index.js';
import { divergenceError } from '../../journal/index.js';
import type { CliContext } from '../cli-context.js';
import { openRun, type OpenRun } from '../replay/open-run.js';
import type { RunFlags } from '../replay/run-options.js';
import { checkOutput, writeOutput } from '../write-output.js';
import type { Explanation } from './explanation.js';
import { explanationToJson, renderExplanation, type ChecksOf } from './render-explanation.js';
import { RunObserver } from './run-observer.js';

/** Options of `why` as commander parses them. */
export interface WhyFlags extends RunFlags {
  readonly at: string;
  readonly instrument?: string;
}

/** Runs `why`. */
export async function runWhy(run: string, flags: WhyFlags, context: CliContext): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const at = readInstant(flags.at);
  const opened = await openRun(run, flags, context);
  const explanation = await explain(opened, at, flags, context).finally(() => {
    opened.reader.close();
  });
  const active = listActiveChecks(opened.bot.config, opened.terms.rules);
  const checksOf: ChecksOf = (id) => (active.get(id) ?? []).map(({ name }) => name);
  if (flags.json !== undefined) {
    const document = explanationToJson(explanation, checksOf);
    await writeOutput(flags.json, `${JSON.stringify(document, undefined, 2)}\n`, context);
  }
  if (flags.json !== '-')
    context.stdout.write(`${renderExplanation(explanation, checksOf).join('\n')}\n`);
}

async function explain(
  { reader, epoch, bot, terms }: OpenRun,
  at: EpochMs,
  { instrument }: WhyFlags,
  { signal }: CliContext,
): Promise<Explanation> {
  const known = bot.config.instruments.map(({ instrumentId }) => instrumentId);
  const observer = new RunObserver(at, findInstrument(instrument, known));
  const outcome = await replayJournal({
    config: bot.config,
    strategyClass: bot.plugin.strategyClass,
    sourceHash: bot.plugin.sourceHash,
    terms,
    epoch,
    entries: reader.entries(epoch),
    log: observer.log,
    onVerdict: observer.onVerdict,
    onEntry: observer.onEntry,
    signal,
    breathe: () => nextTurn(),
  });
  // An explanation by a run that went another way would explain nothing.
  if (outcome.kind === 'diverged') throw divergenceError(outcome.divergence);
  return observer.finish();
}

function readInstant(text: string): EpochMs {
  try {
    return parseUtc(text);
  } catch (error: unknown) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError('E_USAGE', `--at: ${error.message}`, { cause: error });
  }
}

function findInstrument(
  name: string | undefined,
  known: readonly InstrumentId[],
): InstrumentId | undefined {
  if (name === undefined) return undefined;
  const [match, ...others] = known.filter((id) => id === name || id.endsWith(`:${name}`));
  if (match !== undefined && others.length === 0) return match;
  throw new UsageError(
    'E_USAGE',
    `--instrument: expected one of ${known.join(', ')}, received "${name}"`,
  );
}
