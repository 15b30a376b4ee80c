import {
  divideFixed,
  fixedToNumber,
  formatFixed,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import { dailyReturns, type DailyEquity } from '../daily-returns.js';
import { sumInOrder, type Figure } from '../figure.js';
import type { Benchmark } from '../result-schema.js';
import { areEqual, MINIMUM_RETURNS, totalReturn } from '../return-figures.js';
import type { RunRecord } from '../run-record.js';
import type { HeldPrices } from './held-prices.js';

/** Prices of one instrument at the start and at the day ends of a run. They are read in step with the trades, so that the candles are read only once. */
export class HeldDays {
  readonly instrument: InstrumentId;
  readonly #prices: HeldPrices;
  readonly #times: readonly EpochMs[];
  readonly #open: Fixed | undefined;
  readonly #held: Fixed[] = [];

  constructor({ run, dayEquity }: RunRecord, instrument: InstrumentId, prices: HeldPrices) {
    this.instrument = instrument;
    this.#prices = prices;
    this.#times = [run.from, ...dayEquity.time];
    this.#open = prices.openFrom(instrument, run.from);
  }

  passTo(time: EpochMs): void {
    const open = this.#open;
    if (open === undefined) return;
    for (
      let next = this.#times[this.#held.length];
      next !== undefined && next <= time;
      next = this.#times[this.#held.length]
    )
      this.#held.push(
        this.#held.length === 0 ? open : (this.#prices.closeBy(this.instrument, next) ?? open),
      );
  }

  /** One price for the start and for each day end. Undefined if the instrument has no candles in the run. */
  finish(): HeldCurve | undefined {
    this.passTo(Number.POSITIVE_INFINITY);
    const open = this.#open;
    if (open === undefined || open === 0n) return undefined;
    const held = this.#times.map((time, day) => ({ time, equity: this.#held[day] ?? open }));
    return { open, held };
  }
}

interface HeldCurve {
  readonly open: Fixed;
  readonly held: DailyEquity['curve'];
}

/** Compares a run and its daily returns with holding one of its instruments. Undefined if the instrument has no candles in the run. */
export function compareWithHolding(
  record: RunRecord,
  returns: DailyEquity['returns'],
  days: HeldDays,
): Benchmark | undefined {
  const curve = days.finish();
  if (curve === undefined) return undefined;
  const { open, held } = curve;
  const total = fixedToNumber(divideFixed((held.at(-1)?.equity ?? open) - open, open));
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
  const [mean, otherMean] = [meanOf(own), meanOf(others)];
  const deviations = own.map((value) => value - mean);
  const otherDeviations = others.map((value) => value - otherMean);
  const together = sumInOrder(
    deviations.map((value, index) => value * (otherDeviations[index] ?? 0)),
  );
  const squares = sumInOrder(deviations.map((value) => value * value));
  const otherSquares = sumInOrder(otherDeviations.map((value) => value * value));
  return {
    beta: together / otherSquares,
    correlation: together / Math.sqrt(squares * otherSquares),
  };
}

function meanOf(values: readonly number[]): number {
  return sumInOrder(values) / values.length;
}
