import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  parseFixed,
  type Direction,
  type Instrument,
} from '../../../src/domain/index.js';
import {
  FillValuer,
  roundTrips,
  type RunFinancing,
  type RunFill,
} from '../../../src/report/index.js';
import { aFuture, aRunFill, BTC_SPOT, ETH_SPOT } from '../../support/run-records.js';

function tripsOf(
  fills: readonly RunFill[],
  instruments: readonly Instrument[] = [BTC_SPOT],
  financings: readonly RunFinancing[] = [],
  equityCurrency = 'USDT',
) {
  const context = { time: 0, holdings: [], financings };
  const valuer = new FillValuer({ instruments, equityCurrency });
  const values = fills.map((fill) => valuer.of(fill));
  return roundTrips(values, context).map((trip) => ({
    ...trip,
    quantity: formatFixed(trip.quantity),
    fees: formatFixed(trip.fees),
    financing: formatFixed(trip.financing),
    pnl: formatFixed(trip.pnl),
  }));
}

describe('roundTrips', () => {
  it('pairs an entry and an exit, including fees in quote', () => {
    // 2 × (110 − 100) − 0.2 − 0.22 = 19.58
    const trips = tripsOf([
      aRunFill({ time: 1, quantity: '2', price: '100', fee: '0.2' }),
      aRunFill({ time: 5, side: 'sell', quantity: '2', price: '110', fee: '0.22' }),
    ]);

    expect(trips).toEqual([
      {
        instrumentId: 'spot:BTCUSDT',
        direction: 'long',
        openTime: 1,
        closeTime: 5,
        quantity: '2',
        fees: '0.42',
        financing: '0',
        pnl: '19.58',
      },
    ]);
  });

  it('combines several entries and partial exits into one trade', () => {
    // bought 1 × 100 + 3 × 120 = 460, sold 2 × 130 + 2 × 110 = 480; 480 − 460 = 20
    const trips = tripsOf([
      aRunFill({ time: 1, quantity: '1', price: '100' }),
      aRunFill({ time: 2, quantity: '3', price: '120' }),
      aRunFill({ time: 3, side: 'sell', quantity: '2', price: '130' }),
      aRunFill({ time: 4, side: 'sell', quantity: '2', price: '110' }),
    ]);

    expect(trips).toMatchObject([{ openTime: 1, closeTime: 4, quantity: '4', pnl: '20' }]);
  });

  it('starts a new trade each time the position was flat', () => {
    // 105 − 100 = 5; 97 − 105 = −8
    const trips = tripsOf([
      aRunFill({ time: 1, price: '100' }),
      aRunFill({ time: 2, side: 'sell', price: '105' }),
      aRunFill({ time: 3, price: '105' }),
      aRunFill({ time: 4, side: 'sell', price: '97' }),
    ]);

    expect(trips).toMatchObject([
      { openTime: 1, closeTime: 2, pnl: '5' },
      { openTime: 3, closeTime: 4, pnl: '-8' },
    ]);
  });

  it('omits a trade that is still open', () => {
    const trips = tripsOf([
      aRunFill({ quantity: '2' }),
      aRunFill({ side: 'sell', quantity: '1.5', price: '150' }),
    ]);

    expect(trips).toEqual([]);
  });

  it('values a fee in base at the fill price, and treats the dust as flat', () => {
    // Bought 1 at 100 with a fee of 0.0015 BTC: 0.9985 enter, fee 0.0015 × 100 = 0.15.
    // Sold 0.998 at 110: 109.78 received, entry value 99.8; fee 0.10978 USDT.
    // 109.78 − 99.8 − 0.15 − 0.10978 = 9.72022; 0.0005 BTC of dust is below the step of 0.001.
    const trips = tripsOf([
      aRunFill({ fee: '0.0015', feeAsset: 'BTC' }),
      aRunFill({ side: 'sell', quantity: '0.998', price: '110', fee: '0.10978' }),
    ]);

    expect(trips).toMatchObject([{ quantity: '0.9985', fees: '0.25978', pnl: '9.72022' }]);
  });

  it('carries the dust with its cost into the next trade', () => {
    // Trade 1 leaves 0.0005 BTC that cost 0.05. Trade 2 buys 1 at 200 (fee 0.0015 BTC = 0.3): 0.9985 for 199.7. Sells all 0.999 at 200 = 199.8; cost 199.7 +
    // 0.05 = 199.75; 199.8 − 199.75 − 0.3 = −0.25
    const trips = tripsOf([
      aRunFill({ fee: '0.0015', feeAsset: 'BTC' }),
      aRunFill({ side: 'sell', quantity: '0.998', price: '110' }),
      aRunFill({ price: '200', fee: '0.0015', feeAsset: 'BTC' }),
      aRunFill({ side: 'sell', quantity: '0.999', price: '200' }),
    ]);

    expect(trips).toMatchObject([
      { pnl: '9.83' },
      { quantity: '0.9985', fees: '0.3', pnl: '-0.25' },
    ]);
  });

  it('does not treat an entry as flat if its fee leaves less than one step', () => {
    const entry = aRunFill({ quantity: '0.001', fee: '0.000001', feeAsset: 'BTC' });

    expect(tripsOf([entry])).toEqual([]);
  });

  it('keeps instruments apart', () => {
    const trips = tripsOf(
      [
        aRunFill({ time: 1, price: '100' }),
        aRunFill({ time: 2, instrument: ETH_SPOT, price: '10' }),
        aRunFill({ time: 3, instrument: ETH_SPOT, side: 'sell', price: '12' }),
        aRunFill({ time: 4, side: 'sell', price: '90' }),
      ],
      [BTC_SPOT, ETH_SPOT],
    );

    expect(trips).toMatchObject([
      { instrumentId: 'spot:ETHUSDT', pnl: '2' },
      { instrumentId: 'spot:BTCUSDT', pnl: '-10' },
    ]);
  });

  it('keeps a simultaneous long and short apart', () => {
    // 1,000 contracts of 0.001 BTC: 1 BTC each way. Long 100 → 130 = 30; short 110 → 120 = −10
    const instrument = aFuture('linear');
    const contracts = { instrument, quantity: '1000', step: '1' } as const;
    const trips = tripsOf(
      [
        aRunFill({ ...contracts, side: 'buy', action: 'open', price: '100' }),
        aRunFill({ ...contracts, side: 'sell', action: 'open', price: '110' }),
        aRunFill({ ...contracts, side: 'buy', action: 'close', price: '120' }),
        aRunFill({ ...contracts, side: 'sell', action: 'close', price: '130' }),
      ],
      [instrument],
    );

    expect(trips).toMatchObject([
      { direction: 'short', pnl: '-10' },
      { direction: 'long', pnl: '30' },
    ]);
  });

  it.each([
    ['long', 'buy', 'sell', '499'],
    ['short', 'sell', 'buy', '-501'],
  ] as const)(
    'values a %s of inverse contracts in base, then in the equity currency',
    (direction, entry, exit, pnl) => {
      // 100 contracts of 100 USD: 10,000 ÷ 20,000 = 0.5 BTC at entry, 10,000 ÷ 25,000 = 0.4 BTC at exit. A long earns 0.5 − 0.4 = 0.1 BTC, × 25,000 × 0.2 (the
      // rate of the quote) = 500, less the fee of 0.0002 BTC × 25,000 × 0.2 = 1. A short loses the same amount and the fee: −500 − 1.
      const instrument = aFuture('inverse');
      const contracts = { instrument, quantity: '100', step: '1', quoteRate: '0.2' } as const;
      const trips = tripsOf(
        [
          aRunFill({ ...contracts, side: entry, action: 'open', price: '20000' }),
          aRunFill({
            ...contracts,
            side: exit,
            action: 'close',
            price: '25000',
            fee: '0.0002',
            feeAsset: 'BTC',
          }),
        ],
        [instrument],
      );

      expect(trips).toMatchObject([{ direction, fees: '1', pnl }]);
    },
  );

  it('counts profit and fees of inverse contracts as paid, if equity is in their coin', () => {
    // 100 contracts of 100 USD at 30,000 and 70,000: 1/3 and 1/7 BTC. The rate of the quote is 1 ÷ price, which is not exact.
    const instrument = aFuture('inverse');
    const contracts = { instrument, quantity: '100', step: '1', feeAsset: 'BTC' } as const;
    const trips = tripsOf(
      [
        aRunFill({ ...contracts, price: '30000', quoteRate: '0.000033333333333333', fee: '0.001' }),
        aRunFill({
          ...{ ...contracts, side: 'sell', price: '70000', fee: '0.0007' },
          quoteRate: '0.000014285714285714',
        }),
      ],
      [instrument],
      [],
      'BTC',
    );

    // 0.333333333333333333 − 0.142857142857142857 − 0.0017
    expect(trips).toMatchObject([{ fees: '0.0017', pnl: '0.188776190476190476' }]);
  });

  it('subtracts a fee in base from a buy that closes a short', () => {
    // Sold 1 at 100. Bought 1 at 90 with a fee of 0.001 BTC: 0.999 close, entry value 99.9, worth 89.91; fee 0.09.
    // 99.9 − 89.91 − 0.09 = 9.9; 0.001 BTC is still owed, so the trade is open until it is bought.
    // Bought 0.001 at 90: 0.1 − 0.09 = 0.01 more.
    const instrument: Instrument = { ...BTC_SPOT, kind: 'margin', leverage: 3n * 10n ** 18n };
    const trips = tripsOf(
      [
        aRunFill({ time: 1, side: 'sell', action: 'open', price: '100' }),
        aRunFill({ time: 2, action: 'close', price: '90', fee: '0.001', feeAsset: 'BTC' }),
        aRunFill({ time: 3, action: 'close', price: '90', quantity: '0.001' }),
      ],
      [instrument],
    );

    expect(trips).toMatchObject([{ direction: 'short', closeTime: 3, pnl: '9.91' }]);
  });

  it('converts to the equity currency at the rate of each fill', () => {
    // Gain of 10 quote at a rate of 3 when it was realized = 30; fees 1 × 2 + 1 × 3 = 5
    const trips = tripsOf(
      [
        aRunFill({ price: '100', fee: '1', quoteRate: '2' }),
        aRunFill({ side: 'sell', price: '110', fee: '1', quoteRate: '3' }),
      ],
      [BTC_SPOT],
      [],
      'EUR',
    );

    expect(trips).toMatchObject([{ fees: '5', pnl: '25' }]);
  });

  it('refuses a fill that closes more than is held', () => {
    const close = () =>
      tripsOf([aRunFill(), aRunFill({ time: 9, side: 'sell', quantity: '1.001' })]);

    expect(close).toThrow(
      expect.objectContaining({
        code: 'E_OVERCLOSED',
        message: 'expected spot:BTCUSDT to close at most the 1 held, received 1.001 at 9',
      }),
    );
  });

  it('values a fee in a third asset at the rate of its fill, and ignores a fee without a rate', () => {
    const fee = { fee: '0.01', feeAsset: 'BNB' };

    // Fees of 0.01 × 600 and 0.01 × 500. In the second trade no price values the fee, so the profit is 110 − 100.
    expect(
      tripsOf([
        aRunFill({ time: 1, ...fee, feeRate: '600' }),
        aRunFill({ time: 2, side: 'sell', price: '110', ...fee, feeRate: '500' }),
        aRunFill({ time: 3, ...fee }),
        aRunFill({ time: 4, side: 'sell', price: '110', ...fee }),
      ]),
    ).toMatchObject([
      { quantity: '1', fees: '11', pnl: '-1' },
      { quantity: '1', fees: '0', pnl: '10' },
    ]);
  });

  it('takes a fee in a third asset from the position in this asset, as if it had been sold at its worth', () => {
    const fee = { fee: '0.1', feeAsset: 'ETH' };
    const eth = (time: number, side: 'buy' | 'sell', quantity: string) =>
      aRunFill({ instrument: ETH_SPOT, time, side, quantity, price: '50' });

    // ETH: 0.1 of 1 bought at 50 is paid at 60, which gains 1. BTC: 110 − 100 − 0.1 × 60.
    expect(
      tripsOf(
        [
          eth(1, 'buy', '1'),
          aRunFill({ time: 2, ...fee, feeRate: '60' }),
          aRunFill({ time: 3, side: 'sell', price: '110' }),
          eth(4, 'sell', '0.9'),
        ],
        [BTC_SPOT, ETH_SPOT],
      ),
    ).toMatchObject([
      { instrumentId: BTC_SPOT.id, fees: '6', pnl: '4' },
      { instrumentId: ETH_SPOT.id, quantity: '1', fees: '0', pnl: '1', closeTime: 4 },
    ]);
  });

  it('ends a trade with the fee that takes its rest', () => {
    const bought = aRunFill({ instrument: ETH_SPOT, time: 1, quantity: '0.1', price: '50' });
    const paying = aRunFill({ time: 2, fee: '0.1', feeAsset: 'ETH', feeRate: '60' });

    expect(tripsOf([bought, paying], [BTC_SPOT, ETH_SPOT])).toMatchObject([
      { instrumentId: ETH_SPOT.id, pnl: '1', closeTime: 2 },
    ]);
  });

  it('adds a fee in a third asset to a short of this asset on margin', () => {
    const [btc, eth] = [BTC_SPOT, ETH_SPOT].map((instrument): Instrument => ({
      ...instrument,
      ...{ id: `margin:${instrument.symbol}` as Instrument['id'], kind: 'margin' },
      leverage: parseFixed('3'),
    })) as [Instrument, Instrument];
    const short = { instrument: eth, price: '50', quantity: '1' };

    // 1 sold at 50, 0.1 owed at 60; 1.1 bought back at 40.
    expect(
      tripsOf(
        [
          aRunFill({ ...short, time: 1, side: 'sell', action: 'open' }),
          aRunFill({ instrument: btc, time: 2, fee: '0.1', feeAsset: 'ETH', feeRate: '60' }),
          aRunFill({
            ...short,
            time: 3,
            side: 'buy',
            action: 'close',
            quantity: '1.1',
            price: '40',
          }),
        ],
        [btc, eth],
      ),
    ).toMatchObject([{ instrumentId: eth.id, direction: 'short', pnl: '12' }]);
  });

  it('refuses a fill of an unknown instrument', () => {
    const value = () => tripsOf([aRunFill({ instrument: ETH_SPOT })]);

    expect(value).toThrow('instrument spot:ETHUSDT is missing');
  });
});

