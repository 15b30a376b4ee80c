import { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { replayBacktest } from '../../../src/assembly/index.js';
import { createInstrumentId, type OrderIntent } from '../../../src/domain/index.js';
import { Strategy, type Market } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const ID = createInstrumentId('spot', 'BTCUSDT');

async function run(
  isFailing: boolean,
): Promise<{ readonly torn: number; readonly error: unknown }> {
  let torn = 0;
  class Watches extends Strategy({}) {
    override intents(market: Market): Observable<OrderIntent> {
      return new Observable<OrderIntent>((subscriber) => {
        subscriber.add(
          market.candles$().subscribe(() => {
            if (isFailing) subscriber.error(new Error('broken'));
          }),
        );
        return () => {
          torn += 1;
        };
      });
    }
  }
  const prices = Float64Array.of(100, 100);
  const openTime = Float64Array.of(0, 3_600_000);
  const columns = {
    openTime,
    open: prices,
    high: prices,
    low: prices,
    close: prices,
    volume: prices,
  };
  const signal = isFailing ? undefined : AbortSignal.abort(new Error('interrupted'));
  const error: unknown = await replayBacktest({
    config: aBacktestConfig({ instrumentId: ID, interval: '1h' }),
    archive: createMemoryArchive([{ instrumentId: ID, interval: '1h', columns }]),
    strategyClass: Watches,
    sourceHash: '',
    signal,
  }).catch((reason: unknown) => reason);
  return { torn, error };
}

describe('a run that ends early', () => {
  it.each([
    { isFailing: true, message: 'broken' },
    { isFailing: false, message: 'interrupted' },
  ])(
    'unsubscribes the strategy once, and rejects with the cause: $message',
    async ({ isFailing, message }) => {
      const { torn, error } = await run(isFailing);

      expect(String(error)).toContain(message);
      expect(torn).toBe(1);
    },
  );
});
