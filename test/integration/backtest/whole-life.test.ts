import { describe, expect, it } from 'vitest';

import { replayBacktest } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  type Candle,
  type EpochMs,
  type Fill,
  type Order,
} from '../../../src/domain/index.js';
import { buildResult } from '../../../src/report/index.js';
import { CandleStrategy, type Verdict } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');

/** Ten hours: open, high, low, close, volume. */
const HOURS = [
  [100, 101, 99, 100, 1_000],
  [100, 104, 99.5, 103, 1_000], // the entry of 01:00 fills at the open, its take-profit rests
  [103, 112, 102, 108, 1_000], // the take-profit fills on the way up
  [108, 109, 106, 107, 1_000], // a limit order at 105 rests
  [107, 108, 106.5, 107.5, 1_000], // and is withdrawn at 04:30
  [107, 115, 106, 114, 1_000], // an entry in money, with a trailing stop that follows to 115
  [114, 114.5, 105, 106, 1_000], // the trailing stop fires on the way down
  [106, 107, 105, 106, 1_000],
  [106, 107, 105.5, 106, 6], // orders can take half of this volume
  [106, 108, 105, 107, 1_000], // the bought part is sold at the open
] as const;

/** Does one thing at a time, and writes down each call. */
class Life extends CandleStrategy({}) {
  static heard: string[] = [];

  override onCandle({ closeTime }: Candle): void {
    switch (closeTime / HOUR_MS) {
      case 1:
        this.enterLong(
          { quantity: '10' },
          { protection: { takeProfit: { price: '110' }, stopLoss: { price: '95' } } },
        );
        break;
      case 3:
        this.enterLong({ quantity: '5' }, { limitPrice: '105', goodForMs: 90 * MINUTE_MS });
        break;
      case 5:
        this.enterLong({ notional: '2000' }, { protection: { trailingStop: { ratio: '0.05' } } });
        break;
      case 7:
        this.enterLong({ quantity: '1000' });
        break;
      case 8:
        this.enterLong({ quantity: '5' });
        break;
      case 9:
        this.flatten();
        break;
    }
  }

  override onVerdict({ time, decision }: Verdict): void {
    this.note(
      time,
      decision.kind === 'refused'
        ? `refused: ${decision.refusal.check}`
        : `approved: ${String(decision.orders.length)} order`,
    );
  }

  override onOrder({ side, request, status }: Order): void {
    this.note(this.now, `${request.type} ${side} is ${status}`);
  }

  override onFill({ side, quantity, price }: Fill): void {
    const position = `holds ${this.position.quantity.toFixed()}`;
    this.note(this.now, `${side} of ${quantity.toFixed()} at ${price.toFixed()}: ${position}`);
  }

  note(time: EpochMs, text: string): void {
    Life.heard.push(`${new Date(time).toISOString().slice(11, 19)} ${text}`);
  }
}

