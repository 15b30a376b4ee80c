import { filter, map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { parseFixed, type OrderIntent } from '../../../src/domain/index.js';
import { enterLong, Strategy, type Market } from '../../../src/strategy/index.js';
import { aSpotPair, runHours, type Hours } from '../../support/hourly-run.js';

const HOURS: Hours = Object.fromEntries(Array.from({ length: 8 }, (_, hour) => [hour, 100]));

/** Asks for an entry with each of its first candles. Some of them come before it is warm. */
function buyer({ dropped, entries }: { readonly dropped: number; readonly entries: number }) {
  return class Buyer extends Strategy({}) {
    override readonly warmup = dropped + 1;

    override intents(market: Market): Observable<OrderIntent> {
      return market.candles$().pipe(
        filter((_, index) => index !== dropped && index <= dropped + entries),
        map(() => enterLong({ quantity: '1' }, { add: true })),
      );
    }
  };
}

const run = (dropped: number, entries: number, most: number) =>
  runHours({
    strategy: buyer({ dropped, entries }),
    series: [[aSpotPair('BTC', 'USDT'), HOURS]],
    simulation: { closeAtEnd: true },
    protections: { maxOrdersPerDay: most, maxPositionNotional: parseFixed('100000') },
  });

describe('counts in warnings and refusals of a result', () => {
  it.each([
    { dropped: 1, entries: 2, most: 1, text: 'there is 1 order in a day, and one more' },
    { dropped: 2, entries: 3, most: 2, text: 'there are 2 orders in a day, and one more' },
  ])('use the singular or the plural: $dropped', async ({ dropped, entries, most, text }) => {
    const { warnings, refusals } = await run(dropped, entries, most);

    expect(warnings).toContain(
      dropped === 1
        ? '1 intent was dropped during warm-up'
        : '2 intents were dropped during warm-up',
    );
    expect(warnings).toContain('closeAtEnd: the last fill closes positions at the last close');
    expect(refusals.map(({ refusal }) => refusal.text)).toEqual([
      expect.stringContaining(text) as string,
    ]);
  });
});
