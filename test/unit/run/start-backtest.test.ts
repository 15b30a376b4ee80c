import { config as rxjs, debounceTime, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { CandleStrategy } from '../../../src/index.js';
import {
  formatResult,
  runBacktest,
  startBacktest,
  type RunBacktestOptions,
  type RunEvent,
  type StrategyClass,
} from '../../../src/run/index.js';
import { walk } from '../../../src/testing/index.js';

const HOUR = 3_600_000;

/** Enters in every odd hour and exits in every even hour. */
class InAndOut extends CandleStrategy({}) {
  override onCandle(): void {
    if ((this.now / HOUR) % 2 === 1) this.enterLong({ quantity: '1' });
    else this.exit();
  }
}

function options(hours: number, strategy: StrategyClass = InAndOut): RunBacktestOptions {
  const candles = walk({ length: hours }).map(
    ({ open = 0, high = 0, low = 0, close, volume = 0 }, index) => ({
      openTime: Date.UTC(2025, 0, 1) + index * HOUR,
      ...{ open, high, low, close, volume },
    }),
  );
  return {
    strategy,
    candles: [{ instrument: 'spot:BTCUSDT', interval: '1h', candles }],
    config: {
      name: 'started',
      instruments: [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['1h'] }],
      simulation: {
        balances: { USDT: '10000' },
        fees: { maker: '0.001', taker: '0.001' },
        participation: 'off',
        rules: { BTCUSDT: { pricePrecision: 2, quantityPrecision: 5 } },
      },
    },
  };
}

function count(events: readonly RunEvent[], kind: RunEvent['kind']): number {
  return events.filter((event) => event.kind === kind).length;
}

describe('startBacktest', () => {
  it('gives the result of runBacktest with and without a reader', async () => {
    const read = startBacktest(options(300));
    for await (const event of read) expect(event.kind).toBeTypeOf('string');

    const plain = formatResult(await runBacktest(options(300)));

    expect(formatResult(await read.result)).toBe(plain);
    expect(formatResult(await startBacktest(options(300)).result)).toBe(plain);
  });

  it('gives each event once, in order, to the loop and to subscribers', async () => {
    const run = startBacktest(options(5_000));
    const heard = lastValueFrom(run.events$.pipe(toArray()), { defaultValue: [] });
    const fills = lastValueFrom(run.fills$.pipe(toArray()), { defaultValue: [] });

    const read: RunEvent[] = [];
    for await (const event of run) read.push(event);
    const result = await run.result;

    expect(await heard).toEqual(read);
    expect(count(read, 'fill')).toBe(result.fills.length);
    expect((await fills).map(({ price }) => price.toString())).toEqual(
      result.fills.map(({ price }) => price),
    );
    expect(count(read, 'verdict')).toBe(result.orders.length);
  });

  it('leaves what a listener does out of the result', async () => {
    const plain = formatResult(await runBacktest(options(300)));
    const run = startBacktest(options(300));
    let quiet = 0;
    run.fills$.pipe(debounceTime(1)).subscribe(() => {
      quiet += 1;
    });
    run.events$.subscribe(() => {
      // The clock, chance and promises of the program are not those of the strategy.
      void Promise.resolve(Date.now() + Math.random());
    });

    expect(formatResult(await run.result)).toBe(plain);
    expect(quiet).toBe(1);
  });

  it('leaves the error of a listener to the process', async () => {
    const unhandled: unknown[] = [];
    rxjs.onUnhandledError = (error) => unhandled.push(error);
    try {
      const run = startBacktest(options(50));
      run.orders$.subscribe(() => {
        throw new Error('the file is full');
      });

      expect((await run.result).fills.length).toBeGreaterThan(0);
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    } finally {
      rxjs.onUnhandledError = null;
    }
    expect(unhandled.map(String)).toContain('Error: the file is full');
  });

  it('does not run far ahead of its reader', async () => {
    let candles = 0;
    class Counts extends InAndOut {
      override onCandle(): void {
        candles += 1;
        super.onCandle();
      }
    }
    const run = startBacktest(options(20_000, Counts));

    let seen = 0;
    let most = 0;
    for await (const event of run) {
      if (event.kind !== 'fill') continue;
      seen += 1;
      await Promise.resolve();
      // Each candle leads to one fill.
      most = Math.max(most, candles - seen);
    }

    expect(seen).toBeGreaterThan(19_000);
    // A run yields to the event loop every two thousand instants.
    expect(most).toBeLessThan(2_100);
  });

  it('aborts the run when the loop is left', async () => {
    const run = startBacktest(options(20_000));

    for await (const event of run) if (event.kind === 'fill') break;

    await expect(run.result).rejects.toMatchObject({ code: 'E_RUN_ABORTED' });
  });

  it('throws the error that ends the run only to its reader', async () => {
    class Fails extends CandleStrategy({}) {
      override onCandle(): void {
        throw new Error('no such idea');
      }
    }
    const run = startBacktest(options(10, Fails));

    const read = async (): Promise<void> => {
      for await (const event of run) expect(event).toBeUndefined();
    };

    await expect(read()).rejects.toThrow('no such idea');
  });

  it('allows only one loop at a time', async () => {
    const run = startBacktest(options(10));
    const first = run[Symbol.asyncIterator]();

    expect(() => run[Symbol.asyncIterator]()).toThrow('only one loop can read');
    await first.return?.();
    await expect(run.result).resolves.toBeDefined();
  });
});
