import { openRunArchive } from '../../archive/index.js';
import type { EngineCheckpoint } from '../../engine/index.js';
import type { Candle, EpochMs } from '../../domain/index.js';
import { readJournal } from '../../journal/index.js';
import { readTerms } from '../market/load-terms.js';
import { withAllocation } from './with-allocation.js';
import type { BotInputs } from './bot-inputs.js';
import { openEngine } from './open-engine.js';
import { breathing } from './replay-journal.js';
import { toldCandles } from './told-candles.js';

/**
 * Tries what a bot's next strategy does first, beside the bot that runs: it is constructed with what the bot owns now, and warmed up with the candles
 * that its start would read. Nothing of it is kept, and nothing is sent.
 *
 * @throws {StrategyError} that the strategy throws; {DomainError} `E_CHECKPOINT`, and as `openEngine`, where it does not fit what is owned or kept.
 */
export async function warmBeside(
  inputs: Pick<
    BotInputs,
    'config' | 'strategyClass' | 'sourceHash' | 'journal' | 'connection' | 'breathe'
  > & {
    readonly signal: AbortSignal;
  },
  checkpoint: EngineCheckpoint,
): Promise<void> {
  const { connection, journal: file, ...rest } = inputs;
  const config = withAllocation(rest.config);
  const archive = openRunArchive(config.simulation.archive);
  const reader = await readJournal(file);
  try {
    const { engine, streams } = await openEngine({
      ...rest,
      ...{ config, archive, checkpoint },
      terms: await readTerms(config, archive),
      now: connection.time.now(),
      source: connection.venue.market,
      told: toldCandles(reader),
      servesReadings: true,
      readsFundingRates: true,
    });
    try {
      const slices = slicesOf(streams.flatMap(({ history }) => history));
      for await (const [time, candles] of breathing(slices, rest))
        engine.process({ kind: 'candles', time, candles });
    } finally {
      engine.stop();
    }
  } finally {
    reader.close();
  }
}

/** Candles by the instant at which they closed, in its order. */
function slicesOf(candles: readonly Candle[]): readonly (readonly [EpochMs, Candle[]])[] {
  const slices = new Map<EpochMs, Candle[]>();
  for (const candle of candles) {
    const slice = slices.get(candle.closeTime);
    if (slice === undefined) slices.set(candle.closeTime, [candle]);
    else slice.push(candle);
  }
  return [...slices].sort(([one], [other]) => one - other);
}
