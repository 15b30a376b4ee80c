import {
  divideFixed,
  fixedToNumber,
  formatFixed,
  missing,
  type EpochMs,
  type InstrumentId,
} from '../../domain/index.js';
import { dailyReturns, type DailyEquity } from '../figures/daily-returns.js';
import { sumInOrder, type Figure } from '../figures/figure.js';
import type { Benchmark } from '../result/result-schema.js';
import { areEqual, MINIMUM_RETURNS, totalReturn } from '../figures/return-figures.js';
import type { RunRecord } from '../run-record.js';
import type { HeldPrices, RunPrices } from './held-prices.js';

/** Prices of one instrument at the start and at the day ends of a run. They are read in step with the trades, so that the candles are read only once. */
export class HeldDays {
  readonly instrument: InstrumentId;
  readonly #prices: HeldPrices;
  readonly #times: RunRecord['dayEquity']['time'];
  readonly #points: DailyEquity['curve'][number][] = [];
  /** The next day end; undefined after the last, or if the instrument has no candles in the run. */
  next: EpochMs | undefined;

  constructor({ run, dayEquity }: RunRecord, instrument: InstrumentId, prices: RunPrices) {
    this.instrument = instrument;
    this.#prices = prices.get(instrument) ?? missing(`candles of ${instrument}`);
    this.#times = dayEquity.time;
    // As initial holdings are valued: who holds the instrument all the time then has its return.
    const equity = this.#prices.closeBy(run.from) ?? this.#prices.openFrom(run.from);
    if (equity === undefined) return;
    this.#points.push({ time: run.from, equity });
    this.next = this.#times[0];
  }

  /** Reads the price of the next day end, if there is one. To be called before trades that are later. */
  read(): void {
    const { next: time } = this;
    const points = this.#points;
    if (time === undefined || points[0] === undefined) return;
    points.push({ time, equity: this.#prices.closeBy(time) ?? points[0].equity });
    this.next = this.#times[points.length - 1];
  }

  /** One price for the start and for each day end. Empty if the instrument has no candles in the run. */
  finish(): DailyEquity['curve'] {
    while (this.next !== undefined) this.read();
    return this.#points;
  }
}

/** Compares a run and its daily returns with holding one of its instruments. Undefined if the instrument has no candles in the run. */
export function compareWithHolding(
  record: RunRecord,
  returns: DailyEquity['returns'],
  days: HeldDays,
): Benchmark | undefined {
  const held = days.finish();
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined || first.equity === 0n) return undefined;
  const total = fixedToNumber(divideFixed(last.equity - first.equity, first.equity));
  const own = totalReturn(record);
  return {
    instrument: days.instrument,
    totalReturn: total,
    excessReturn: own === null ? null : own - total,
    ...compareReturns(returns, dailyReturns(held)),
    curve: held.map(({ time, equity: price }) => [time, formatFixed(price)] as const),
  };
}

/** Both curves are compared by whole UTC days. The first open of a run counts as a price at midnight only if the run starts at midnight. */
function compareReturns(
  own: readonly number[] | undefined,
  others: readonly number[] | undefined,
): { readonly beta: Figure; readonly correlation: Figure } {
  const unknown = { beta: null, correlation: null };
  if (own === undefined || others === undefined || own.length < MINIMUM_RETURNS) return unknown;
  if (areEqual(own) || areEqual(others)) return unknown;
  const mean = meanOf(own);
  const otherMean = meanOf(others);
  let together = 0;
  let squares = 0;
  let otherSquares = 0;
  for (let day = 0; day < own.length; day += 1) {
    const deviation = (own[day] ?? Number.NaN) - mean;
    const otherDeviation = (others[day] ?? Number.NaN) - otherMean;
    together += deviation * otherDeviation;
    squares += deviation * deviation;
    otherSquares += otherDeviation * otherDeviation;
  }
  return {
    beta: together / otherSquares,
    correlation: together / Math.sqrt(squares * otherSquares),
  };
}

function meanOf(values: readonly number[]): number {
  return sumInOrder(values) / values.length;
}
