import { describe, expect, it } from 'vitest';

import { replayBacktest, type SimulationConfig } from '../../../../src/assembly/index.js';
import {
  formatFixed,
  parseFixed,
  type Candle,
  type Fill,
  type Order,
} from '../../../../src/domain/index.js';
import { CandleStrategy } from '../../../../src/strategy/index.js';
import { CONTRACT_ID, createContractConfig } from '../../../perf/reference-work.js';
import { constantLatency } from '../../../support/backtest-config.js';
import { createMemoryArchive } from '../../../support/memory-archive.js';
import { BTC, replaySeries } from '../../../support/replay.js';
import { START, venueColumns, type VenueCandle } from '../../../support/spot-venue.js';

/** Runs a strategy that acts at the close of each minute, counted from 0. Returns its updates with times in ms after the start. */
async function told(
  act: (strategy: Diary, minute: number) => void,
  candles: readonly VenueCandle[],
  simulation: Partial<SimulationConfig> = {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  class Acting extends Diary {
    override readonly lines = lines;

    override act(minute: number): void {
      act(this, minute);
    }
  }
  await replaySeries(
    Acting,
    [{ instrumentId: BTC, interval: '1min', columns: venueColumns(candles) }],
    simulation,
  );
  return lines;
}

abstract class Diary extends CandleStrategy({}) {
  abstract readonly lines: string[];
  #minute = 0;

  abstract act(minute: number): void;

  override onCandle({ closeTime }: Candle): void {
    this.#write(`candle of +${String(closeTime - START)}`);
    this.act(this.#minute);
    this.#minute += 1;
  }

  override onFill({ record: { side, price, eventTime, liquidity } }: Fill): void {
    this.#write(`${side} at ${formatFixed(price)} ${liquidity} of +${String(eventTime - START)}`);
  }

  override onOrder({ side, status }: Order): void {
    if (status !== 'filled' && status !== 'submitting') this.#write(`${side} ${status}`);
  }

  #write(what: string): void {
    this.lines.push(`+${String(this.now - START)} ${what}`);
  }
}

const FLAT: VenueCandle = { path: [100, 100, 100, 100] };
/** Falls to 94 in 20 s, rises to 103 in 20 s, ends at 101. */
const DEEP: VenueCandle = { path: [100, 106.5, 94, 101] };

describe('a replay', () => {
  it('fills a decision at a close at the next open, and reports the fill at once', async () => {
    const lines = await told(
      first((strategy) => strategy.enterLong({ notional: '1000' })),
      [FLAT, { path: [105, 105, 105, 105] }],
    );

    expect(lines).toEqual([
      '+60000 candle of +60000',
      '+60000 buy at 105 taker of +60000',
      '+120000 candle of +120000',
    ]);
  });

  it('fills a market order at the path price when it arrives after its latency', async () => {
    const lines = await told(
      first((strategy) => strategy.enterLong({ notional: '1000' })),
      [FLAT, DEEP],
      {
        latency: constantLatency(10_000),
      },
    );

    // Half of the way from 100 to 94.
    expect(lines).toContain('+70000 buy at 97 taker of +70000');
  });

  it('holds orders back that exceed the rate limits of the venue', async () => {
    const lines = await told(
      first((strategy) => {
        for (let order = 0; order < 101; order += 1)
          strategy.enterLong({ quantity: '0.1' }, { limitPrice: '50', add: true });
      }),
      [FLAT, FLAT],
    );
    const opened = lines.filter((line) => line.endsWith('open'));

    // 100 orders in 2 s.
    expect(opened).toHaveLength(101);
    expect(opened.slice(-2)).toEqual(['+60000 buy open', '+62000 buy open']);
  });

  it('reports a fill inside a candle at the next poll', async () => {
    const lines = await told(
      first((strategy) => strategy.enterLong({ quantity: '1' }, { limitPrice: '97' })),
      [FLAT, DEEP],
    );

    // 96.99 after 3.01 / 6 × 20000 = 10033.3… ms
    expect(lines.slice(1)).toEqual([
      '+60000 buy open',
      '+72000 buy at 97 maker of +70034',
      '+120000 candle of +120000',
    ]);
  });

  it('reports a fill before the candle that closes at the same instant', async () => {
    const lines = await told(
      first((strategy) => strategy.enterLong({ quantity: '1' }, { limitPrice: '97' })),
      [FLAT, { path: [100, 100, 96.99, 96.99] }, FLAT],
      { path: 'high-first', updatePollMs: 60_000 },
    );

    // High first: the path stays at 100 for 20 s and is at 96.99 at 40 s. The poll is at the end of the minute.
    expect(lines.slice(2, 4)).toEqual([
      '+120000 buy at 97 maker of +100000',
      '+120000 candle of +120000',
    ]);
  });

  it('reports a fill at an open at the next poll, because the poll of that instant came first', async () => {
    const lines = await told(
      first((strategy) => strategy.enterLong({ quantity: '1' }, { limitPrice: '97' })),
      [FLAT, FLAT, { path: [95, 95, 95, 95] }],
    );

    expect(lines.slice(2)).toEqual([
      '+120000 candle of +120000',
      '+122000 buy at 97 maker of +120000',
      '+180000 candle of +180000',
    ]);
  });

  it('fires a stop at the first sample beyond it, and sells on the rest of the same path', async () => {
    const lines = await told(
      first((strategy) =>
        strategy.enterLong({ notional: '1000' }, { protection: { stopLoss: { price: '97' } } }),
      ),
      [FLAT, DEEP],
      { stopPollMs: 15_000 },
    );

    // The path passes 97 at +70000. The sample at +75000 is 100 − 6 × 15 / 20
    expect(lines).toContain('+75000 sell at 95.5 taker of +75000');
  });

  it('holds an order that arrives in a gap until the next open', async () => {
    const lines = await told(
      first((strategy) => strategy.enterLong({ notional: '1000' })),
      [FLAT, { minute: 5, path: [90, 90, 90, 90] }],
    );

    expect(lines.slice(1)).toEqual([
      '+300000 buy at 90 taker of +300000',
      '+360000 candle of +360000',
    ]);
  });

  it('gives the volume of a candle first to resting orders that its open reaches, then to arriving orders', async () => {
    const lines = await told(
      (strategy, minute) => {
        if (minute === 0) strategy.enterLong({ quantity: '1' }, { limitPrice: '97' });
        if (minute === 1) strategy.enterLong({ notional: '300' }, { add: true });
      },
      [FLAT, FLAT, { path: [95, 95, 95, 95], volume: 1 }],
      { participation: parseFixed('1') },
    );

    expect(lines.slice(3)).toEqual([
      '+120000 buy canceled',
      '+122000 buy at 97 maker of +120000',
      '+180000 candle of +180000',
    ]);
  });

  it('reports a liquidation at an open at the next poll, even after candles that skipped the venue', async () => {
    const lines: string[] = [];
    class Buyer extends CandleStrategy({}) {
      #candles = 0;

      override onCandle(): void {
        this.#candles += 1;
        if (this.#candles === 1) this.enterLong({ quantity: '1700000' });
      }

      override onFill({ record: { side, eventTime } }: Fill): void {
        lines.push(`+${String(this.now - START)} ${side} of +${String(eventTime - START)}`);
      }
    }
    // 1,700,000 contracts of 0.001 at 20,000, 5 times: 6,800,000 of margin.
    const { simulation, ...config } = createContractConfig();
    const balances = { futures: new Map([['USDT', parseFixed('9000000')]]) };
    const candles = [20_000, 8_000].flatMap((price) =>
      Array.from({ length: 5 }, (): VenueCandle => ({ path: [price, price, price, price] })),
    );

    await replayBacktest({
      config: { ...config, simulation: { ...simulation, balances } },
      archive: createMemoryArchive([
        { instrumentId: CONTRACT_ID, interval: '1min', columns: venueColumns(candles) },
      ]),
      strategyClass: Buyer,
      sourceHash: 'test',
    });

    expect(lines).toEqual(['+60000 buy of +60000', '+302000 sell of +300000']);
  });
});

function first(act: (strategy: Diary) => void): (strategy: Diary, minute: number) => void {
  return (strategy, minute) => {
    if (minute === 0) act(strategy);
  };
}
