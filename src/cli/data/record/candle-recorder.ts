import type { Subscription } from 'rxjs';
import {
  closeTimeOf,
  columnsOfCandles,
  DataError,
  floorToInterval,
  mayPass,
  nominalIntervalMs,
  SECOND_MS,
  type Candle,
  type EpochMs,
  type TradingError,
} from '../../../domain/index.js';
import { MOST_CANDLES, type CandleNotice, type StreamStatus } from '../../../feed/index.js';
import { downloadCandles } from '../download-candles.js';
import { missingRanges } from '../missing-ranges.js';
import { orNothing } from '../or-nothing.js';
import { pauseUntilAbort } from './on-grid.js';
import { RecordedRows } from './recorded-rows.js';
import type { RecordedKey, Recording } from './recording.js';

/** Time between two tries to join stored candles with those that the venue serves. */
const JOIN_RETRY_MS = 15 * SECOND_MS;

interface JoinedRange {
  readonly from: EpochMs | undefined;
  readonly to?: EpochMs;
}

/** File and metadata differ during a write. After an interrupted write they differ until the next write repairs them. */
const TORN = 'E_DATA_TORN';
/** Whether a failure may pass without a change of the file by a person: a failure of the venue, a full disk, or an interrupted write. */
const isPassing = (error: unknown): error is TradingError =>
  mayPass(error) || (error instanceof DataError && ['E_DATA_WRITE', TORN].includes(error.code));

/** Records one series of candles: first the candles since the last stored one, if the venue still serves them, then each candle as it closes. */
export class CandleRecorder {
  readonly #recording: Recording;
  readonly #key: RecordedKey;
  readonly rows: RecordedRows<Candle>;
  #subscription: Subscription | undefined;
  #isDown = false;
  /** Holes are filled one after the other. */
  #filling: Promise<void> = Promise.resolve();

  constructor(recording: Recording, key: RecordedKey) {
    const { archive, say, onFailure } = recording;
    this.#recording = recording;
    this.#key = key;
    this.rows = new RecordedRows({
      name: `${key.instrumentId} ${key.interval}`,
      storedRows: 0,
      merge: (candles) =>
        archive.merge({ ...key, columns: columnsOfCandles(candles) }, this.#origin),
      say,
      onFailure,
    });
  }

  /**
   * Joins the stored candles with those that the venue serves, and starts to poll.
   *
   * @throws errors of archive and venue; the signal's reason.
   */
  async start(): Promise<void> {
    const { archive, feed, onFailure } = this.#recording;
    const { instrumentId, interval } = this.#key;
    const before = await orNothing(archive.info(instrumentId, interval), [TORN]);
    await this.#joinAtLast({ from: before?.to });
    const stored = await orNothing(archive.info(instrumentId, interval));
    const last = stored && floorToInterval(stored.to - 1, interval);
    const { values$, status$ } = feed.candles(instrumentId, interval, last);
    this.#subscription = values$.subscribe({
      next: (notice) => this.#take(notice),
      error: onFailure,
    });
    this.#subscription.add(
      status$.subscribe({ next: (status) => this.#tell(status), error: onFailure }),
    );
  }

  /** Ends the polling. The caller must flush the waiting rows. */
  async stop(): Promise<void> {
    this.#subscription?.unsubscribe();
    await this.#filling;
  }

  get #origin() {
    const isFutures = this.#key.instrumentId.startsWith('futures:');
    return {
      source: `klines of ${this.#recording.host}`,
      volumeUnit: isFutures ? ('contracts' as const) : ('base' as const),
    };
  }

  #take(notice: CandleNotice): void {
    const { say } = this.#recording;
    if (notice.kind === 'candle') this.rows.add(notice.candle);
    else if (notice.kind === 'hole') this.#hole(notice);
    else {
      const { after } = notice;
      const isTaken = this.rows.revise(after, ({ openTime }) => openTime === after.openTime);
      if (!isTaken)
        say(`${this.rows.name}: the venue has revised a stored candle; the stored one stays`);
    }
  }

  /** A venue may serve a hole older than its newest klines in pages. A hole among the newest klines cannot be filled: the venue does not have these candles. */
  #hole(hole: { readonly from: EpochMs; readonly to: EpochMs }): void {
    const { time, onFailure, signal } = this.#recording;
    const reach = time.now() - MOST_CANDLES * nominalIntervalMs(this.#key.interval);
    if (hole.from >= reach) {
      this.rows.miss(hole, 'the venue has no candles');
      return;
    }
    this.#filling = this.#filling
      .then(() => this.#joinAtLast(hole))
      .catch((error: unknown) => {
        if (!signal.aborted) onFailure(error);
      });
  }

  /** Joins as soon as venue and disk allow it. A failure that may pass is reported once and tried again. */
  async #joinAtLast(range: JoinedRange): Promise<void> {
    const { time, signal, say } = this.#recording;
    for (let failure: string | undefined; ;) {
      try {
        await this.#join(range);
        if (failure !== undefined) say(`${this.rows.name}: missing candles are stored`);
        return;
      } catch (error: unknown) {
        if (signal.aborted || !isPassing(error)) throw error;
        const { message, code } = error;
        if (failure !== code)
          say(
            `${this.rows.name}: cannot fetch missing candles, trying again: ${message} (${code})`,
          );
        failure = code;
      }
      await pauseUntilAbort(time, JOIN_RETRY_MS, signal);
      signal.throwIfAborted();
    }
  }

  /** Downloads the missing candles of a range, and reports the gaps that the venue does not serve. */
  async #join({ from, to }: JoinedRange): Promise<void> {
    const { archive, market, time, signal } = this.#recording;
    const { instrumentId, interval } = this.#key;
    await this.rows.flush();
    const options = { archive, marketData: market, ...this.#key, ...this.#origin, from, to };
    const { added } = await downloadCandles({
      ...options,
      now: time.now(),
      signal,
      onProgress: () => undefined,
    });
    this.rows.stored(added, (await orNothing(archive.info(instrumentId, interval)))?.rows ?? 0);
    const columns = await orNothing(archive.read(instrumentId, interval, { from, to }));
    const times = columns?.openTime ?? new Float64Array();
    const end = to ?? closeTimeOf(times.at(-1) ?? Number.NEGATIVE_INFINITY, interval);
    for (const gap of missingRanges(times, interval, { from: from ?? times[0] ?? end, to: end })) {
      this.rows.miss(gap, 'the venue does not serve it');
    }
  }

  #tell({ state, code }: StreamStatus): void {
    const isDown = state === 'down';
    if (isDown === this.#isDown || (this.#isDown && state === 'stale')) return;
    this.#isDown = isDown;
    const what = isDown ? `no answer (${code ?? 'unknown'})` : 'the venue answers again';
    this.#recording.say(`${this.rows.name}: ${what}`);
  }
}
