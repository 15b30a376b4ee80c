import {
  present,
  TradingError,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { MarketFeed, ReadOptions } from '../../feed/index.js';
import type { Ticker } from '../../venue/index.js';
import { inSampleOrder, type StopWatch } from '../../engine/index.js';
import type { Activity } from '../bot/activity.js';
import type { ContractSampling } from './contract-samples.js';
import { lateSample, SampleTurn } from './unanswered.js';
import { timeOfPhase, type SessionTime } from '../session/session-time.js';

export interface StopSamplesOptions {
  readonly feed: Pick<MarketFeed, 'readTicker'>;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Stops that are watched now. */
  readonly watches: () => readonly StopWatch[];
  /** Grid of the samples of last for each instrument's stops, in ms (DESIGN R9), in the order of the configuration. */
  readonly stopGrids: ReadonlyMap<InstrumentId, number>;
  readonly onLast: (instrumentId: InstrumentId, last: Fixed) => void;
  /** Takes the error of a failed sample, or undefined when all work again. The watched stops are not guarded meanwhile. */
  readonly onState: (error: TradingError | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Samples last for the engine's stops, while there are any. */
export class StopSamples {
  readonly #options: StopSamplesOptions;
  /** Grids that are due now. Their samples are reported together in one order. */
  #due: number[] = [];
  /** Instruments whose sample is being read. A slow reading never overlaps itself. */
  readonly #reading = new Set<InstrumentId>();
  /** Watched instruments whose latest sample failed. */
  readonly #failed = new Map<InstrumentId, TradingError>();
  /** Time of each instrument's latest sample, and the time since the one before. */
  readonly #sampled = new Map<
    InstrumentId,
    { readonly at: EpochMs; readonly latelyMs: number | undefined }
  >();
  #cancels: (() => void)[] = [];

  constructor(options: StopSamplesOptions) {
    this.#options = options;
  }

  /** A second call changes nothing. */
  start(): void {
    const { time, stopGrids } = this.#options;
    if (this.#cancels.length > 0) return;
    this.#cancels = [...new Set(stopGrids.values())].map((gridMs) =>
      time.every('samples', gridMs, () => {
        this.#tick(gridMs);
      }),
    );
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
  }

  /** How each instrument with a stop is sampled now. */
  get sampling(): readonly ContractSampling[] {
    return this.#watched([...this.#options.stopGrids.values()]).map((instrumentId) => ({
      instrumentId,
      by: 'last',
      at: this.#sampled.get(instrumentId)?.at,
      everyMs: this.#gridOf(instrumentId),
      latelyMs: this.#sampled.get(instrumentId)?.latelyMs,
    }));
  }

  #noteSample(instrumentId: InstrumentId, at: EpochMs): void {
    const before = this.#sampled.get(instrumentId);
    this.#sampled.set(instrumentId, { at, latelyMs: before && at - before.at });
  }

  #tick(gridMs: number): void {
    if (this.#due.includes(gridMs)) return;
    const watched = this.#watched([gridMs]);
    if (watched.length === 0) this.#forget([gridMs], []);
    if (watched.every((id) => this.#reading.has(id))) return;
    if (this.#due.push(gridMs) > 1) return;
    void this.#options.activity.during(async () => {
      // Other grids may be due at the same time.
      await Promise.resolve();
      const grids = this.#due;
      this.#due = [];
      await this.#sample(grids);
    });
  }

  /** Samples answered in time are reported together, in order. Late ones, and those of instruments that failed before, are reported one by one. */
  async #sample(grids: readonly number[]): Promise<void> {
    const { signal, time } = this.#options;
    const samplesTime = timeOfPhase(time, 'samples');
    const at = time.now();
    const watched = this.#watched(grids);
    this.#forget(grids, watched);
    const due = watched.filter((id) => !this.#reading.has(id));
    const isSound = (id: InstrumentId): boolean => !this.#failed.has(id);
    const alone = due
      .filter((id) => !isSound(id))
      .map((id) => this.#takeAlone(id, at, this.#read(id, at)));
    const begun = due.filter(isSound).map((id) => {
      const turn = new SampleTurn(samplesTime);
      return { id, turn, reading: this.#read(id, at, turn.onTurn) };
    });
    const together = await Promise.all(
      begun.map(async (one) => ({ ...one, lateness: await one.turn.lateness(one.reading) })),
    );
    if (signal.aborted) return;
    const late: Promise<void>[] = [];
    for (const { id, reading, lateness } of together) {
      if (lateness !== undefined) {
        this.#failed.set(id, lateSample(`the last price of ${id}`, lateness));
        late.push(this.#takeAlone(id, at, reading));
      } else this.#take(id, at, await reading);
    }
    this.#report();
    await Promise.all([...alone, ...late]);
  }

  async #takeAlone(
    instrumentId: InstrumentId,
    at: EpochMs,
    reading: Promise<PromiseSettledResult<Ticker>>,
  ): Promise<void> {
    const result = await reading;
    if (this.#options.signal.aborted) return;
    this.#take(instrumentId, at, result);
    this.#report();
  }

  async #read(
    instrumentId: InstrumentId,
    at: EpochMs,
    onTurn?: ReadOptions['onTurn'],
  ): Promise<PromiseSettledResult<Ticker>> {
    const { feed, signal } = this.#options;
    const gridMs = this.#gridOf(instrumentId);
    this.#reading.add(instrumentId);
    // Bots share samples: their grids begin at the same times.
    const since = Math.floor(at / gridMs) * gridMs;
    const [result] = await Promise.allSettled([
      feed.readTicker(instrumentId, { since, signal, onTurn }),
    ]);
    return result;
  }

  #take(instrumentId: InstrumentId, at: EpochMs, sample: PromiseSettledResult<Ticker>): void {
    const { onLast, onFailure } = this.#options;
    this.#reading.delete(instrumentId);
    if (sample.status === 'fulfilled') {
      this.#failed.delete(instrumentId);
      this.#noteSample(instrumentId, at);
      onLast(instrumentId, sample.value.last);
    } else if (sample.reason instanceof TradingError) this.#failed.set(instrumentId, sample.reason);
    else onFailure(sample.reason);
  }

  #report(): void {
    const [first] = this.#failed.values();
    this.#options.onState(first);
  }

  /**
   * Forgets failures of instruments that are no longer watched. Otherwise a failed reading would block the very entries that would start the watch
   * again.
   */
  #forget(grids: readonly number[], watched: readonly InstrumentId[]): void {
    const over = [...this.#failed.keys()].filter(
      (id) => grids.includes(this.#gridOf(id)) && !watched.includes(id),
    );
    for (const id of over) this.#failed.delete(id);
    if (over.length > 0) this.#report();
  }

  #watched(grids: readonly number[]): readonly InstrumentId[] {
    const { watches, stopGrids } = this.#options;
    const due = watches().filter(({ instrumentId }) => grids.includes(this.#gridOf(instrumentId)));
    return inSampleOrder(due, stopGrids.keys());
  }

  #gridOf(instrumentId: InstrumentId): number {
    return present(
      this.#options.stopGrids.get(instrumentId),
      'the grid of an instrument of the bot',
    );
  }
}
