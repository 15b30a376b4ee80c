import { ConfigError, type EpochMs, formatUtc, nounOf } from '../../domain/index.js';
import type { RunInputs } from '../bot/journal/replay-journal.js';
import { listWarmups } from '../list-warmups.js';
import type { LoadedMarket } from '../market/prepare-market.js';
import { findRunSpan, findStart } from '../market/run-span.js';
import { SeriesCursor } from '../replay/series-cursor.js';

/**
 * When a bot can be warm: at the start of the run, or without one in the configuration as soon as every series has the candles that the strategy needs.
 *
 * @throws {ConfigError} `E_CONFIG_VALUE` when fewer candles are stored before the start, so that a live bot would refuse to start; when the run ends
 * before the strategy is warm and has received its warm-up candles.
 */
export function warmInstant(market: LoadedMarket, inputs: RunInputs): EpochMs {
  const { config, strategyClass } = inputs;
  const { from } = config.simulation;
  const needed = listWarmups({ config, strategyClass, terms: market.terms }, from ?? 0);
  const instants = market.series.map((series) => {
    const { instrumentId, interval } = series;
    const candles =
      needed.find((stream) => stream.instrumentId === instrumentId && stream.interval === interval)
        ?.least ?? 0;
    const cursor = new SeriesCursor(series);
    const closed = from === undefined ? cursor.end : cursor.closedBy(from);
    if (closed < candles) {
      throw new ConfigError('E_CONFIG_VALUE', {
        location: { file: config.name, key: 'simulation.from' },
        expected: `a start with ${String(candles)} ${nounOf(candles, 'candle')} of ${instrumentId} ${interval} before it`,
        received: `${from === undefined ? 'the whole archive' : formatUtc(from)}, which has ${String(closed)}`,
      });
    }
    return candles === 0 ? cursor.nextOpenTime() : cursor.closeTimeAt(candles - 1);
  });
  const warm = from === undefined ? Math.max(...instants) : findStart(from, market.series);
  const { end } = findRunSpan(config.simulation, market.series);
  // Candles become known with a delay, also the last one of the warm-up.
  if (warm + config.simulation.dataDelayMs <= end) return warm;
  throw new ConfigError('E_CONFIG_VALUE', {
    location: { file: config.name, key: 'simulation.to' },
    expected: 'an end after the warm-up candles of the strategy',
    received: formatUtc(end),
  });
}
