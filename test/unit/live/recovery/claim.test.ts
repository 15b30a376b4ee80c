import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed, type Fixed } from '../../../../src/domain/index.js';
import { startingCheckpoint, type EngineCheckpoint } from '../../../../src/engine/index.js';
import { claimInto } from '../../../../src/live/recovery/claim.js';
import type { Disagreement } from '../../../../src/live/recovery/disagreements.js';
import { CandleStrategy } from '../../../../src/strategy/index.js';
import type { AccountSnapshot, VenuePosition } from '../../../../src/venue/index.js';
import { aSpot, someOptions } from '../../../support/engine/engine.js';
import { LINEAR, SPOT } from '../../../support/risk/builders.js';

class Idle extends CandleStrategy({}) {
  override onCandle(): void {
    return undefined;
  }
}

const OTHER = aSpot('BTC', 'USDC');
const pairs = someOptions(Idle, {
  instruments: [
    { instrument: SPOT, intervals: ['1min'] },
    { instrument: OTHER, intervals: ['1min'] },
    // It values the cost in USDC.
    { instrument: aSpot('USDC'), intervals: ['1min'] },
  ],
});
const contracts = someOptions(Idle, { instruments: [{ instrument: LINEAR, intervals: ['1min'] }] });

type Position = EngineCheckpoint['positions'][number];

const longOf = (quantity: Fixed, entryValue: Fixed, more: Partial<Position> = {}): Position => ({
  ...{ instrumentId: SPOT.id, direction: 'long', isHeld: true, quantity, entryValue },
  ...more,
});

/** Holds 2 BTC that cost 100,000 USDT and 1 BTC that cost 60,000 USDC. The venue has so much of it. */
function withBitcoin(actual: string): EngineCheckpoint {
  const balances = new Map([['BTC', parseFixed('3')]]);
  const owned = {
    ...startingCheckpoint({ spot: balances }),
    positions: [
      longOf(parseFixed('2'), parseFixed('100000')),
      longOf(parseFixed('1'), parseFixed('60000'), { instrumentId: OTHER.id }),
    ],
  };
  const short: Disagreement = {
    ...{ kind: 'balance-short', account: 'spot', asset: 'BTC' },
    ...{ believed: parseFixed('3'), actual: parseFixed(actual) },
  };
  return claimInto(pairs, owned, { found: [short], accounts: [] });
}

const textOf = ({ quantity, entryValue, isHeld }: Position): string =>
  `${formatFixed(quantity)} for ${formatFixed(entryValue)}${isHeld ? '' : ', not held'}`;

describe('a claimed short balance', () => {
  it.each([
    ['2.5', ['2 for 100000', '0.5 for 30000']],
    ['2', ['2 for 100000', '0 for 0, not held']],
    ['0.5', ['0.5 for 25000', '0 for 0, not held']],
  ])('of %s BTC is kept by the first positions, at their prices', (actual, kept) => {
    const { positions, balances, claimed } = withBitcoin(actual);

    expect(positions.map(textOf)).toEqual(kept);
    expect(balances).toEqual([{ account: 'spot', asset: 'BTC', total: parseFixed(actual) }]);
    expect(claimed).toBeUndefined();
  });
});

/** A long of so many contracts at the venue, opened at 50,000, with so much money in it. */
function anAccount(quantity: Fixed, { margin, realizedProfit }: Money): AccountSnapshot {
  const position = {
    ...{ instrumentId: LINEAR.id, direction: 'long', isValid: true, quantity },
    ...{ averagePrice: parseFixed('50000'), openPrice: parseFixed('50000') },
    ...{ margin, realizedProfit, fundingFee: undefined },
  } as unknown as VenuePosition;
  return { kind: 'futures', accounts: [{ positions: [position] }] } as unknown as AccountSnapshot;
}

interface Money {
  readonly margin: Fixed;
  readonly realizedProfit: Fixed;
}

const amounts = fc.bigInt({ min: 0n, max: parseFixed('1000') });
const counts = fc.bigInt({ min: 1n, max: 1_000n }).map((count) => count * parseFixed('1'));

describe('a claimed isolated position', () => {
  it('leaves the money beside positions as it is, also where the bot held a part of it', () => {
    fc.assert(
      fc.property(
        fc.record({ margin: amounts, kept: amounts }),
        fc.record({ margin: amounts, realizedProfit: amounts }),
        fc.option(counts),
        counts,
        (money, shown, held, actual) => {
          const total = parseFixed('10000');
          const start = startingCheckpoint({ futures: new Map([['USDT', total]]) });
          const instrumentId = LINEAR.id;
          const own = held === null ? [] : [longOf(held, held * 40n, { instrumentId, money })];
          const found: Disagreement = {
            ...{ kind: held === null ? 'position-foreign' : 'position-larger', instrumentId },
            ...{ direction: 'long', believed: held ?? 0n, actual },
          };

          const claimed = claimInto(
            contracts,
            { ...start, positions: own },
            { found: [found], accounts: [anAccount(actual, shown)] },
          );

          const before = total - (held === null ? 0n : money.margin + money.kept);
          const [position] = claimed.positions;
          const inside = (position?.money?.margin ?? 0n) + (position?.money?.kept ?? 0n);
          expect(inside).toBe(shown.margin + shown.realizedProfit);
          expect(claimed.balances[0]?.total).toBe(before + inside);
          expect(position).toMatchObject({ quantity: actual, entryValue: actual * 50n });
          expect(claimed.claimed).toMatchObject([{ instrumentId, quantity: actual }]);
        },
      ),
    );
  });
});
