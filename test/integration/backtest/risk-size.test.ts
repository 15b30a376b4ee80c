import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  decimal,
  decimalFromFixed,
  HOUR_MS,
  parseFixed,
  type Candle,
  type Decimal,
  type EpochMs,
} from '../../../src/domain/index.js';
import type { RunRecord } from '../../../src/report/index.js';
import { CandleStrategy, choice } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { MemoryJournal } from '../../support/engine/memory-journal.js';
import { aContract, aSpotPair, runHours, type Hours } from '../../support/hourly-run.js';
import { replayRuns } from '../../support/runs.js';

const RISK = '0.01';
const FEE = '0.001';
const FEES = { maker: parseFixed(FEE), taker: parseFixed(FEE), paidIn: 'quote' } as const;
/** The stop as a ratio of last, for a long and for a short. */
const STOPS = { long: '0.97', short: '1.03' } as const;

function aBuyer(direction: 'long' | 'short') {
  return class Enters extends CandleStrategy({
    side: choice(['long', 'short'], { defaultValue: direction }),
  }) {
    override onCandle({ close }: Candle): void {
      const stopLoss = { price: decimal(String(close)).mul(STOPS[direction]).toFixed(2) };
      const terms = { protection: { stopLoss } };
      if (direction === 'long') this.enterLong({ risk: RISK }, terms);
      else this.enterShort({ risk: RISK }, terms);
    }
  };
}

/** Adds to its position by risk every third hour, or in the middle of it, at the trailing stop that the first entry has set. */
function anAdder(schedule?: string) {
  return class Adds extends CandleStrategy() {
    hours = 0;
    readonly timer = schedule === undefined ? undefined : this.every(schedule, () => this.add());

    override onCandle(): void {
      this.hours += 1;
      const trailingStop = { ratio: '0.2' };
      if (this.position.quantity.isZero())
        this.enterLong({ equity: '0.1' }, { protection: { trailingStop } });
      else if (schedule === undefined) this.add();
    }

    add(): void {
      if (this.hours % 3 === 0) this.enterLong({ risk: '0.001' }, { add: true });
    }
  };
}

const MARKETS = {
  'a pair, long': { instrument: aSpotPair('BTC', 'USDT'), direction: 'long', step: '0.00001' },
  'a contract, long': { instrument: aContract('BTC', 'USDT'), direction: 'long', step: '0.1' },
  'a contract, short': { instrument: aContract('BTC', 'USDT'), direction: 'short', step: '0.1' },
} as const;

/** Hourly prices. Each hour opens at the previous close, or with a gap. */
const prices: fc.Arbitrary<Hours> = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 0, 0, -50, 40),
      move: fc.integer({ min: -300, max: 300 }),
      tail: fc.integer({ min: 0, max: 200 }),
    }),
    { minLength: 5, maxLength: 40 },
  )
  .map((hours) => {
    let last = 10_000;
    return Object.fromEntries(
      hours.map(({ gap, move, tail }, hour) => {
        const open = last + gap;
        last = open + move;
        const high = Math.max(open, last) + tail;
        const low = Math.min(open, last) - tail;
        return [hour, [open, high, low, last].map((cents) => cents / 100)] as const;
      }),
    ) as unknown as Hours;
  });

interface RoundTrip {
  /** The last price at the decision of the entry, which arrives at once. */
  readonly last: Decimal;
  readonly quantity: Decimal;
  readonly entry: Decimal;
  readonly exit: Decimal;
}

/** Closed round trips. `size`: of one contract, or one coin. */
function roundTrips({ fills }: RunRecord, hours: Hours, size: Decimal): readonly RoundTrip[] {
  const all = [...fills].map(({ record }) => ({
    time: record.eventTime,
    price: decimalFromFixed(record.price),
    quantity: decimalFromFixed(record.quantity).mul(size),
  }));
  return all.flatMap((exit, place) => {
    const entry = all[place - 1];
    return place % 2 === 0 || entry === undefined
      ? []
      : [
          {
            last: closeBefore(hours, entry.time),
            quantity: entry.quantity,
            entry: entry.price,
            exit: exit.price,
          },
        ];
  });
}

function closeBefore(hours: Hours, time: EpochMs): Decimal {
  const hour = hours[time / HOUR_MS - 1];
  return decimal(String(Array.isArray(hour) ? hour[3] : hour));
}

describe('the realized loss of a size by risk', () => {
  it.each(Object.entries(MARKETS))(
    'is the intended loss plus the effect of gaps and sampling: %s',
    async (_what, { instrument, direction, step }) => {
      const isLong = direction === 'long';
      const sign = isLong ? 1 : -1;
      const fee = decimal(FEE);
      const [paid, brought] = isLong
        ? [fee.add('1'), decimal('1').sub(fee)]
        : [decimal('1').sub(fee), fee.add('1')];
      const loss = (quantity: Decimal, entry: Decimal, exit: Decimal): Decimal =>
        quantity.mul(entry.mul(paid).sub(exit.mul(brought))).mul(sign);
      const { instrumentId } = instrument;
      const { simulation } = aBacktestConfig({ instrumentId, interval: '1h' });
      await fc.assert(
        fc.asyncProperty(prices, async (hours) => {
          const record = await runHours({
            strategy: aBuyer(direction),
            series: [[instrument, hours]],
            simulation: { fees: FEES, futures: { ...simulation.futures, fundingRate: 0n } },
          });
          const size = decimalFromFixed(
            instrument.kind === 'futures' ? instrument.multiplier : parseFixed('1'),
          );
          let equity = decimal('10000');
          for (const { last, quantity, entry, exit } of roundTrips(record, hours, size)) {
            const stop = decimal(last.mul(STOPS[direction]).toFixed(2));
            const share = equity.mul(RISK);
            const meant = loss(quantity, last, stop);
            const withOneStepMore = loss(quantity.add(step), last, stop);

            expect(meant.lte(share)).toBe(true);
            expect(withOneStepMore.gt(share)).toBe(true);

            const gap = quantity.mul(entry.sub(last)).mul(paid).mul(sign);
            const sampling = quantity.mul(stop.sub(exit)).mul(brought).mul(sign);
            equity = equity.sub(meant).sub(gap).sub(sampling);
          }
          if ([...record.fills].length % 2 === 0)
            expect(decimalFromFixed(record.finalEquity).toFixed(8)).toBe(equity.toFixed(8));
        }),
        { numRuns: replayRuns() },
      );
    },
  );
});

describe('an entry that a trailing stop of the position sizes', () => {
  // The candles rise by 1 % an hour, so that each of them moves the stop.
  const rising = Object.fromEntries(
    Array.from({ length: 40 }, (_, hour) => {
      const open = 100 + hour;
      return [hour, [open, open + 2, open - 0.5, open + 1]] as const;
    }),
  );

  it.each([['at a close', undefined] as const, ['within a candle', '@hourly :25'] as const])(
    'has the same size in a backtest with a journal and without, %s',
    async (_, schedule) => {
      const run = {
        strategy: anAdder(schedule),
        series: [[aSpotPair('BTC', 'USDT'), rising]],
      } as const;

      const plain = await runHours(run);
      const recorded = await runHours({ ...run, journal: new MemoryJournal() });

      const quantities = ({ orders }: RunRecord): readonly bigint[] =>
        Array.from(orders, ({ request }) => request.quantity);
      expect(quantities(plain).length).toBeGreaterThan(8);
      expect(quantities(plain)).toEqual(quantities(recorded));
    },
  );
});
