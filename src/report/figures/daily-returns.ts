import {
  DAY_MS,
  divideFixed,
  fixedToNumber,
  formatFixed,
  InvariantError,
  type EpochMs,
  type Fixed,
} from '../../domain/index.js';
import { dayEndsBetween } from './day-ends.js';
import type { RunRecord } from '../run-record.js';

type EquityOfRun = Pick<RunRecord, 'run' | 'initialEquity' | 'finalEquity' | 'dayEquity'>;

interface EquityPoint {
  readonly time: EpochMs;
  readonly equity: Fixed;
}

/**
 * Lists the daily curve: the initial equity at the start, then one point per UTC day end and one at the end of the run.
 *
 * @throws {InvariantError} `E_DAY_EQUITY` when the record's points are not those of {@link dayEndsBetween}, or the last is not the
 * final equity.
 */
function dailyCurve(record: EquityOfRun): readonly EquityPoint[] {
  const { run, initialEquity, finalEquity, dayEquity } = record;
  const ends = dayEndsBetween(run.from, run.to);
  if (dayEquity.time.length !== ends.length || dayEquity.equity.length !== ends.length) {
    throw new InvariantError(
      'E_DAY_EQUITY',
      `expected ${String(ends.length)} day ends, received ${String(dayEquity.time.length)} times and ${String(dayEquity.equity.length)} amounts`,
    );
  }
  const curve: EquityPoint[] = [{ time: run.from, equity: initialEquity }];
  for (const [index, time] of ends.entries()) {
    const equity = dayEquity.equity[index];
    if (dayEquity.time[index] !== time || equity === undefined) {
      throw new InvariantError(
        'E_DAY_EQUITY',
        `expected day end ${String(time)} at index ${String(index)}, received ${String(dayEquity.time[index])}`,
      );
    }
    curve.push({ time, equity });
  }
  const last = curve.at(-1)?.equity;
  if (last !== finalEquity) {
    throw new InvariantError(
      'E_DAY_EQUITY',
      `expected the daily curve to end at ${formatFixed(finalEquity)}, received ${formatFixed(last ?? initialEquity)}`,
    );
  }
  return curve;
}

/** The daily curve of a run and its returns. */
export interface DailyEquity {
  readonly curve: readonly EquityPoint[];
  readonly returns: readonly number[] | undefined;
}

/** @throws {InvariantError} as {@link dailyCurve}. */
export function dailyEquity(record: EquityOfRun): DailyEquity {
  const curve = dailyCurve(record);
  return { curve, returns: dailyReturns(curve) };
}

/**
 * Simple returns over whole UTC days: Eᵢ ÷ Eᵢ₋₁ − 1 between neighboring midnights, each divided exactly and then rounded to float64.
 *
 * A day that the run covers only in part gives no return (a run may start or end at noon): it would be annualized like a whole day. Undefined if an equity to
 * divide by is not above 0.
 */
export function dailyReturns(curve: readonly EquityPoint[]): readonly number[] | undefined {
  const midnights = curve.filter((point) => point.time % DAY_MS === 0);
  const returns: number[] = [];
  let previous: Fixed | undefined;
  for (const { equity } of midnights) {
    if (previous !== undefined) {
      if (previous <= 0n) return undefined;
      returns.push(fixedToNumber(divideFixed(equity - previous, previous)));
    }
    previous = equity;
  }
  return returns;
}
