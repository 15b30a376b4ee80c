import {
  HOUR_MS,
  MINUTE_MS,
  TradingError,
  type EpochMs,
  type Fixed,
  type FundingRateKnown,
  type Instrument,
  type InstrumentId,
} from '../domain/index.js';
import type { MarketFeed } from '../feed/index.js';
import type { ContractIndex } from '../venue/index.js';
import type { EngineEvent } from '../engine/index.js';
import type { Activity } from './activity.js';
import { indexOf } from './reading-watch.js';
import { timeOfPhase, type SessionTime } from './session-time.js';

export interface FundingRateWatchOptions {
  readonly feed: Pick<MarketFeed, 'readMark'>;
  readonly instruments: readonly Instrument[];
  /** Which rate the venue shows. */
  readonly known: FundingRateKnown;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Another rate is shown than before. */
  readonly onRate: (mark: ContractIndex) => void;
  readonly onFailure: (error: unknown) => void;
}

/** What was shown last, in which hour, and what was shown last in an hour before that. */
interface ShownRate {
  readonly hour: number;
  readonly rate: Fixed;
  readonly before: Fixed | undefined;
}

/**
 * When rates are read in each hour, in ms from its begin: funding is settled on full hours, so at it; again soon, should the venue be late; and at
 * last before the next one.
 */
const READINGS_MS = [0, MINUTE_MS, HOUR_MS - MINUTE_MS] as const;
/** The last reading of an hour may be as old as this: it is mostly there, with the mark of a candle. */
const FRESH_MS = HOUR_MS / 2;

/** What the engine is told of a rate that is shown. */
export function readingOf(mark: ContractIndex): (time: EpochMs) => EngineEvent {
  return (time) => ({ kind: 'reading', time, reading: { ...indexOf(mark), time } });
}

/** When the funding rates that are known at an instant were read. */
export function lastRateReading(time: EpochMs): EpochMs {
  const since = time % HOUR_MS;
  return time - since + (READINGS_MS.findLast((reading) => reading <= since) ?? 0);
}

function nextRateReading(time: EpochMs): EpochMs {
  const since = time % HOUR_MS;
  return time - since + (READINGS_MS.find((reading) => reading > since) ?? HOUR_MS);
}

/**
 * Knows which funding rates the venue shows, and at which funding was paid. Where it shows that of the period now running, what it shows after a
 * boundary is the next period's: paid was what it showed before.
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

  /** Rate at which the boundary was settled that has just passed, where the venue shows `shown` now. */
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

  /** A rate that cannot be read stays what it was: that the venue does not answer is told by who reads prices. */
  async #readOne(instrumentId: InstrumentId, since: EpochMs): Promise<void> {
    const { feed, time, signal, onFailure } = this.#options;
    const hour = hourOf(time.now());
    try {
      const mark = await feed.readMark(instrumentId, { since, signal });
      // What comes after the hour may be the rate of this period or of the next.
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
