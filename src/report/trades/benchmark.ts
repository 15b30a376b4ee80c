import { divideFixed, fixedToNumber, formatFixed, type InstrumentId } from '../../domain/index.js';
import { dailyCurve, dailyReturns } from '../daily-returns.js';
import { sumInOrder, type Figure } from '../figure.js';
import type { Benchmark } from '../result-schema.js';
import { MINIMUM_RETURNS, totalReturn } from '../return-figures.js';
import type { RunRecord } from '../run-record.js';
import type { HeldPrices } from './held-prices.js';

/** Compares a run with holding one of its instruments; undefined where it has no candles in the run. */
export function compareWithHolding(
  record: RunRecord,
  instrument: InstrumentId,
  prices: HeldPrices,
): Benchmark | undefined {
  const { run } = record;
  const open = prices.openFrom(instrument, run.from);
  const equity = dailyCurve(record);
  if (open === undefined || open === 0n) return undefined;
  const held = equity.map(({ time }, index) => ({
    time,
    equity: index === 0 ? open : (prices.closeBy(instrument, time) ?? open),
  }));
  const total = fixedToNumber(divideFixed((held.at(-1)?.equity ?? open) - open, open));
  const own = totalReturn(record);
  return {
    instrument,
    totalReturn: total,
    excessReturn: own === null ? null : own - total,
    ...compareReturns(dailyReturns(equity), dailyReturns(held)),
    curve: held.map(({ time, equity: price }) => [time, formatFixed(price)] as const),
  };
}

/** The first open of a run that starts at midnight is a price of that midnight; of one that starts later it is none. */
function compareReturns(
  own: readonly number[] | undefined,
  others: readonly number[] | undefined,
): { readonly beta: Figure; readonly correlation: Figure } {
  const unknown = { beta: null, correlation: null };
  if (own === undefined || others === undefined || own.length < MINIMUM_RETURNS) return unknown;
  const [mean, otherMean] = [meanOf(own), meanOf(others)];
  const deviations = own.map((value) => value - mean);
  const otherDeviations = others.map((value) => value - otherMean);
  const together = sumInOrder(
    deviations.map((value, index) => value * (otherDeviations[index] ?? 0)),
  );
  const squares = sumInOrder(deviations.map((value) => value * value));
  const otherSquares = sumInOrder(otherDeviations.map((value) => value * value));
  if (squares === 0 || otherSquares === 0) return unknown;
  return {
    beta: together / otherSquares,
    correlation: together / Math.sqrt(squares * otherSquares),
  };
}

function meanOf(values: readonly number[]): number {
  return sumInOrder(values) / values.length;
}
