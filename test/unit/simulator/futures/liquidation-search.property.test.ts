import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  fixedToNumber,
  parseFixed,
  powerOfTen,
  type Fixed,
  type InstrumentId,
  type MarginMode,
} from '../../../../src/domain/index.js';
import {
  atMillisecond,
  PARTS_OF_MS,
  type PathSegment,
} from '../../../../src/simulator/path/candle-path.js';
import type { FuturesContract } from '../../../../src/simulator/futures/contract-book.js';
import { FuturesLedger } from '../../../../src/simulator/futures/futures-ledger.js';
import {
  markOnSegment,
  markAtCrossing,
} from '../../../../src/simulator/futures/liquidation-search.js';
import { aContract, aTier } from '../../../support/futures-contracts.js';
import { lawRuns } from '../../../support/runs.js';

/** Length of a path segment in ms, short enough to try each millisecond. */
const SPAN = 48;
const cents = fc
  .integer({ min: 6_000, max: 15_000 })
  .map((value) => BigInt(value) * powerOfTen(16));
const whole = fc.integer({ min: 0, max: 40 }).map((value) => BigInt(value) * powerOfTen(18));

interface Case {
  readonly contracts: readonly FuturesContract[];
  readonly asset: string;
  readonly held: readonly { readonly long: Fixed; readonly short: Fixed }[];
  readonly moves: readonly { readonly from: Fixed; readonly to: Fixed }[];
  readonly money: Fixed;
}

/** Some contracts of one margin asset, with or without a ladder whose rates rise, fall or jump. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    contract: fc.constantFrom('linear', 'inverse'),
    modes: fc.array(fc.constantFrom<MarginMode>('cross', 'isolated'), {
      minLength: 1,
      maxLength: 3,
    }),
    rates: fc.array(fc.constantFrom('0.001', '0.02', '0.08', '0.3'), {
      minLength: 3,
      maxLength: 3,
    }),
    leverage: fc.constantFrom('2', '8', '25'),
    held: fc.array(fc.record({ long: whole, short: whole }), { minLength: 3, maxLength: 3 }),
    moves: fc.array(fc.record({ from: cents, to: cents }), { minLength: 3, maxLength: 3 }),
    money: fc.integer({ min: 1, max: 4_000 }),
  })
  .map(({ contract, modes, rates, leverage, held, moves, money }) => {
    const scale = contract === 'linear' ? 1n : 10_000n;
    const contracts = modes.map((marginMode, index) =>
      aContract({
        contract,
        symbol: `E-${String(index)}`,
        multiplier: contract === 'linear' ? '1' : '1',
        marginMode,
        leverage,
        tiers: rates.map((rate, tier) =>
          aTier(
            tier === 2
              ? undefined
              : fixedToNumber(parseFixed(String((tier + 1) * 900)) / scale).toFixed(6),
            rate,
          ),
        ),
      }),
    );
    return {
      contracts,
      asset: contracts[0]?.instrument.marginAsset ?? '',
      held,
      moves,
      money: parseFixed(String(money)) / scale,
    };
  });

interface Played {
  readonly ledger: FuturesLedger;
  readonly segments: ReadonlyMap<InstrumentId, PathSegment>;
  setMarks(time: number): void;
  isAnyDue(): boolean;
}

function play({ contracts, asset, held, moves, money }: Case): Played {
  const ledger = new FuturesLedger({ contracts, balances: new Map([[asset, money]]) });
  const segments = new Map<InstrumentId, PathSegment>();
  for (const [index, { instrument }] of contracts.entries()) {
    const { from, to } = moves[index] ?? { from: 1n, to: 1n };
    segments.set(instrument.id, { fromTime: 0, toTime: SPAN, from, to });
    ledger.setMark(instrument.id, from);
    for (const direction of ['long', 'short'] as const) {
      const size = held[index]?.[direction] ?? 0n;
      if (size > 0n)
        ledger.open(instrument.id, { direction, contracts: size, price: from, feeRate: 0n });
    }
  }
  return {
    ledger,
    segments,
    setMarks: (time) => {
      for (const [id, segment] of segments) ledger.setMark(id, markOnSegment(segment, time));
    },
    isAnyDue: () =>
      contracts.some(({ instrument: { id } }) =>
        (['long', 'short'] as const).some((direction) => ledger.isLiquidatable(id, direction)),
      ),
  };
}

/** The first millisecond at which a liquidation is due, found by trying each one. */
function firstByTrying({ setMarks, isAnyDue }: Played): number | undefined {
  for (let time = 0; time <= SPAN; time += 1) {
    setMarks(time);
    if (isAnyDue()) return time;
  }
  return undefined;
}

describe('the search for the first liquidation', () => {
  it('finds the first millisecond with a liquidation, and the exact time within it', () => {
    let found = 0;
    fc.assert(
      fc.property(cases, (given) => {
        const played = play(given);
        const expected = firstByTrying(played);
        played.setMarks(0);
        if (expected !== undefined && expected > 0) found += 1;

        const at = played.ledger.firstLiquidation(given.asset, played.segments, {
          fromTime: 0,
          toTime: SPAN,
        });

        expect(at?.time).toBe(expected);
        if (at === undefined || at.part === PARTS_OF_MS) return;
        // Within the millisecond, the liquidation is due at `at.part` and not one part before.
        const isDueAt = (part: bigint): boolean => {
          for (const [id, segment] of played.segments)
            played.ledger.setMark(id, markAtCrossing(segment, { time: at.time, part }));
          return played.isAnyDue();
        };
        expect(isDueAt(at.part)).toBe(true);
        expect(isDueAt(at.part - 1n)).toBe(false);
      }),
      { numRuns: lawRuns() },
    );
    expect(found).toBeGreaterThan(lawRuns() / 20);
  });
});

