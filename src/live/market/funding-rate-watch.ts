import {
  HOUR_MS,
  MINUTE_MS,
  TradingError,
  type EpochMs,
  type Fixed,
  type FundingRateKnown,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import type { MarketFeed } from '../../feed/index.js';
import type { ContractIndex } from '../../venue/index.js';
import type { EngineEvent } from '../../engine/index.js';
import type { Activity } from '../bot/activity.js';
import { indexOf } from './reading-watch.js';
import { timeOfPhase, type SessionTime } from '../session/session-time.js';

export interface FundingRateWatchOptions {
  readonly feed: Pick<MarketFeed, 'readMark'>;
  readonly instruments: readonly Instrument[];
  /** Which funding rate the venue shows. */
  readonly known: FundingRateKnown;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Called when the venue shows another rate than before. */
  readonly onRate: (mark: ContractIndex) => void;
  readonly onFailure: (error: unknown) => void;
}

/** The latest rate shown and its hour, and the latest rate shown in an earlier hour. */
interface ShownRate {
  readonly hour: number;
  readonly rate: Fixed;
  readonly before: Fixed | undefined;
}

/**
 * Times of readings in each hour, in ms from its start: at the full hour, when funding is settled; a minute later, in case the venue is late; and a
 * minute before the next hour.
 */
const READINGS_MS = [0, MINUTE_MS, HOUR_MS - MINUTE_MS] as const;
/** Allowed age of the last reading of an hour. Usually the mark of a candle already gave one. */
const FRESH_MS = HOUR_MS / 2;

/** The event for a rate that the venue shows. */
export function readingOf(mark: ContractIndex): (time: EpochMs) => EngineEvent {
  return (time) => ({ kind: 'reading', time, reading: { ...indexOf(mark), time } });
}

/** Time at which the funding rates known at `time` were read. */
export function lastRateReading(time: EpochMs): EpochMs {
  const since = time % HOUR_MS;
  return time - since + (READINGS_MS.findLast((reading) => reading <= since) ?? 0);
}

function nextRateReading(time: EpochMs): EpochMs {
  const since = time % HOUR_MS;
  return time - since + (READINGS_MS.find((reading) => reading > since) ?? HOUR_MS);
}

/**
 * Keeps the funding rates that the venue shows, and returns the rate at which funding was paid. If the venue shows the rate of the running period,
 * the rate after a boundary belongs to the next period, and the rate before it was paid.
 */
export class FundingRateWatch {
  readonly #options: FundingRateWatchOptions;
  readonly #contracts: readonly InstrumentId[];
  readonly #shown = new Map<InstrumentId, ShownRate>();
  #cancel = (): void => undefined;

  constructor(options: FundingRateWatchOptions) {
    this.#options = options;
    this.#contracts = options.instruments
      .filter(({ kind }) => kind === 'futures')
      .map(({ id }) => id);
  }

  start(): void {
    if (this.#contracts.length === 0) return;
    this.#read(this.#options.time.now());
    this.#schedule();
  }

  stop(): void {
    this.#cancel();
  }

  /** Rate of the settlement at the latest boundary, if the venue now shows `shown`. */
  paid(instrumentId: InstrumentId, shown: Fixed | undefined): Fixed | undefined {
    const { known, time } = this.#options;
    const noted = this.#shown.get(instrumentId);
    if (known === 'settled' || noted === undefined) return shown;
    return (noted.hour < hourOf(time.now()) ? noted.rate : noted.before) ?? shown;
  }

  #schedule(): void {
    const { time } = this.#options;
    const due = nextRateReading(time.now());
    this.#cancel = timeOfPhase(time, 'account').after(due - time.now(), () => {
      this.#schedule();
      const isLast = nextRateReading(due) % HOUR_MS === 0;
      this.#read(isLast ? due - FRESH_MS : due);
    });
  }

  #read(since: EpochMs): void {
    const { activity } = this.#options;
    for (const id of this.#contracts) void activity.during(() => this.#readOne(id, since));
  }

  /** Reads one rate. If it cannot be read, the old rate stays; other readers of prices report that the venue does not answer. */
  async #readOne(instrumentId: InstrumentId, since: EpochMs): Promise<void> {
    const { feed, time, signal, onFailure } = this.#options;
    const hour = hourOf(time.now());
    try {
      const mark = await feed.readMark(instrumentId, { since, signal });
      // An answer after the full hour may show the rate of this period or of the next.
      if (hour === hourOf(time.now())) this.#note(mark, hour);
    } catch (error: unknown) {
      if (signal.aborted) return;
      if (!(error instanceof TradingError)) onFailure(error);
    }
  }

  #note(mark: ContractIndex, hour: number): void {
    const { instrumentId, fundingRate: rate } = mark;
    if (rate === undefined) return;
    const noted = this.#shown.get(instrumentId);
    const before = noted !== undefined && noted.hour < hour ? noted.rate : noted?.before;
    this.#shown.set(instrumentId, { hour, rate, before });
    if (noted?.rate !== rate) this.#options.onRate(mark);
  }
}

function hourOf(time: EpochMs): number {
  return Math.floor(time / HOUR_MS);
}
