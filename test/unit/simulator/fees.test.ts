import { describe, expect, it } from 'vitest';

import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import {
  aVenue,
  balancesOf,
  feesOf,
  linesOf,
  play,
  type ScriptStep,
  type VenueSetup,
} from '../../support/spot-venue.js';

/** Plays a script. Returns its report and the balances at the end. */
function trade(
  setup: VenueSetup,
  script: readonly ScriptStep[],
): { readonly lines: readonly string[]; readonly balances: ReturnType<typeof balancesOf> } {
  const observed = aVenue({ balances: { USDT: '1000', BTC: '2' }, ...setup });
  play(observed, script, 120_000);
  return { lines: linesOf(observed), balances: balancesOf(observed) };
}

const buy: ScriptStep = { at: 0, submit: aMarketRequest({ side: 'buy', quantity: '150' }) };
const sell: ScriptStep = { at: 0, submit: aMarketRequest({ side: 'sell', quantity: '1.5' }) };

describe('fees', () => {
  it('are paid in the received asset: in base by a buy, in quote by a sale', () => {
    const received = { fees: feesOf('0.0005', '0.001', 'received') };

    // 1.5 × 0.001 BTC; 150 × 0.001 USDT
    expect(trade(received, [buy])).toEqual({
      lines: ['+0 fill order-1 1.5 @ 100 taker fee 0.0015 BTC, done'],
      balances: { USDT: '850', BTC: '3.4985' },
    });
    expect(trade(received, [sell])).toEqual({
      lines: ['+0 fill order-1 1.5 @ 100 taker fee 0.15 USDT, done'],
      balances: { USDT: '1149.85', BTC: '0.5' },
    });
  });

  it('are paid in quote by a buy and a sale if configured so', () => {
    const quote = { fees: feesOf('0.0005', '0.001', 'quote') };

    expect(trade(quote, [buy])).toEqual({
      lines: ['+0 fill order-1 1.5 @ 100 taker fee 0.15 USDT, done'],
      balances: { USDT: '849.85', BTC: '3.5' },
    });
    expect(trade(quote, [sell]).balances).toEqual({ USDT: '1149.85', BTC: '0.5' });
  });

  it('use the maker rate for a resting fill and the taker rate for a taking fill', () => {
    // The order takes the whole volume of 0.4. The path rises above the limit, so the rest fills as a maker at the limit, a minute later.
    const { lines } = trade(
      {
        candles: [
          { path: [100, 101, 100, 100], volume: 0.4 },
          { path: [99, 99, 99, 99], volume: 5 },
        ],
        participation: '1',
        fees: feesOf('0.0005', '0.001', 'quote'),
      },
      [{ at: 0, submit: aLimitRequest({ quantity: '1', limitPrice: '100' }) }],
    );

    expect(lines).toEqual([
      '+0 accepted order-1',
      '+0 fill order-1 0.4 @ 100 taker fee 0.04 USDT',
      '+60000 fill order-1 0.6 @ 100 maker fee 0.03 USDT, done',
    ]);
  });

  it('never exceed the locked amount if the fees of partial fills round up', () => {
    // Each half costs 1.5 × 10^-18, which rounds to 2; the whole holds 3.
    const { lines, balances } = trade(
      {
        candles: [
          { path: [0.03, 0.04, 0.03, 0.03], volume: 0.001 },
          { path: [0.01, 0.01, 0.01, 0.01], volume: 5 },
        ],
        participation: '1',
        // 0.00003 × 5 × 10^-14
        fees: feesOf('0.00000000000005', '0.00000000000005', 'quote'),
        balances: { USDT: '0.000060000000000003' },
      },
      [{ at: 0, submit: aLimitRequest({ quantity: '0.002', limitPrice: '0.03' }) }],
    );

    expect(lines).toEqual([
      '+0 accepted order-1',
      '+0 fill order-1 0.001 @ 0.03 taker fee 0.000000000000000002 USDT',
      '+60000 fill order-1 0.001 @ 0.03 maker fee 0.000000000000000001 USDT, done',
    ]);
    expect(balances).toEqual({ USDT: '0', BTC: '0.002' });
  });
});
