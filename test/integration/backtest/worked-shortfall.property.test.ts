import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decimal, Decimal, HOUR_MS, parseFixed, type Work } from '../../../src/domain/index.js';
import {
  buildResult,
  resultSchema,
  type Result,
  type WorkedIntent,
} from '../../../src/report/index.js';
import { CandleStrategy, enterLong, enterShort, exit } from '../../../src/strategy/index.js';
import {
  aContract,
  aMarginPair,
  aSpotPair,
  runHours,
  type Hours,
} from '../../support/hourly-run.js';
import { replayRuns } from '../../support/runs.js';

const WORKS: readonly Work[] = [
  { twap: { over: '4h', slices: 4 } },
  { chase: { every: '20min', maxBps: '300' } },
  { limitFor: '90min', then: 'market' },
];

const MARKETS = {
  spot: aSpotPair('BTC', 'USDT'),
  margin: aMarginPair('BTC', 'USDT'),
  linear: aContract('BTC', 'USDT'),
  inverse: aContract('BTC', 'USDT', 'inverse'),
} as const;

interface Step {
  readonly direction: 'long' | 'short';
  readonly quantity: number;
  readonly work: number | undefined;
  readonly leaves: boolean;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    direction: fc.constantFrom('long', 'short'),
    quantity: fc.integer({ min: 1, max: 400 }),
    work: fc.constantFrom(0, 0, 1, 2, undefined),
    leaves: fc.boolean(),
  }),
  { minLength: 3, maxLength: 12 },
);

/** Prices in ticks of 0.01. Each hour opens at the previous close. */
const prices: fc.Arbitrary<Hours> = fc
  .array(fc.tuple(fc.integer({ min: -400, max: 400 }), fc.nat(150)), {
    minLength: 30,
    maxLength: 60,
  })
  .map((hours) => {
    let last = 10_000;
    return Object.fromEntries(
      hours.map(([move, tail], hour) => {
        const open = last;
        last = Math.max(2_000, open + move);
        const bounds = [Math.max(open, last) + tail, Math.min(open, last) - tail] as const;
        return [hour, [open, ...bounds, last].map((cents) => cents / 100)] as const;
      }),
    ) as unknown as Hours;
  });

/** Raises the next of the steps with every third candle. */
function trader(all: readonly Step[], isSpot: boolean) {
  return class Works extends CandleStrategy({}) {
    #candles = 0;

    override onCandle(): void {
      this.#candles += 1;
      const step = this.#candles % 3 === 0 ? all[this.#candles / 3 - 1] : undefined;
      if (step === undefined) return;
      const work = step.work === undefined ? undefined : WORKS[step.work];
      const label = `step ${String(this.#candles)}`;
      const size = { quantity: String(isSpot ? step.quantity / 100 : step.quantity) };
      const enter = step.direction === 'long' || isSpot ? enterLong : enterShort;
      this.raise(step.leaves ? exit({ work, label }) : enter(size, { work, label, add: true }));
    }
  };
}

/** The figures of one intent, from its fills and the price at its verdict. */
function expectedOf(
  { fills }: Result,
  { intent, side, arrival }: WorkedIntent,
  market: keyof typeof MARKETS,
): { filled: Decimal; average: Decimal; money: Decimal; bps: Decimal } {
  const own = fills.filter((fill) => fill.intent === intent && fill.side === side);
  const sum = (of: (price: Decimal, quantity: Decimal) => Decimal): Decimal =>
    own.reduce(
      (total, { price, quantity }) => total.add(of(decimal(price), decimal(quantity))),
      decimal('0'),
    );
  const filled = sum((_, quantity) => quantity);
  const sign = side === 'buy' ? 1 : -1;
  const size = market === 'linear' ? '0.1' : market === 'inverse' ? '10' : '1';
  const coins =
    market === 'inverse'
      ? sum((price, quantity) => quantity.mul(size).div(price))
      : filled.mul(size);
  const paid =
    market === 'inverse'
      ? filled.mul(size)
      : sum((price, quantity) => price.mul(quantity)).mul(size);
  const money = paid.sub(coins.mul(arrival)).mul(sign);
  return {
    filled,
    average: paid.div(coins),
    money,
    bps: money.div(coins.mul(arrival)).mul('10000'),
  };
}

const isNear = (said: string | number | null, expected: Decimal): boolean =>
  said !== null &&
  decimal(String(said)).sub(expected).abs().lt(Decimal.max(expected.abs(), '1').mul('1e-14'));

const seen = { filled: 0, partly: 0, open: 0, sells: 0 };

function check(result: Result, hours: Hours, market: keyof typeof MARKETS): void {
  expect(resultSchema.parse(result)).toEqual(result);
  for (const one of result.worked ?? []) {
    const { filled, average, money, bps } = expectedOf(result, one, market);
    expect(one.filled).toBe(filled.toFixed());
    const before = hours[one.from / HOUR_MS - 1];
    if (Array.isArray(before)) expect(one.arrival).toBe(String(before[3]));
    if (filled.isZero()) {
      expect([one.averagePrice, one.shortfall, one.shortfallBps]).toEqual([null, null, null]);
      continue;
    }
    if (market !== 'inverse') expect(one.shortfall).toBe(money.toFixed());
    expect([one.shortfall, one.averagePrice, one.shortfallBps]).toSatisfy(
      () =>
        isNear(one.shortfall, money) &&
        isNear(one.averagePrice, average) &&
        isNear(one.shortfallBps, bps),
    );
    seen.filled += 1;
    if (one.unit !== 'quote' && decimal(one.quantity).gt(filled)) seen.partly += 1;
    if (one.to === null) seen.open += 1;
    if (one.side === 'sell') seen.sells += 1;
  }
  const known = new Set(
    (result.worked ?? []).map(({ intent, side }) => `${String(intent)} ${side}`),
  );
  expect(known.size).toBe((result.worked ?? []).length);
}

describe('the shortfall of worked intents', () => {
  it.each(Object.keys(MARKETS) as (keyof typeof MARKETS)[])(
    'matches the fills of the result and last at each decision: %s',
    async (market) => {
      await fc.assert(
        fc.asyncProperty(steps, prices, async (all, hours) => {
          const record = await runHours({
            strategy: trader(all, market === 'spot'),
            series: [[MARKETS[market], hours]],
            equityCurrency: market === 'inverse' ? 'BTC' : 'USDT',
            simulation: {
              participation: parseFixed('0.002'),
              fees: { maker: parseFixed('0.001'), taker: parseFixed('0.002'), paidIn: 'received' },
              ...(market === 'spot' && {
                balances: { spot: new Map([['USDT', parseFixed('10000')]]) },
              }),
            },
          });
          check(buildResult(record), hours, market);
        }),
        { numRuns: Math.ceil(replayRuns() / 5) },
      );
    },
  );

  it('is tested on intents of all kinds', () => {
    expect(seen.filled).toBeGreaterThan(50);
    expect(Math.min(seen.partly, seen.open, seen.sells)).toBeGreaterThan(5);
  });
});
