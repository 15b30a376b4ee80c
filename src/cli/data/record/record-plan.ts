import {
  canResample,
  MINUTE_MS,
  nominalIntervalMs,
  VENUE_INTERVALS,
  type InstrumentId,
  type Interval,
  type VenueInterval,
} from '../../../domain/index.js';
import { ENDPOINTS, type AnyEndpoint } from '../../../venue/wire/index.js';
import type { RecordedKey } from './recording.js';
import { LISTINGS_MS, MARK_MS } from './record-venue.js';

/** The calls that a recording needs of one limit of the venue. */
interface RecordBudget {
  /** Name of the limit, for example `futures`. */
  readonly name: string;
  /** Calls in the busiest minute, when all candles close. Repeated calls after failures are not included. */
  readonly callsPerMinute: number;
  /** Calls per minute that the share of the limit allows. */
  readonly mostPerMinute: number;
}

interface Recorded {
  readonly instrumentId: InstrumentId;
  readonly kind: 'spot' | 'margin' | 'futures';
  readonly intervals: readonly Interval[];
}

const isServed = (interval: Interval): interval is VenueInterval =>
  VENUE_INTERVALS.some((served) => served === interval);

/** The configured series of candles that the venue serves. */
export function seriesOf(instruments: readonly Recorded[]): readonly RecordedKey[] {
  return instruments.flatMap(({ instrumentId, intervals }) =>
    intervals.filter(isServed).map((interval) => ({ instrumentId, interval })),
  );
}

/** Describes, for each configured series that the venue does not serve, how it can be made. */
export function describeUnserved(instruments: readonly Recorded[]): readonly string[] {
  return instruments.flatMap(({ instrumentId, intervals }) =>
    intervals
      .filter((interval) => !isServed(interval))
      .map((interval) => {
        const hasParts = intervals.some((other) => isServed(other) && canResample(other, interval));
        const hint = hasParts
          ? 'it is made of finer candles when it is read'
          : 'also name a finer interval from which it can be made';
        return `${instrumentId} ${interval}: the venue does not serve it; ${hint}`;
      }),
  );
}

/** Plans the calls of a recording, by limit of the venue. */
export function planRecording(
  instruments: readonly Recorded[],
  share: number,
): readonly RecordBudget[] {
  const budgets = new Map<string, { calls: number; readonly limit: AnyEndpoint['rateLimit'] }>();
  const add = ({ rateLimit }: AnyEndpoint, periodMs: number): void => {
    const budget = budgets.get(rateLimit.bucket) ?? { calls: 0, limit: rateLimit };
    // A call that comes less often than once a minute may still come in the busiest one.
    budget.calls += Math.max(1, MINUTE_MS / periodMs);
    budgets.set(rateLimit.bucket, budget);
  };
  for (const { instrumentId, interval } of seriesOf(instruments)) {
    const host = instrumentId.startsWith('futures:') ? 'futures' : 'spot';
    add(ENDPOINTS[`${host}.klines`], nominalIntervalMs(interval));
  }
  for (const host of new Set(instruments.map(({ kind }) => (kind === 'futures' ? kind : 'spot')))) {
    add(ENDPOINTS[`${host}.time`], MINUTE_MS);
    add(ENDPOINTS[host === 'futures' ? 'futures.contracts' : 'spot.symbols'], LISTINGS_MS);
  }
  for (const { kind } of instruments) {
    if (kind === 'futures') add(ENDPOINTS['futures.index'], MARK_MS);
  }
  return [...budgets].map(
    ([
      name,
      {
        calls,
        limit: { count, windowMs },
      },
    ]) => ({
      name,
      callsPerMinute: calls,
      mostPerMinute: (share * count * MINUTE_MS) / windowMs,
    }),
  );
}
