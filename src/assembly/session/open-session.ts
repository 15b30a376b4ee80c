import type { Archive } from '../../archive/index.js';
import {
  ConfigError,
  floorToInterval,
  nominalIntervalMs,
  present,
  VENUE_INTERVALS,
  type EpochMs,
  type InstrumentId,
  type Interval,
  type VenueInterval,
} from '../../domain/index.js';
import { loadWarmup } from '../../feed/index.js';
import {
  MarketSession,
  type Engine,
  type Journal,
  type MarketSessionOptions,
  type WarmStream,
} from '../../runtime/index.js';
import type { StrategyLog } from '../../strategy/index.js';
import { createEngine } from '../create-engine.js';
import { createInstrument } from '../create-instruments.js';
import type { RunInputs } from '../replay-journal.js';
import type { MarketTerms } from '../load-terms.js';

export interface SessionInputs
  extends
    RunInputs,
    Pick<
      MarketSessionOptions,
      | 'venue'
      | 'time'
      | 'activity'
      | 'travel'
      | 'isSequential'
      | 'idleMs'
      | 'alignMs'
      | 'marks'
      | 'resolveUnknown'
      | 'onProcessed'
      | 'onCondition'
      | 'onNotice'
      | 'onFailure'
    > {
  readonly terms: MarketTerms;
  /** Where candles are that the venue no longer serves, for a long warm-up. */
  readonly archive: Pick<Archive, 'read'> | undefined;
  readonly journal: Journal;
  readonly log?: StrategyLog | undefined;
  readonly signal: AbortSignal;
  /** Called when the strategy is to be subscribed to, before its first event. */
  readonly onBegin: (begin: {
    readonly constructed: EpochMs;
    readonly started: EpochMs;
    readonly terms: string;
  }) => void;
}

export interface OpenedSession {
  readonly engine: Engine;
  readonly session: MarketSession;
}

/**
 * Makes the engine a configuration describes, with its warm-up read from the venue, and a session around it that has not begun.
 *
 * @throws {ConfigError} when the configuration does not fit the strategy or the venue; {DataError} of the warm-up; errors of the source.
 */
export async function openSession(inputs: SessionInputs): Promise<OpenedSession> {
  const { config, strategyClass, terms, journal, log, time, venue, signal, archive } = inputs;
  const { simulation } = config;
  const constructed = time.now();
  const engine = createEngine({
    config,
    strategyClass,
    terms,
    constructed,
    journal,
    ...(log && { log }),
  });
  const needed = engine.construct();
  const streams: WarmStream[] = [];
  for (const { instrumentId, intervals } of config.instruments) {
    for (const interval of intervals) {
      const candles = needed.find(
        (stream) => stream.instrumentId === instrumentId && stream.interval === interval,
      );
      const series = { instrumentId, interval: venueInterval(instrumentId, interval) };
      const history = await loadWarmup({
        source: venue.market,
        archive,
        ...series,
        candles: present(candles, `warm-up of ${instrumentId}`).candles,
        signal,
      });
      streams.push({ ...series, history });
    }
  }
  const started = Math.min(...streams.map((stream) => firstOpen(stream, constructed)));
  inputs.onBegin({ constructed, started, terms: terms.hash });
  engine.start(started);
  const session = new MarketSession({
    ...inputs,
    engine,
    instruments: config.instruments.map(createInstrument),
    streams: inDeliveryOrder(streams),
    dataDelayMs: simulation.dataDelayMs,
    updatePollMs: simulation.updatePollMs,
    stopPollMs: simulation.stopPollMs,
    lastTrades: new Map(),
  });
  return { engine, session };
}

/** When the first candle that the strategy is given opened; where it needs none, the open one. */
function firstOpen({ history, interval }: WarmStream, now: EpochMs): EpochMs {
  return history[0]?.openTime ?? floorToInterval(now, interval);
}

/** Where no candle warms a stream up, its first is the one that is open now. */
function inDeliveryOrder(streams: readonly WarmStream[]): readonly WarmStream[] {
  return streams.toSorted((a, b) => nominalIntervalMs(b.interval) - nominalIntervalMs(a.interval));
}

function venueInterval(instrumentId: InstrumentId, interval: Interval): VenueInterval {
  const known = VENUE_INTERVALS.find((each) => each === interval);
  if (known !== undefined) return known;
  throw new ConfigError('E_CONFIG_VALUE', {
    location: { file: '', key: 'instruments' },
    expected: `an interval that the venue serves (${VENUE_INTERVALS.join(', ')}) for ${instrumentId}`,
    received: interval,
  });
}
