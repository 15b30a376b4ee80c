import fc from 'fast-check';
import { auditTime, delay, map, merge, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { runBacktest, type ReplayWay, type RunOptions } from '../../src/assembly/index.js';
import type { OrderIntent } from '../../src/domain/index.js';
import { buildResult, writeResult, type RunRecord } from '../../src/report/index.js';
import { MemoryJournal, type JournalEntry } from '../../src/runtime/index.js';
import { enterLong, exit, type StrategyClass } from '../../src/strategy/index.js';
import { randomMarketRuns, type RandomMarketRun } from '../support/arbitraries/random-markets.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import { RandomTrader } from '../support/random-trader.js';
import { propertyRuns } from '../support/runs.js';

/** Trades by timers and marks, too. */
class RandomTimer extends RandomTrader {
  override intents(): Observable<OrderIntent> {
    const { market } = this;
    const late$ = market.candles$().pipe(
      delay(30_500),
      map(() => (this.random() < 0.2 ? enterLong({ notional: '150' }) : exit())),
    );
    const calm$ = market.candles$().pipe(
      auditTime(170_000),
      map(() => exit()),
    );
    const marked$ = market.marks$().pipe(map(() => exit()));
    return merge(super.intents(), late$, calm$, marked$);
  }
}

const parameters = fc.record({
  warmup: fc.constantFrom(0, 0, 3),
  // From a trade now and then, with long quiet stretches, to several with each candle.
  activity: fc.constantFrom(0.15, 0.3, 0.5),
  money: fc.constantFrom(300, 5_000, 200_000),
});

interface Played {
  readonly record: RunRecord;
  readonly text: string;
  readonly entries: readonly JournalEntry[];
}

async function play(
  run: RandomMarketRun,
  strategyClass: StrategyClass,
  way: ReplayWay,
): Promise<Played> {
  const journal = new MemoryJournal();
  const record = await replay(run, strategyClass, { way, journal });
  return { record, text: writeResult(buildResult(record)), entries: journal.entries };
}

function replay(
  { config, market }: RandomMarketRun,
  strategyClass: StrategyClass,
  options: Pick<RunOptions, 'way' | 'journal'>,
): Promise<RunRecord> {
  const archive = createMemoryArchive(market.candles, market);
  return runBacktest({ config, archive, strategyClass, sourceHash: 'random', ...options });
}

describe('the fast way through a replay', () => {
  it('gives the bytes of the plain way, on any strategy, candles and terms', async () => {
    let runs = 0;
    let withFills = 0;

    await fc.assert(
      fc.asyncProperty(
        randomMarketRuns(parameters, { minLength: 80, maxLength: 160 }),
        fc.constantFrom<StrategyClass>(RandomTrader, RandomTrader, RandomTimer),
        async (run, strategyClass) => {
          const fast = await play(run, strategyClass, 'fast');
          const plain = await play(run, strategyClass, 'plain');
          // Where nobody keeps the events, slices pass without any.
          const eventless = await replay(run, strategyClass, { way: 'fast' });

          expect(fast.text).toBe(plain.text);
          expect(fast.entries).toEqual(plain.entries);
          expect(fast.record).toEqual(plain.record);
          expect(writeResult(buildResult(eventless))).toBe(plain.text);
          expect(eventless).toEqual(plain.record);
          runs += 1;
          if (plain.record.fills.length > 0) withFills += 1;
        },
      ),
    );

    expect(runs).toBeGreaterThanOrEqual(propertyRuns());
    expect(withFills / runs).toBeGreaterThan(0.9);
  });
});