describe('roundTrips with financing', () => {
  const linear = aFuture('linear');
  const margin: Instrument = { ...BTC_SPOT, kind: 'margin', leverage: parseFixed('3') };
  const financing = (
    time: number,
    cost: string,
    direction: Direction = 'long',
    accrued: { readonly quantity: string; readonly value: string } = { quantity: '0', value: '0' },
  ): RunFinancing => ({
    time,
    instrumentId: linear.id,
    direction,
    cost: parseFixed(cost),
    accrued: { quantity: parseFixed(accrued.quantity), value: parseFixed(accrued.value) },
  });
  const contracts = (
    time: number,
    side: 'buy' | 'sell',
    action: 'open' | 'close',
    price: string,
  ): RunFill =>
    aRunFill({ instrument: linear, time, side, action, price, quantity: '1000', step: '1' });

  it('subtracts funding from the open trade, and not from a trade before or after it', () => {
    const trips = tripsOf(
      [
        contracts(1, 'buy', 'open', '100'),
        contracts(5, 'sell', 'close', '110'),
        contracts(6, 'buy', 'open', '110'),
        contracts(9, 'sell', 'close', '110'),
      ],
      [linear],
      [financing(3, '0.5'), financing(5, '0.25'), financing(8, '-0.1'), financing(8, '4', 'short')],
    );

    // 1,000 × 0.001 × 10 − 0.5 − 0.25; the funding of the short belongs to the other trade
    expect(trips).toMatchObject([
      { financing: '0.75', pnl: '9.25' },
      { financing: '-0.1', pnl: '0.1' },
    ]);
  });

  it('pairs a short that the venue liquidates, with its funding', () => {
    const trips = tripsOf(
      [
        contracts(1, 'sell', 'open', '100'),
        { ...contracts(2, 'buy', 'close', '130'), cause: 'liquidation' },
      ],
      [linear],
      [financing(2, '1', 'short')],
    );

    expect(trips).toMatchObject([{ direction: 'short', financing: '1', pnl: '-31' }]);
  });

  it('counts interest in base as an additional debt, at its value at that time', () => {
    const owed = { quantity: '0.01', value: '1.2' };
    const interest = { ...financing(2, '1.2', 'short', owed), instrumentId: margin.id };
    const trips = tripsOf(
      [
        aRunFill({ time: 1, instrument: margin, side: 'sell', action: 'open', price: '100' }),
        aRunFill({
          time: 3,
          instrument: margin,
          side: 'buy',
          action: 'close',
          price: '90',
          quantity: '1.01',
        }),
      ],
      [margin],
      [interest],
    );

    // 100 received, 1.01 × 90 = 90.9 paid: 9.1, which is 10.3 from the trade less 1.2 of interest
    expect(trips).toMatchObject([{ financing: '1.2', pnl: '9.1' }]);
  });

  it('charges the surplus of a buy-back to the trade', () => {
    const trips = tripsOf(
      [
        aRunFill({ time: 1, instrument: margin, side: 'sell', action: 'open', price: '100' }),
        aRunFill({
          time: 2,
          instrument: margin,
          side: 'buy',
          action: 'close',
          price: '100',
          quantity: '1.002',
          fee: '0.001002',
          feeAsset: 'BTC',
        }),
      ],
      [margin],
    );

    // 100 − 100.2
    expect(trips).toMatchObject([{ fees: '0.1002', pnl: '-0.2' }]);
  });
});