describe('marks that round in different directions', () => {
  it('can use up the money between two times at which it suffices', () => {
    const terms = { multiplier: '1', marginMode: 'cross', maxFeeRate: '0' } as const;
    const tiers = [aTier(undefined, '0')];
    const [a, b] = ['E-A-USDT', 'E-B-USDT'].map((symbol) => aContract({ ...terms, symbol, tiers }));
    if (a === undefined || b === undefined) throw new Error('expected two contracts');
    // The balance is one unit of the 18th decimal.
    const ledger = new FuturesLedger({ contracts: [a, b], balances: new Map([['USDT', 1n]]) });
    const hundred = parseFixed('100');
    const one = { contracts: parseFixed('1'), feeRate: 0n } as const;
    ledger.setMark(a.instrument.id, hundred);
    ledger.setMark(b.instrument.id, hundred + 1n);
    ledger.open(a.instrument.id, { ...one, direction: 'long', price: hundred });
    ledger.open(b.instrument.id, { ...one, direction: 'short', price: hundred + 1n });

    // Both marks rise by one unit. Halfway, the mark of the long rounds down to an even unit and the mark of the short rounds up.
    // The account has lost one unit in that millisecond.
    const moves = new Map([
      [a.instrument.id, { fromTime: 0, toTime: 2, from: hundred, to: hundred + 1n }],
      [b.instrument.id, { fromTime: 0, toTime: 2, from: hundred + 1n, to: hundred + 2n }],
    ]);
    expect(ledger.firstLiquidation('USDT', moves, { fromTime: 0, toTime: 2 })).toEqual(
      atMillisecond(1),
    );
  });
});

describe('LiquidationGuard', () => {
  it('never proves a range safe that contains a liquidation, and proves most safe ranges', () => {
    let safe = 0;
    let proved = 0;
    fc.assert(
      fc.property(cases, (given) => {
        const played = play(given);
        const guard = played.ledger.guard(given.asset);
        for (const [id, { from, to }] of played.segments) {
          const [a, b] = [fixedToNumber(from), fixedToNumber(to)];
          guard.setRange(played.ledger.placeOf(id), Math.min(a, b), Math.max(a, b));
        }
        const isProved = guard.isSafe();
        const isSafe = firstByTrying(played) === undefined;
        if (isSafe) safe += 1;
        if (isProved) proved += 1;

        expect(isProved && !isSafe).toBe(false);
      }),
      { numRuns: lawRuns() },
    );
    expect(proved).toBeGreaterThan(safe / 2);
  });

  it('proves a range down to 1e-6 above the liquidation price, but not down to 1e-10 above it', () => {
    const contract = aContract({ multiplier: '1' });
    const id = contract.instrument.id;
    const balances = new Map([['USDT', parseFixed('1000')]]);
    const ledger = new FuturesLedger({ contracts: [contract], balances });
    const guard = ledger.guard('USDT');

    expect(guard.isSafe()).toBe(true);
    ledger.setMark(id, parseFixed('100'));
    ledger.open(id, {
      direction: 'long',
      contracts: parseFixed('5'),
      price: parseFixed('100'),
      feeRate: 0n,
    });
    // No range is set yet, so the guard proves nothing.
    expect(guard.isSafe()).toBe(false);
    const end = fixedToNumber(ledger.position(id, 'long')?.liquidationPrice ?? 0n);
    const isSafeDownTo = (low: number): boolean => {
      guard.setRange(0, low, 101);
      return guard.isSafe();
    };

    expect(isSafeDownTo(end * (1 + 1e-6))).toBe(true);
    expect(isSafeDownTo(end * (1 + 1e-10))).toBe(false);
    expect(isSafeDownTo(end)).toBe(false);
    expect(isSafeDownTo(Number.NaN)).toBe(false);
  });
});

describe('the liquidation price', () => {
  it('has a liquidation just beyond it, and no liquidation between the mark and just before it', () => {
    let seen = 0;
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 999 }), (given, part) => {
        const { ledger } = play(given);
        for (const [index, { instrument }] of given.contracts.entries()) {
          const mark = given.moves[index]?.from ?? 1n;
          for (const direction of ['long', 'short'] as const) {
            const price = ledger.position(instrument.id, direction)?.liquidationPrice;
            if (price === undefined || ledger.isLiquidatable(instrument.id, direction)) continue;
            seen += 1;
            const away = price < mark ? -1n : 1n;
            // Values are rounded to 18 decimals, so the last digits of a price are not exact.
            const grain = powerOfTen(6);
            const isDueAt = (at: Fixed): boolean => {
              ledger.setMark(instrument.id, at);
              return ledger.isLiquidatable(instrument.id, direction);
            };
            const near = price - away * grain;

            expect(direction === 'long' ? price < mark : price > mark).toBe(true);
            expect(isDueAt(price + away * grain)).toBe(true);
            expect(isDueAt(near)).toBe(false);
            expect(isDueAt(mark + ((near - mark) * BigInt(part)) / 1_000n)).toBe(false);
            ledger.setMark(instrument.id, mark);
          }
        }
      }),
      { numRuns: lawRuns() },
    );
    expect(seen).toBeGreaterThan(lawRuns() / 2);
  });
});