describe('the whole life of a strategy', () => {
  it('gives exact figures to the last unit', async () => {
    const columns = columnsOf(
      HOURS.map(([open, high, low, close, volume], hour) => ({
        time: hour * HOUR_MS,
        open,
        high,
        low,
        close,
        volume,
      })),
    );
    const rate = parseFixed('0.001');
    const config = aBacktestConfig({
      instrumentId: ID,
      interval: '1h',
      simulation: {
        fees: { maker: rate, taker: rate, paidIn: 'quote' },
        slippage: { model: 'fixed', bps: parseFixed('10') },
        participation: parseFixed('0.5'),
        rules: new Map([[ID, { tradable: true, pricePrecision: 2, quantityPrecision: 3 }]]),
      },
    });

    Life.heard = [];

    const record = await replayBacktest({
      config,
      archive: createMemoryArchive([{ instrumentId: ID, interval: '1h', columns }]),
      strategyClass: Life,
      sourceHash: '',
    });

    expect(Life.heard).toEqual([
      '01:00:00 approved: 1 order',
      '01:00:00 limit buy is submitting',
      '01:00:00 limit buy is filled',
      '01:00:00 buy of 10 at 100.1: holds 10', // 100 × 1.001
      '01:00:00 approved: 1 order',
      '01:00:00 limit sell is submitting',
      '01:00:00 limit sell is open',
      '02:36:02 limit sell is filled', // filled at 02:36:01.2, polled every 2 s
      '02:36:02 sell of 10 at 110: holds 0',
      '03:00:00 approved: 1 order',
      '03:00:00 limit buy is submitting',
      '03:00:00 limit buy is open',
      '04:30:00 limit buy is canceling', // 03:00 + 90 min
      '04:30:00 limit buy is canceled',
      '05:00:00 approved: 1 order',
      '05:00:00 market buy is submitting',
      '05:00:00 market buy is filled',
      '05:00:00 buy of 18.672 at 107.11: holds 18.672', // 107 × 1.001 = 107.107, up; 2,000 / 107.11 = 18.6724, down
      '06:31:03 approved: 1 order', // 115 × 0.95 = 109.25; last is 114.5 − 663 / 1,200 × 9.5 = 109.25125, published as 109.25
      '06:31:03 market sell is submitting',
      '06:31:03 market sell is filled',
      '06:31:03 sell of 18.672 at 109.14: holds 0', // 109.25125 × 0.999 = 109.142, down
      '07:00:00 refused: insufficient-balance', // 1,000 × 106 × 1.05 × 1.001 = 111,411.3
      '08:00:00 approved: 1 order',
      '08:00:00 limit buy is submitting',
      '08:00:00 limit buy is canceling', // accepted, and its rest is canceled at once
      '08:00:00 limit buy is canceling',
      '08:00:00 limit buy is canceling', // a part has filled
      '08:00:00 buy of 3 at 106.11: holds 3', // 106 × 1.001 = 106.106, up; half of the volume of 6
      '08:00:00 limit buy is canceled',
      '09:00:00 approved: 1 order',
      '09:00:00 market sell is submitting',
      '09:00:00 market sell is filled',
      '09:00:00 sell of 3 at 105.89: holds 0', // 106 × 0.999 = 105.894, down
    ]);
    const fills = [...record.fills].map(({ record: fill }) => [
      new Date(fill.eventTime).toISOString().slice(11, 23),
      fill.liquidity,
      formatFixed(fill.fee),
    ]);
    expect(fills).toEqual([
      ['01:00:00.000', 'taker', '1.001'], // 10 × 100.1 × 0.001
      ['02:36:01.200', 'maker', '1.1'], // a tick beyond 110: 02:20 + (110.01 − 102) / 10 × 20 min; 10 × 110 × 0.001
      ['05:00:00.000', 'taker', '1.99995792'], // 18.672 × 107.11 × 0.001
      ['06:31:03.000', 'taker', '2.03786208'], // 18.672 × 109.14 × 0.001
      ['08:00:00.000', 'taker', '0.31833'], // 3 × 106.11 × 0.001
      ['09:00:00.000', 'taker', '0.31767'], // 3 × 105.89 × 0.001
    ]);
    expect([...record.orders].map(({ state }) => state.status)).toEqual([
      'filled',
      'filled',
      'canceled',
      'filled',
      'filled',
      'canceled',
      'filled',
    ]);
    const result = buildResult(record);
    // 96.899 = 1,100 − 1,001 − 1.001 − 1.1 33.86634 = 2,037.86208 − 1,999.95792 − 1.99995792 − 2.03786208 −1.296 = 317.67 − 318.33 − 0.31833 − 0.31767
    expect(result.equity).toEqual({
      initial: '10000',
      final: '10129.46934', // 10,000 + 96.899 + 33.86634 − 1.296
      currency: 'USDT',
    });
    expect(result.statistics).toMatchObject({
      trades: 3,
      winRate: 2 / 3,
      expectancy: '43.156446666666666667', // (96.899 + 33.86634 − 1.296) / 3
      profitFactor: 130.76534 / 1.296, // 96.899 + 33.86634 won, 1.296 lost
      exposure: 0.3, // held at the closes of 02:00, 06:00 and 09:00
      fees: '6.77482',
    });
    expect(result.accounting.residual).toBe('0');
  });
});
