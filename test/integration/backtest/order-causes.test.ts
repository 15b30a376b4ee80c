import { expect, it } from 'vitest';
import { replayBacktest } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  type Candle,
  type CandleColumns,
  type Fill,
  type Order,
} from '../../../src/domain/index.js';
import { buildResult } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aBacktestConfig, constantLatency } from '../../support/backtest-config.js';
import { aContract, runHours } from '../../support/hourly-run.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');
const HOURLY = { instrumentId: ID, interval: '1h' } as const;
const HOUR = 3_600_000;
const CLOSES = [100, 100, 110, 110, 110, 90, 90, 90, 90, 90, 90, 90];

/** Flat candles of an hour. */
function candles(): CandleColumns {
  const prices = Float64Array.from(CLOSES);
  return {
    openTime: prices.map((_, row) => row * HOUR),
    open: prices,
    high: prices,
    low: prices,
    close: prices,
    volume: prices.map(() => 1_000),
  };
}

/** Leaves a position in every possible way. */
class EachWayOut extends CandleStrategy() {
  /** The labels that `onOrder` and `onFill` received, by order. */
  static readonly told = new Map<string, Set<string | undefined>>();

  override onOrder({ clientOrderId, label }: Order): void {
    this.#hear(clientOrderId, label);
  }

  override onFill({ clientOrderId, label }: Fill): void {
    this.#hear(clientOrderId, label);
  }

  #hear(clientOrderId: string, label: string | undefined): void {
    const labels = EachWayOut.told.get(clientOrderId) ?? new Set();
    EachWayOut.told.set(clientOrderId, labels.add(label));
  }

  override onCandle({ closeTime }: Candle): void {
    const size = { quantity: '1' };
    const takeProfit = { price: '105' };
    const stopLoss = { price: '100' };
    switch (closeTime / HOUR) {
      case 1:
        return void this.enterLong(size, { label: 'target', protection: { takeProfit } });
      case 4:
        return void this.enterLong(size, { label: 'stop', protection: { stopLoss } });
      case 7:
        return void this.enterLong(size);
      case 8:
        return void this.flatten();
      case 9:
        return void this.enterLong(size, { label: 'out' });
      case 10:
        return void this.exit({ label: 'flatten' });
      case 11:
        return void this.enterLong(size, { label: 'last' });
    }
  }
}

it('a result names intent, label and cause of each order and fill', async () => {
  const config = aBacktestConfig({
    instrumentId: ID,
    interval: '1h',
    simulation: { closeAtEnd: true, latency: constantLatency(0) },
  });
  const archive = createMemoryArchive([{ instrumentId: ID, interval: '1h', columns: candles() }]);
  const result = buildResult(
    await replayBacktest({ config, archive, strategyClass: EachWayOut, sourceHash: '' }),
  );

  expect(result.orders.map(({ side, label, cause }) => [side, label, cause])).toEqual([
    ['buy', 'target', 'signal'],
    ['sell', null, 'take-profit'],
    ['buy', 'stop', 'signal'],
    ['sell', null, 'stop-loss'],
    ['buy', null, 'signal'],
    ['sell', null, 'flatten'],
    ['buy', 'out', 'signal'],
    ['sell', 'flatten', 'signal'],
    ['buy', 'last', 'signal'],
    ['sell', null, 'end'],
  ]);
  expect(new Set(result.orders.map(({ intent }) => intent)).size).toBe(10);
  const orders = new Map(result.orders.map((order) => [order.id, order]));
  for (const { orderId, intent, label, cause } of result.fills)
    expect({ intent, label, cause }).toEqual({
      intent: orders.get(orderId)?.intent,
      label: orders.get(orderId)?.label,
      cause: orders.get(orderId)?.cause,
    });
  expect(result.fills).toHaveLength(10);
  // The strategy received the same labels.
  for (const { id, label } of result.orders)
    expect(EachWayOut.told.get(id)).toEqual(new Set([label ?? undefined]));
});

class Flips extends CandleStrategy() {
  override onCandle({ closeTime }: Candle): void {
    if (closeTime === HOUR) this.enterLong({ quantity: '1' }, { label: 'up' });
    if (closeTime === 3 * HOUR) this.enterShort({ quantity: '1' }, { label: 'down' });
    // The label has no meaning for the engine.
    if (closeTime === 5 * HOUR) this.exit({ label: 'flip' });
  }
}

it('the exit of a flip has the label of the entry that follows it', async () => {
  const { fills } = buildResult(
    await runHours({
      strategy: Flips,
      series: [[aContract('BTC', 'USDT'), { 0: 100, 1: 100, 2: 100, 3: 100, 4: 100, 5: 100 }]],
      simulation: {
        futures: { ...aBacktestConfig(HOURLY).simulation.futures, positionMode: 'oneWay' },
      },
    }),
  );

  expect(fills.map(({ side, action, label, cause }) => [side, action, label, cause])).toEqual([
    ['buy', 'open', 'up', 'signal'],
    ['sell', 'close', 'down', 'signal'],
    ['sell', 'open', 'down', 'signal'],
    ['buy', 'close', 'flip', 'signal'],
  ]);
});
