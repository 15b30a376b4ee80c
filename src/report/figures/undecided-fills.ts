import type { FillRecord, InstrumentId } from '../../domain/index.js';
import type { CandleSpans } from '../run-record.js';

/** Finds fills inside undecided candles: after the open and before the close. The open and the close are the same on every path. */
export class UndecidedFills {
  readonly #byInstrument: ReadonlyMap<InstrumentId, SpanWalk>;

  constructor(spans: ReadonlyMap<InstrumentId, CandleSpans>) {
    this.#byInstrument = new Map([...spans].map(([id, each]) => [id, new SpanWalk(each)]));
  }

  /** Fills must come in order of time. */
  has({ instrumentId, eventTime }: Pick<FillRecord, 'instrumentId' | 'eventTime'>): boolean {
    if (this.#byInstrument.size === 0) return false;
    return this.#byInstrument.get(instrumentId)?.holds(eventTime) ?? false;
  }
}

class SpanWalk {
  readonly #spans: CandleSpans;
  #index = 0;

  constructor(spans: CandleSpans) {
    this.#spans = spans;
  }

  holds(time: number): boolean {
    const { opens, closes } = this.#spans;
    while ((closes[this.#index] ?? Number.POSITIVE_INFINITY) <= time) this.#index += 1;
    return (opens[this.#index] ?? Number.POSITIVE_INFINITY) < time;
  }
}
