import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  flowsOfFill,
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type MarginInstrument,
} from '../../../../src/domain/index.js';
import { Portfolio } from '../../../../src/engine/index.js';
import type { MarginLedger } from '../../../../src/simulator/index.js';
import { aMarginLedger, fixedMap, lineOf, MIDNIGHT } from '../../../support/margin/builders.js';
import { MARGIN } from '../../../support/risk/builders.js';
import { sequenceRuns } from '../../../support/runs.js';

const RATE = parseFixed('0.00001');
const STEP = parseFixed('0.001');
const ETH: MarginInstrument = {
  ...MARGIN,
  id: createInstrumentId('margin', 'ETHUSDT'),
  symbol: 'ETHUSDT',
  base: 'ETH',
};
const PAIRS = [MARGIN, ETH];
const BALANCES = { USDT: '10000' };

/** A fill, its delay after the fill before, and when its interest is reported. */
const trade = fc.record({
  pair: fc.nat({ max: 1 }),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  steps: fc.bigInt(1n, 400_000n),
  cents: fc.bigInt(5_000n, 20_000n),
  feeRate: fc.bigInt(0n, 20n),
  isFeeInBase: fc.boolean(),
  afterMs: fc.integer({ min: 0, max: 200 * MINUTE_MS }),
  /** Whether it waits on, until a full hour. */
  isAtHour: fc.boolean(),
  /** When the portfolio learns of interest: before the fill that owes it (as in a poll with both), right after it, or at the next hour. `late`: interest of the
   * hours before the fill also comes after it. */
  told: fc.constantFrom('before', 'after', 'later', 'late'),
  isRestored: fc.boolean(),
});

interface Drawn {
  readonly pair: number;
  readonly side: 'buy' | 'sell';
  readonly steps: bigint;
  readonly cents: bigint;
  readonly feeRate: bigint;
  readonly isFeeInBase: boolean;
}

/** The engine's books beside those of the venue. The engine learns of fills and works out by itself the interest that is due. */
class Books {
  readonly venue: MarginLedger = aMarginLedger(BALANCES);
  portfolio = aPortfolio();
  now: EpochMs = MIDNIGHT + 1;

  pass(ms: number, tells = true): void {
    const before = this.now;
    this.now += ms;
    for (let hour = hourAfter(before); hour <= this.now; hour += HOUR_MS) {
      this.venue.chargeHour(hour);
      if (tells) this.tell(hour);
    }
  }

  fill(fill: FillRecord): void {
    this.venue.settle(flowsOfFill(pairOf(fill), fill));
    this.portfolio.applyFill(fill, STEP);
  }

  /** Applies all interest that is due by an instant. */
  tell(time: EpochMs): void {
    const { debts } = this.portfolio;
    for (let due = debts.due(time); due !== undefined; due = debts.due(time))
      this.portfolio.applyAccountUpdate(due, 0n);
  }

  /** Applies the interest that a fill will owe. */
  tellBefore(fill: FillRecord): void {
    const pair = pairOf(fill);
    for (const asset of [pair.base, pair.quote]) {
      const due = this.portfolio.debts.dueWith(pair, fill, asset);
      if (due !== undefined) this.portfolio.applyAccountUpdate(due, 0n);
    }
  }

  restore(): void {
    this.portfolio = aPortfolio(this.portfolio);
  }

  line(asset: string): string {
    const owed = this.portfolio.debts.owed.find((each) => each.asset === asset);
    const { principal = 0n, interest = 0n } = owed ?? {};
    const owned = this.portfolio.total(asset, 'margin') + principal + interest;
    return `free ${formatFixed(owned)} locked 0 owes ${formatFixed(principal)} + ${formatFixed(interest)}`;
  }
}

function aPortfolio(before?: Portfolio): Portfolio {
  return new Portfolio({
    instruments: PAIRS.map((instrument) => ({ instrument, pricePrecision: 2 })),
    balances: { margin: fixedMap(BALANCES) },
    equityCurrency: 'USDT',
    hourlyRate: RATE,
    checkpoint: before?.checkpoint(),
  });
}

function pairOf({ instrumentId }: FillRecord): MarginInstrument {
  return instrumentId === ETH.id ? ETH : MARGIN;
}

function hourAfter(time: EpochMs): EpochMs {
  return (Math.floor(time / HOUR_MS) + 1) * HOUR_MS;
}

function aFill(
  { pair, side, steps, cents, feeRate, isFeeInBase }: Drawn,
  eventTime: EpochMs,
): FillRecord {
  const instrument = PAIRS[pair] ?? MARGIN;
  const quantity = steps * STEP;
  const price = cents * parseFixed('0.01');
  const inBase = side === 'buy' && isFeeInBase;
  const paid: Fixed = inBase ? quantity : (quantity * price) / parseFixed('1');
  return {
    clientOrderId: 'test-1-0-0' as FillRecord['clientOrderId'],
    instrumentId: instrument.id,
    side,
    action: 'open',
    price,
    quantity,
    fee: (paid * feeRate) / 10_000n,
    feeAsset: inBase ? instrument.base : instrument.quote,
    liquidity: 'taker',
    eventTime,
  };
}

