import {
  HOUR_MS,
  type CandleColumns,
  type EpochMs,
  type FundingColumns,
  type Interval,
} from '../../domain/index.js';
import { CandleWriter, type MinuteCandle } from './candle-writer.js';
import type { ContractPath } from './contract-path.js';
import type { SynthInstrument } from './synth-instrument.js';

/** Contracts settle at 00:00, 08:00 and 16:00 UTC. */
const FUNDING_PERIOD_MS = 8 * HOUR_MS;

interface ContractOptions {
  readonly interval: Interval;
  readonly markInterval?: Interval | undefined;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Keeps the mark prices of a contract over one range, makes its last prices from them, and settles its funding. */
export class ContractWriter {
  readonly #from: EpochMs;
  readonly #path: ContractPath;
  readonly #marks: CandleWriter;
  readonly #times: EpochMs[] = [];
  readonly #rates: number[] = [];

  /** Continues from the present state of `path`. */
  constructor(path: ContractPath, instrument: SynthInstrument, options: ContractOptions) {
    this.#from = options.from;
    this.#path = path;
    const interval = options.markInterval ?? options.interval;
    this.#marks = new CandleWriter({ ...options, ...instrument, interval });
  }

  /** Settles the past period when `time` ends it. Call this before the minute of `time`. */
  settle(time: EpochMs): void {
    if (time % FUNDING_PERIOD_MS !== 0) return;
    const rate = this.#path.settle();
    if (rate === undefined || time < this.#from) return;
    this.#times.push(time);
    this.#rates.push(rate);
  }

  /** Takes a minute of the market as the mark price. Returns the minute of last. */
  advance(time: EpochMs, market: MinuteCandle): MinuteCandle {
    const { open, high, low, close } = market;
    this.#marks.add(time, { open, high, low, close, volume: 0 });
    return this.#path.advance(market);
  }

  get marks(): CandleColumns {
    return this.#marks.columns;
  }

  get funding(): FundingColumns {
    return { time: Float64Array.from(this.#times), rate: Float64Array.from(this.#rates) };
  }
}
