import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { RunOptions } from '../../../src/assembly/index.js';
import { isFinalStatus, StrategyError } from '../../../src/domain/index.js';
import { buildResult, writeResult, type RunRecord } from '../../../src/report/index.js';
import type { JournalEntry } from '../../../src/engine/index.js';
import { MemoryJournal } from '../../support/engine/memory-journal.js';
import { PlainReplay } from '../../support/replays/plain-replay.js';
import {
  limitedReplays,
  playReplay,
  randomReplays,
  type RandomReplay,
} from '../../support/replays/random-replays.js';
import { FailingTrader } from '../../support/strategies/random-strategies.js';
import { RepeatingTargets } from '../../support/strategies/repeating-targets.js';
import { differentialRuns, replayRuns } from '../../support/runs.js';

interface Played {
  readonly record: RunRecord;
  readonly entries: readonly JournalEntry[];
  /** The log of the strategy. */
  readonly lines: readonly unknown[];
}

const PLAIN: Pick<RunOptions, 'createReplay'> = {
  createReplay: (options) => new PlainReplay(options),
};

async function play(
  replay: RandomReplay,
  options: Pick<RunOptions, 'createReplay'> = {},
): Promise<Played> {
  const journal = new MemoryJournal();
  const lines: unknown[] = [];
  const write = (...line: readonly unknown[]): void => void lines.push(line);
  const log = { debug: write, info: write, warn: write };
  const record = await playReplay(replay, { ...options, journal, createLog: () => log });
  return { record, entries: journal.entries, lines };
}

/**
 * Without the fields that depend on how often the replay looked at the venue. The plain replay asks for the path of each candle with a watched stop, and for the
 * mark at each instant. The undecided money on margin is worked out at each look at a candle, with the debt of that time.
 */
function withoutLooks(record: RunRecord): RunRecord {
  const warnings = record.warnings.filter((one) => !one.includes('mark prices are missing'));
  const hasMargin = record.instruments.some(({ kind }) => kind === 'margin');
  const undecidedMoney = hasMargin ? 0n : record.undecidedMoney;
  return { ...record, warnings, undecidedMoney, isPathAsked: true };
}

function textOf(record: RunRecord): string {
  return writeResult(buildResult(withoutLooks(record)));
}

/** With `closeAtEnd`, all orders have ended. */
function expectNothingWorks({ run }: RandomReplay, { orders, run: { candles } }: RunRecord): void {
  if (!run.config.simulation.closeAtEnd || candles === 0) return;
  expect(Array.from(orders).filter(({ state }) => !isFinalStatus(state.status))).toEqual([]);
}

/** If a candle closes at the end of a day, both curves have the same equity. */
function expectAgreeingCurves(record: RunRecord): void {
  if (record.candleEquity === undefined) return;
  const candles = new Map(buildResult(record, { curve: 'candle' }).equityCurve);
  for (const [time, equity] of buildResult(record).equityCurve)
    expect(candles.get(time) ?? equity).toBe(equity);
}

describe('the replay loop', () => {
  it('gives the bytes of the plain replay for any strategy, candles and terms', async () => {
    let runs = 0;
    let withFills = 0;
    let fills = 0;

    await fc.assert(
      fc.asyncProperty(limitedReplays(), async (replay) => {
        const recorded = await play(replay);
        const plain = await play(replay, PLAIN);
        // Without a journal, slices pass in batches.
        const record = await playReplay(replay);

        // If the defect is not in the loop, this line fails first.
        expect([recorded.record.residual, plain.record.residual]).toEqual([0n, 0n]);
        expect(textOf(recorded.record)).toBe(textOf(plain.record));
        expect(withoutLooks(recorded.record)).toEqual(withoutLooks(plain.record));
        expect(plain.record.warnings).toEqual(
          expect.arrayContaining([...recorded.record.warnings]),
        );
        expect(recorded.entries).toEqual(plain.entries);
        expect(recorded.lines).toEqual(plain.lines);
        expect(writeResult(buildResult(record))).toBe(writeResult(buildResult(recorded.record)));
        expect(record).toEqual(recorded.record);
        expectAgreeingCurves(plain.record);
        expectNothingWorks(replay, record);
        runs += 1;
        fills += plain.record.fills.length;
        if (plain.record.fills.length > 0) withFills += 1;
      }),
      { numRuns: differentialRuns() },
    );

    console.info(
      `${String(runs)} random runs by both, ${String(fills)} fills; with fills ${((100 * withFills) / runs).toFixed(1)} %`,
    );
    expect(runs).toBeGreaterThanOrEqual(differentialRuns());
    expect(withFills / runs).toBeGreaterThanOrEqual(0.9);
  });

  it('gives the bytes of the plain replay for targets that are repeated with each candle', async () => {
    let [intents, orders] = [0, 0];

    await fc.assert(
      fc.asyncProperty(
        randomReplays({ minLength: 40, maxLength: 80 }, [RepeatingTargets]),
        async (replay) => {
          const plain = await play(replay, PLAIN);
          // Without a journal, a target that is reached is not kept to be judged.
          const record = await playReplay(replay);

          expect(writeResult(buildResult(withoutLooks(record)))).toBe(textOf(plain.record));
          intents += record.intents;
          orders += record.orders.length;
        },
      ),
      { numRuns: replayRuns() / 2 },
    );

    expect(intents).toBeGreaterThan(2 * orders);
  });

  it('fails at the same event as the plain replay', async () => {
    let failures = 0;

    await fc.assert(
      fc.asyncProperty(
        randomReplays({ minLength: 40, maxLength: 80 }, [FailingTrader]),
        async (replay) => {
          const failed = async (options?: Pick<RunOptions, 'createReplay'>): Promise<unknown> =>
            playReplay(replay, options).then(
              () => 'none',
              (error: unknown) => error,
            );

          const [looped, plain] = [await failed(), await failed(PLAIN)];

          expect(looped).toEqual(plain);
          expect(String(looped)).toBe(String(plain));
          if (plain instanceof StrategyError) failures += 1;
        },
      ),
      { numRuns: replayRuns() / 2 },
    );

    expect(failures).toBeGreaterThan(replayRuns() / 4);
  });
});
