import { describe, expect, it } from 'vitest';

import { parseFixed, type OrderRequest } from '../../../src/domain/index.js';
import type { TriggerKind } from '../../../src/venue/index.js';
import {
  aContract,
  aContractLimit,
  aContractMarket,
  reportFutures,
  type FuturesSetup,
} from '../../support/futures-venue.js';
import { aMarketRequest } from '../../support/order-requests.js';
import type { ScriptStep, VenueCandle } from '../../support/spot-venue.js';

/** Up to 110 in the first third, down to 90 in the second. */
const WIDE: VenueCandle = { path: [100, 110, 90, 100] };
const setup = (candles: readonly VenueCandle[]): FuturesSetup => ({
  // The leverage is low, so that the candles liquidate no position.
  contracts: [{ instrument: aContract('linear', { multiplier: '0.01', leverage: '3' }), candles }],
  order: 'high-first',
});

const condition = (
  trigger: TriggerKind,
  triggerPrice: string,
  order: OrderRequest,
  at = 0,
): ScriptStep => ({ at, condition: { order, trigger, triggerPrice: parseFixed(triggerPrice) } });
const open: ScriptStep = { at: 0, submit: aContractMarket({ id: 'open', quantity: '10' }) };
const exit = aContractMarket({ id: 'exit', side: 'sell', action: 'close' });

describe('a conditional order', () => {
  it.each<readonly [TriggerKind, string, string]>([
    ['stop-loss', '95', '+35000 fill exit 10 @ 95 taker, done [close]'],
    ['take-profit', '105', '+10000 fill exit 10 @ 105 taker, done [close]'],
  ])('closes a long when last touches its %s at %s, at that price', (trigger, price, line) => {
    expect(reportFutures(setup([WIDE]), [open, condition(trigger, price, exit)])).toEqual([
      '+0 fill open 10 @ 100 taker, done [open]',
      '+0 accepted exit',
      line,
    ]);
  });

  it.each<readonly [TriggerKind, 'buy' | 'sell', string, string]>([
    ['chase-up', 'buy', '105', '+10000 fill entry 10 @ 105 taker, done [open]'],
    ['chase-down', 'sell', '95', '+35000 fill entry 10 @ 95 taker, done [open]'],
  ])('opens by %s when last touches the trigger price', (trigger, side, price, line) => {
    // 10.5 quote buy floor(10.5 ÷ 1.05) contracts; 9.5 the same at 95.
    const quantity = side === 'buy' ? '10.5' : '9.5';
    const entry = aContractMarket({ id: 'entry', side, quantity });

    expect(reportFutures(setup([WIDE]), [condition(trigger, price, entry)])).toEqual([
      '+0 accepted entry',
      line,
    ]);
  });

  it('is checked at a candle close with the mark of that candle, not of the next one', () => {
    // Down to 98 in 20 s, up to 104 in 20 s, and back to 98 at the close.
    const falls: VenueCandle = { path: [100, 104, 98, 98] };
    const after: VenueCandle = { path: [98, 98, 98, 98] };
    const entry = aContractLimit({ id: 'entry', side: 'sell', quantity: '10', limitPrice: '99' });
    const [contract] = setup([falls, { ...after, minute: 1 }]).contracts ?? [];
    const venue: FuturesSetup = {
      contracts: [
        {
          ...contract,
          // At a mark of 1000 the opening loss of the order would exceed the balance.
          mark: { candles: [falls, { path: [1_000, 1_000, 1_000, 1_000], minute: 1 }] },
        } as NonNullable<FuturesSetup['contracts']>[number],
      ],
      balances: { USDT: '20' },
      order: 'low-first',
    };

    expect(reportFutures(venue, [condition('chase-down', '98', entry, 50_000)], 60_000)).toEqual([
      '+50000 accepted entry',
      '+60000 accepted entry',
    ]);
  });

  it('fires and fills at an open that jumps over its trigger price', () => {
    const candles: VenueCandle[] = [{ path: [100, 100, 100, 100] }, { path: [92, 92, 92, 92] }];

    expect(reportFutures(setup(candles), [open, condition('stop-loss', '95', exit)]).at(-1)).toBe(
      '+60000 fill exit 10 @ 92 taker, done [close]',
    );
  });

  it('can send a LIMIT order, which then rests', () => {
    const limit = aContractLimit({ id: 'exit', side: 'sell', action: 'close', limitPrice: '106' });

    expect(reportFutures(setup([WIDE]), [open, condition('take-profit', '105', limit)])).toEqual([
      '+0 fill open 10 @ 100 taker, done [open]',
      '+0 accepted exit',
      '+10000 accepted exit',
      // One tick beyond 106, 12,020 ms up from 100.
      '+12020 fill exit 10 @ 106 maker, done [close]',
    ]);
  });

  it('is checked against the position when it fires', () => {
    expect(reportFutures(setup([WIDE]), [condition('stop-loss', '95', exit)])).toEqual([
      '+0 accepted exit',
      '+35000 ended exit rejected -1156',
    ]);
  });

  it('is checked against the free margin when it fires', () => {
    // 10.5 quote need 3.5 of margin at a leverage of 3. The first order takes 8.2 ÷ 3 of 5.
    const entry = aContractMarket({ id: 'entry', quantity: '10.5' });
    const poor = { ...setup([WIDE]), balances: { USDT: '5' } };
    const first = aContractMarket({ id: 'first', quantity: '9' });

    expect(reportFutures(poor, [condition('chase-up', '105', entry)])).toEqual([
      '+0 accepted entry',
      '+10000 fill entry 10 @ 105 taker, done [open]',
    ]);
    expect(
      reportFutures(poor, [condition('chase-up', '105', entry), { at: 5_000, submit: first }]),
    ).toEqual([
      '+0 accepted entry',
      '+5000 fill first 8 @ 102.5 taker, done [open]',
      '+10000 ended entry rejected -2017',
    ]);
  });

  it.each<readonly [string, TriggerKind, string, OrderRequest, string]>([
    ['whose condition is true already', 'stop-loss', '100', exit, '-2100'],
    ['off the tick', 'stop-loss', '95.001', exit, '-1111'],
    ['at no price', 'stop-loss', '0', exit, '-1111'],
    ['that opens by a stop-loss', 'stop-loss', '95', aContractMarket({ id: 'exit' }), '-1014'],
    ['that closes by chasing', 'chase-down', '95', exit, '-1014'],
  ])('%s is rejected', (_what, trigger, price, order, code) => {
    expect(reportFutures(setup([WIDE]), [open, condition(trigger, price, order)]).at(-1)).toBe(
      `+0 ended exit rejected ${code}`,
    );
  });

  it('is rejected for an unknown instrument', () => {
    expect(reportFutures(setup([WIDE]), [condition('stop-loss', '95', aMarketRequest())])).toEqual([
      '+0 ended order-1 rejected -1121',
    ]);
  });
});