describe('DebtBook', () => {
  it('owes the same as the venue, from fills alone and across checkpoints', () => {
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 20 }), (trades) => {
        const books = new Books();
        for (const each of trades) {
          const then = books.now + each.afterMs;
          const waitMs = each.isAtHour ? hourAfter(then) - books.now : each.afterMs;
          books.pass(waitMs, each.told !== 'late');
          const fill = aFill(each, books.now);
          if (each.told === 'before' || each.told === 'after') books.tell(books.now);
          if (each.told === 'before') books.tellBefore(fill);
          books.fill(fill);
          if (each.told === 'after') books.tell(books.now);
          if (each.isRestored) books.restore();
        }
        books.tell(books.now);

        for (const asset of ['USDT', 'BTC', 'ETH'])
          expect(books.line(asset)).toBe(lineOf(books.venue, asset));
      }),
      { numRuns: sequenceRuns() },
    );
  });

  it('returns each interest once, and not before it is due', () => {
    const books = new Books();
    books.fill(
      aFill(
        {
          pair: 0,
          side: 'buy',
          steps: 200_000n,
          cents: 10_000n,
          feeRate: 0n,
          isFeeInBase: false,
        },
        books.now,
      ),
    );

    // 200 BTC at 100 cost 20,000, of which 10,000 are borrowed; 0.00001 of it at once and each hour.
    expect(books.portfolio.debts.due(books.now - 1)).toBeUndefined();
    const first = books.portfolio.debts.due(books.now);
    expect(first).toMatchObject({ asset: 'USDT', of: 'loan', eventTime: books.now });
    expect(formatFixed(first?.amount ?? 0n)).toBe('0.1');
    books.tell(books.now);
    expect(books.portfolio.debts.due(MIDNIGHT + HOUR_MS - 1)).toBeUndefined();
    const second = books.portfolio.debts.due(MIDNIGHT + HOUR_MS);
    expect(second).toMatchObject({ of: 'hour', eventTime: MIDNIGHT + HOUR_MS });
    expect(formatFixed(second?.amount ?? 0n)).toBe('0.1');
  });

  it('counts a fill that is learned of late where it happened, before the loan of a later one', () => {
    const books = new Books();
    const purchase = {
      pair: 0,
      side: 'buy',
      cents: 10_000n,
      feeRate: 0n,
      isFeeInBase: false,
    } as const;
    const early = aFill({ ...purchase, steps: 10_000n }, MIDNIGHT + 1);
    books.fill(aFill({ ...purchase, steps: 200_000n }, MIDNIGHT + 2));

    books.tellBefore(early);
    books.fill(early);

    // 1,000 of 10,000 were owned, so 11,000 of the later 20,000 were borrowed.
    const { debts } = books.portfolio;
    expect(debts.due(MIDNIGHT + 1)).toBeUndefined();
    expect(formatFixed(debts.due(MIDNIGHT + 2)?.amount ?? 0n)).toBe('0.11');
    expect(debts.owed).toMatchObject([
      { principal: parseFixed('11000'), interest: parseFixed('0.11') },
    ]);
  });

  it('orders fills of one time by their trade ids, over all pairs, and what was held for their orders with them', () => {
    const books = new Books();
    const { portfolio, venue } = books;
    const { debts } = portfolio;
    const terms = { side: 'buy', cents: 10_000n, feeRate: 0n, isFeeInBase: false } as const;
    const time = MIDNIGHT + 2;
    const fillOf = (id: string, drawn: Pick<Drawn, 'pair' | 'steps'>): FillRecord => ({
      ...aFill({ ...terms, ...drawn }, time),
      clientOrderId: `order-${id}` as FillRecord['clientOrderId'],
      venueTradeId: id,
    });
    // Two orders rest, for 6,000 and 3,000. The first fills; at the same time another order buys for 9,000 on another pair; then the second ends.
    const [rested, arrived] = [
      fillOf('9', { pair: 0, steps: 60_000n }),
      fillOf('10', { pair: 1, steps: 90_000n }),
    ];
    const held = (id: string, amount: string, at: EpochMs): void => {
      debts.hold(
        id as FillRecord['clientOrderId'],
        { asset: 'USDT', amount: parseFixed(amount) },
        { time: at },
      );
    };
    held('order-9', '6000', MIDNIGHT + 1);
    held('order-8', '3000', MIDNIGHT + 1);
    venue.hold('USDT', parseFixed('3000'));
    for (const fill of [rested, arrived]) venue.settle(flowsOfFill(pairOf(fill), fill));

    portfolio.applyFill(arrived, STEP);
    held('order-8', '0', time + 1);

    // The first loan comes first, and is none: 6,000 of 7,000 are paid. The second borrows 8,000 of its 9,000.
    expect(debts.due(time, rested)).toBeUndefined();
    expect(debts.dueWith(MARGIN, rested, 'USDT')).toBeUndefined();
    portfolio.applyFill(rested, STEP, undefined, { at: time + 500 });
    expect(formatFixed(debts.due(time)?.amount ?? 0n)).toBe('0.08');
    expect(debts.owed).toMatchObject([venue.debt('USDT')]);
  });

  it.each([0, 40])(
    'borrows nothing for a sale that was decided after an exit had ended, also if the venue, %i ms behind, tells it late',
    (behind) => {
      const { portfolio } = new Books();
      const { debts } = portfolio;
      const terms = { pair: 0, cents: 10_000n, feeRate: 0n, isFeeInBase: false, steps: 50_000n };
      portfolio.applyFill(aFill({ ...terms, side: 'buy' }, MIDNIGHT + 1), STEP);
      const canceledAt = MIDNIGHT + 5_000;
      const exit = 'exit' as FillRecord['clientOrderId'];
      const holds = (amount: string, time: EpochMs): void => {
        debts.hold(exit, { asset: 'BTC', amount: parseFixed(amount) }, { time });
      };
      holds('50', MIDNIGHT + 1_000);
      holds('0', canceledAt);
      const sold = aFill({ ...terms, side: 'sell' }, canceledAt - behind);

      expect(debts.dueWith(MARGIN, sold, 'BTC', canceledAt)).toBeUndefined();
      portfolio.applyFill(sold, STEP, undefined, {
        at: canceledAt + 900,
        decidedAt: canceledAt,
      });

      expect(debts.owed).toEqual([]);
    },
  );

  it('owes the interest of an hour that it learns of after the loan was repaid', () => {
    const books = new Books();
    const terms = { pair: 0, cents: 10_000n, feeRate: 0n, isFeeInBase: false } as const;
    books.fill(aFill({ ...terms, side: 'buy', steps: 200_000n }, books.now));
    books.tell(books.now);
    books.pass(HOUR_MS, false);
    books.fill(aFill({ ...terms, side: 'sell', steps: 199_900n }, books.now));
    books.tell(books.now);

    expect(books.portfolio.debts.due(books.now)).toBeUndefined();
    expect(books.line('USDT')).toBe(lineOf(books.venue, 'USDT'));
  });

  it.each([
    ['sale', 'sell', 199_900n],
    ['purchase', 'buy', 10_000n],
  ] as const)('owes an hour before a %s that arrives as it ends (DESIGN R1)', (_, side, steps) => {
    const books = new Books();
    const terms = { pair: 0, cents: 10_000n, feeRate: 0n, isFeeInBase: false } as const;
    books.fill(aFill({ ...terms, side: 'buy', steps: 200_000n }, books.now));
    books.tell(books.now);
    books.pass(hourAfter(books.now) - books.now, false);

    books.fill(aFill({ ...terms, side, steps }, books.now));
    books.tell(books.now);

    expect(books.line('USDT')).toBe(lineOf(books.venue, 'USDT'));
  });

  it('owes nothing for an hour if its last millisecond fills a resting order that repays all (DESIGN R1)', () => {
    const books = new Books();
    const terms = { pair: 0, cents: 10_000n, feeRate: 0n, isFeeInBase: false } as const;
    books.fill(aFill({ ...terms, side: 'buy', steps: 200_000n }, books.now));
    books.tell(books.now);
    const hour = hourAfter(books.now);

    const sale = aFill({ ...terms, side: 'sell', steps: 199_900n }, hour);
    books.fill({ ...sale, liquidity: 'maker' });
    books.venue.chargeHour(hour);

    expect(books.portfolio.debts.due(hour)).toBeUndefined();
    expect(books.line('USDT')).toBe(lineOf(books.venue, 'USDT'));
  });

  it('charges the hour for a loan that becomes known only after the hour', () => {
    const { portfolio } = new Books();
    const early = {
      pair: 0,
      side: 'buy',
      cents: 10_000n,
      feeRate: 0n,
      isFeeInBase: false,
    } as const;
    portfolio.applyFill(aFill({ ...early, steps: 200_000n }, MIDNIGHT + 1), STEP);
    for (const due of [MIDNIGHT + 1, MIDNIGHT + HOUR_MS])
      portfolio.applyAccountUpdate(portfolio.debts.due(due) ?? never(), 0n);

    portfolio.applyFill(aFill({ ...early, steps: 10_000n }, MIDNIGHT + HOUR_MS - 1), STEP);

    // A loan of another 1,000, a millisecond before the hour: 0.01 at once and 0.01 for the hour.
    expect(formatFixed(portfolio.debts.due(MIDNIGHT + HOUR_MS)?.amount ?? 0n)).toBe('0.02');
  });
});

function never(): never {
  throw new Error('expected something to be due');
}
