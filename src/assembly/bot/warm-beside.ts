import { openRunArchive } from '../../archive/index.js';
import type { Candle, EpochMs } from '../../domain/index.js';
import type { EngineCheckpoint } from '../../engine/index.js';
import { readJournal } from '../../journal/index.js';
import { readTerms } from '../market/load-terms.js';
import type { BotInputs } from './bot-inputs.js';
import { breathing } from './journal/replay-journal.js';
import { toldCandles } from './journal/told-candles.js';
import { openEngine } from './open-engine.js';
import { withAllocation } from './with-allocation.js';

/**
 * Tries the beginning of a bot's next strategy beside the running bot: the strategy is constructed with the state that the bot owns now, and warms up with
 * the candles that its start would read. Nothing is kept or sent.
 *
 * @throws {StrategyError} of the strategy; {DomainError} `E_CHECKPOINT`, and as `openEngine`, if it does not fit the owned or kept state.
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

/** Groups candles by their close time, in order of time. */
function slicesOf(candles: readonly Candle[]): readonly (readonly [EpochMs, Candle[]])[] {
  const slices = new Map<EpochMs, Candle[]>();
  for (const candle of candles) {
    const slice = slices.get(candle.closeTime);
    if (slice === undefined) slices.set(candle.closeTime, [candle]);
    else slice.push(candle);
  }
  return [...slices].sort(([one], [other]) => one - other);
}
