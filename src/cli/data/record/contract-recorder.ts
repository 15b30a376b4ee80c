import {
  columnsOfCandles,
  fixedToNumber,
  TradingError,
  type Candle,
  type EpochMs,
  type InstrumentId,
} from '../../../domain/index.js';
import { orNothing } from '../or-nothing.js';
import { FundingSettlements, type Settled } from './funding-settlements.js';
import { MARK_INTERVAL, MarkCandles } from './mark-candles.js';
import { RecordedRows } from './recorded-rows.js';
import type { Recording } from './recording.js';

/** Records marks and settled funding rates of one contract. The venue shows them but does not keep them, so a value that was not read is lost. */
export class ContractRecorder {
  readonly #recording: Recording;
  readonly #instrumentId: InstrumentId;
  readonly #candles: MarkCandles;
  #settlements: FundingSettlements;
  readonly marks: RecordedRows<Candle>;
  readonly funding: RecordedRows<{ readonly time: EpochMs; readonly rate: number }>;
  /** End of the recorded marks. */
  #marksTo: EpochMs | undefined;
  #failure: string | undefined;

  constructor(recording: Recording, instrumentId: InstrumentId) {
    const { archive, host, say, onFailure, funding } = recording;
    this.#recording = recording;
    this.#instrumentId = instrumentId;
    this.#candles = new MarkCandles(instrumentId);
    this.#settlements = new FundingSettlements({ ...funding, after: undefined });
    const common = { storedRows: 0, say, onFailure };
    this.marks = new RecordedRows({
      ...common,
      name: `${instrumentId} mark ${MARK_INTERVAL}`,
      merge: (candles) =>
        archive.mergeMarks(
          { instrumentId, interval: MARK_INTERVAL, columns: columnsOfCandles(candles) },
          { source: `marks of ${host}` },
        ),
    });
    this.funding = new RecordedRows({
      ...common,
      name: `${instrumentId} funding`,
      merge: (rows) =>
        archive.mergeFunding(
          instrumentId,
          {
            time: Float64Array.from(rows, ({ time }) => time),
            rate: Float64Array.from(rows, ({ rate }) => rate),
          },
          { source: `funding of ${host}` },
        ),
    });
  }

  /** Reads what is stored, to continue from there. @throws errors of the archive. */
  async start(): Promise<void> {
    const { archive, funding } = this.#recording;
    const holdings = (await orNothing(archive.holdings())) ?? [];
    for (const entry of holdings) {
      if (entry.key.instrumentId !== this.#instrumentId || entry.status === 'broken') continue;
      const { rows, to } = entry.info;
      if (entry.key.kind === 'funding') {
        this.funding.stored(0, rows);
        this.#settlements = new FundingSettlements({ ...funding, after: to });
      }
      if (entry.key.kind === 'mark' && entry.key.interval === MARK_INTERVAL) {
        this.marks.stored(0, rows);
        this.#marksTo = to;
      }
    }
  }

  /** Reads mark and rate once. After a failure, the next call tries again. */
  async read(): Promise<void> {
    const { feed, time, signal, say } = this.#recording;
    try {
      const index = await feed.readMark(this.#instrumentId, { since: time.now(), signal });
      const now = time.now();
      const candle = this.#candles.take(now, fixedToNumber(index.markPrice));
      if (candle !== undefined) this.#addMark(candle);
      this.#addSettled(this.#settlements.take(now, index.fundingRate));
      if (this.#failure !== undefined) say(`${this.marks.name}: the venue answers again`);
      this.#failure = undefined;
    } catch (error: unknown) {
      if (signal.aborted) return;
      if (!(error instanceof TradingError)) throw error;
      if (this.#failure !== error.code) say(`${this.marks.name}: no answer (${error.code})`);
      this.#failure = error.code;
    }
  }

  #addMark(candle: Candle): void {
    const from = this.#marksTo;
    // A minute that an earlier process has recorded in part keeps that candle.
    if (from !== undefined && candle.openTime < from) return;
    if (from !== undefined && candle.openTime > from) {
      this.marks.miss({ from, to: candle.openTime }, 'no reading at this time');
    }
    this.#marksTo = candle.closeTime;
    this.marks.add(candle);
  }

  #addSettled({ paid, missed }: Settled): void {
    if (missed !== undefined) this.funding.miss(missed, 'no reading at this time');
    if (paid !== undefined) this.funding.add({ time: paid.time, rate: fixedToNumber(paid.rate) });
  }
}
