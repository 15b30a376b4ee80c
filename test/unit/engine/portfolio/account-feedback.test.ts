import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  parseFixed,
  type AccountEvent,
  type Candle,
  type EnterIntent,
  type FundingPayment,
  type Instrument,
} from '../../../../src/domain/index.js';
import { CandleStrategy, enterShort } from '../../../../src/strategy/index.js';
import { INVERSE, LINEAR, MARGIN, SPOT } from '../../../support/risk/builders.js';
import { aStartedEngine, START, type EngineSetup } from '../../../support/engine/engine.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

function aShort(
  instrument: Instrument,
  { fees, ...terms }: Pick<EngineSetup, 'fees'> & Pick<EnterIntent, 'protection'> = {},
): OrderManagerBench {
  const bench = new OrderManagerBench({
    instruments: [{ instrument, intervals: ['1min'] }],
    ...(fees && { fees }),
  });
  bench.candle(100);
  bench.want(enterShort({ quantity: '10' }, { limitPrice: '100', ...terms }));
  bench.fill('test-1-0-0', '10', { price: '100' });
  return bench;
}

const interest = (amount: string, asset = 'BTC') =>
  ({ kind: 'interest', asset, amount: parseFixed(amount), of: 'hour' }) as const;

describe('account events of a strategy', () => {
  it('deliver each nonzero funding payment to onFunding, and other updates to onAccountEvent', () => {
    const funded: FundingPayment[] = [];
    const events: AccountEvent[] = [];
    class Listening extends CandleStrategy({}) {
      override onCandle(): void {
        this.flatten();
      }
      override onFunding(payment: FundingPayment): void {
        funded.push(payment);
      }
      override onAccountEvent(event: AccountEvent): void {
        events.push(event);
      }
    }
    const engine = aStartedEngine(Listening, {
      instruments: [
        { instrument: LINEAR, intervals: ['1min'] },
        { instrument: MARGIN, intervals: ['1min'] },
        { instrument: SPOT, intervals: ['1min'] },
      ],
    });
    const common = { time: START, kind: 'venue' } as const;

    for (const [amount, rate] of [
      ['-1.5', '0.0001'],
      ['0', '0'],
    ] as const)
      engine.process({
        ...common,
        update: {
          kind: 'funding',
          instrumentId: LINEAR.id,
          direction: 'long',
          asset: 'USDT',
          amount: parseFixed(amount),
          rate: parseFixed(rate),
          markPrice: parseFixed('100'),
          eventTime: START,
        },
      });
    engine.process({ ...common, update: { ...interest('0.5', 'USDT'), eventTime: START } });
    engine.process({
      ...common,
      update: { kind: 'margin-warning', level: parseFixed('1.3'), eventTime: START },
    });

    expect(funded.map(({ amount, direction }) => `${direction} ${amount.toFixed()}`)).toEqual([
      'long -1.5',
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['interest', 'margin-warning']);
    const { fees, funding, interest: paid, insurance } = engine.costs;
    expect([fees, funding, paid, insurance].map(formatFixed)).toEqual(['0', '1.5', '0.5', '0']);
    expect(engine.portfolio.residual()).toBe(0n);
  });

  it('set mark prices before the candle of their instant', () => {
    const told: string[] = [];
    class Watching extends CandleStrategy({}) {
      override onCandle({ close }: Candle): void {
        told.push(`candle ${String(close)}, mark ${String(this.markPrice())}`);
      }
    }
    const engine = aStartedEngine(Watching, {
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });
    const marks = [{ instrumentId: LINEAR.id, price: 99.5 }];
    engine.process({ kind: 'marks', time: START, marks });
    const candle: Candle = {
      instrumentId: LINEAR.id,
      interval: '1min',
      openTime: START - 60_000,
      closeTime: START,
      open: 100,
      high: 100,
      low: 100,
      close: 100,
      volume: 1,
    };
    engine.process({ kind: 'candles', time: START, candles: [candle] });

    expect(told).toEqual(['candle 100, mark 99.5']);
  });

  it('reject funding of an instrument that is not a contract', () => {
    const bench = new OrderManagerBench();

    expect(() =>
      bench.account({
        kind: 'funding',
        instrumentId: SPOT.id,
        direction: 'long',
        asset: 'USDT',
        amount: 1n,
        rate: 1n,
        markPrice: 1n,
      }),
    ).toThrow('funding came on spot:BTCUSDT, which is no contract');
  });
});

describe('interest', () => {
  it('increases the debt of a short if it is charged in base, at its value at that time', () => {
    const bench = aShort(MARGIN);
    bench.candle(120);

    bench.account(interest('0.01'));

    expect(bench.held('short')).toBe('10.01');
    const { holding } = bench.engine.portfolio.instrument(MARGIN.id).short;
    // 10 × 100 + 0.01 × 120
    expect(formatFixed(holding.entryValue)).toBe('1001.2');
    expect(bench.engine.financings.map(({ cost }) => formatFixed(cost))).toEqual(['1.2']);
    expect(bench.engine.portfolio.residual()).toBe(0n);
  });

  it('is bought back by the take-profit, too', () => {
    const fees = { maker: '0.001', taker: '0.001', paidIn: 'received' } as const;
    const bench = aShort(MARGIN, { fees, protection: { takeProfit: { price: '90' } } });
    bench.accept('test-2-0-0');

    // 10 ÷ 0.999, up to the step
    expect(formatFixed(bench.request('test-2-0-0').quantity)).toBe('10.011');
    // Less than a step would stay.
    expect(bench.account(interest('0.0015'))).toEqual([]);
    expect(bench.account(interest('0.001'))).toEqual(['cancel test-2-0-0']);
    bench.end('test-2-0-0');
    // 10.0025 ÷ 0.999
    expect(formatFixed(bench.request('test-3-0-0').quantity)).toBe('10.013');
  });

  it('is borne by the position of a fill although it is charged before the fill', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: MARGIN, intervals: ['1min'] }],
    });
    bench.candle(100);
    bench.want(enterShort({ quantity: '10' }, { limitPrice: '100' }));

    bench.account(interest('0.001'));
    const before = bench.engine.financings.length;
    bench.fill('test-1-0-0', '10', { price: '100' });

    expect([before, bench.engine.financings.length]).toEqual([0, 1]);
    expect(bench.held('short')).toBe('10.001');
    expect(formatFixed(bench.engine.costs.interest)).toBe('0.1');
  });
});

