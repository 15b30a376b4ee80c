import { setImmediate as nextTurn } from 'node:timers/promises';

import { enterLong, Strategy } from 'evenkeel';
import { map, timer, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { runParity, type ParityOutcome } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  MINUTE_MS,
  type EpochMs,
  type Interval,
  type OrderIntent,
} from '../../../src/domain/index.js';
import type { Journal } from '../../../src/engine/index.js';
import { systemTime } from '../../../src/engine/system-time.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsFrom, keepRows } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';

const BTC = createInstrumentId('spot', 'BTCUSDT');
const START = Date.UTC(2026, 0, 1);

/** Enters every 20 s of its time. */
function ticker(warmup: number): StrategyClass {
  return class Ticker extends Strategy({}) {
    override readonly warmup = warmup;

    override intents(): Observable<OrderIntent> {
      return timer(20_000, 20_000).pipe(map(() => enterLong({ notional: '50' }, { add: true })));
    }
  };
}

interface Played extends ParityOutcome {
  /** Seconds from the start of trading to the decisions of the live side. */
  readonly decisions: readonly number[];
}

async function play(
  interval: Interval,
  warmup: number,
  from: number,
  isStored: (time: EpochMs) => boolean = () => true,
): Promise<Played> {
  const config = aBacktestConfig({ instrumentId: BTC, interval });
  const decisions: number[] = [];
  const journal: Journal = {
    append: ({ time }, commands) => {
      if (commands.length > 0) decisions.push((time - from) / 1_000);
    },
  };
  const stepMs = interval === '1min' ? MINUTE_MS : 15 * MINUTE_MS;
  const columns = keepRows(
    columnsFrom(START, Math.ceil((60 * MINUTE_MS) / stepMs), stepMs),
    isStored,
  );
  const outcome = await runParity({
    config: { ...config, simulation: { ...config.simulation, from, to: from + 15 * MINUTE_MS } },
    strategyClass: ticker(warmup),
    sourceHash: 'first-timers',
    archive: createMemoryArchive([{ instrumentId: BTC, interval, columns }]),
    breathe: () => nextTurn(),
    timers: systemTime,
    journal,
  });
  return { ...outcome, decisions };
}

describe('timers of a strategy before trading begins', () => {
  it('belong to the warm-up, also after its last candle, over HTTP as in a backtest', async () => {
    const from = START + 20 * MINUTE_MS + 30_000;

    const { report, decisions } = await play('1min', 3, from);

    expect(report.difference).toBeUndefined();
    // The warm-up ends half a minute before the start. Timers at 10 s before the start, and earlier, are not heard.
    expect(decisions.slice(0, 2)).toEqual([10, 30]);
    expect(Math.min(...decisions)).toBeGreaterThan(0);
  });

  it('are none without a warm-up: the strategy begins at the start, over HTTP as in a backtest', async () => {
    const from = START + 20 * MINUTE_MS + 7_000;

    const { report, decisions } = await play('15min', 0, from);

    expect(report.difference).toBeUndefined();
    expect(decisions.slice(0, 2).every((second) => second % 20 === 0)).toBe(true);
    expect(decisions.length).toBeGreaterThan(2);
  });

  it.each<readonly [string, Interval, (minute: number) => boolean]>([
    ['candles are missing after it', '1min', (minute) => minute < 7 || minute >= 12],
    ['no candle of the run is whole', '15min', () => true],
  ])('begin at the start, over HTTP as in a backtest, if %s', async (_, interval, isStored) => {
    const from = START + 7 * MINUTE_MS + 7_000;
    const { report, decisions } = await play(interval, 0, from, (time) =>
      isStored((time - START) / MINUTE_MS),
    );

    expect(report.difference).toBeUndefined();
    expect(decisions.every((second) => second % 20 === 0)).toBe(true);
    expect(decisions.length).toBeGreaterThan(2);
  });

  it('begin with the first stored candle if the start is earlier, over HTTP as in a backtest', async () => {
    const { report, decisions } = await play('1min', 0, START - 10 * MINUTE_MS);

    expect(report.difference).toBeUndefined();
    expect(decisions.slice(0, 2)).toEqual([660, 680]);
  });
});