describe('the position that a strategy reads', () => {
  it('is the short if only a short is held, with its price and its profit at mark', () => {
    const seen: string[] = [];
    class Reading extends CandleStrategy({}) {
      override onCandle(): void {
        const { direction, quantity, entryPrice, unrealizedProfit } = this.position;
        seen.push(
          `${direction} ${quantity.toFixed()} at ${String(entryPrice?.toFixed())}: ${unrealizedProfit.toFixed()}`,
        );
      }
    }
    const instrument = { ...INVERSE, quote: 'USDT' };
    const engine = aStartedEngine(Reading, {
      instruments: [{ instrument, intervals: ['1min'] }],
      balances: { BTC: '1' },
    });
    engine.portfolio.applyFill(
      {
        clientOrderId: 'x' as never,
        instrumentId: instrument.id,
        side: 'sell',
        action: 'open',
        price: parseFixed('5000'),
        quantity: parseFixed('100'),
        fee: 0n,
        feeAsset: 'BTC',
        liquidity: 'taker',
        eventTime: START,
      },
      parseFixed('1'),
    );
    engine.process({
      kind: 'marks',
      time: START,
      marks: [{ instrumentId: instrument.id, price: 4_000 }],
    });
    const prices = { open: 4_000, high: 4_000, low: 4_000, close: 4_000, volume: 1 };
    engine.process({
      kind: 'candles',
      time: START,
      candles: [
        {
          instrumentId: instrument.id,
          interval: '1min',
          openTime: START - 60_000,
          closeTime: START,
          ...prices,
        },
      ],
    });

    // 1,000 ÷ 4,000 − 1,000 ÷ 5,000
    expect(seen).toEqual(['short 100 at 5000: 0.05']);
  });
});
