import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openArchive, type Archive } from '../../src/archive/index.js';
import { createEngine } from '../../src/assembly/create-engine.js';
import { readTerms, runBacktest, type BacktestConfig } from '../../src/assembly/index.js';

import { DAY_MS, HOUR_MS, MINUTE_MS, parseFixed } from '../../src/domain/index.js';
import type { ProtectionConfig } from '../../src/risk/index.js';
import type { JournalEntry } from '../../src/runtime/index.js';
import { randomRuns } from '../support/arbitraries/random-runs.js';
import { compareCuts, NO_FINDINGS, type CutFindings, type MakeEngine } from '../support/cut-run.js';
import { ForgetfulTrader } from '../support/forgetful-trader.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import { loadScenario } from '../support/scenario.js';

/** Protections that remember something, with limits that random trading runs into. */
const protections: fc.Arbitrary<ProtectionConfig> = fc.record(
  {
    maxDailyLossRatio: fc.constant(parseFixed('0.02')),
    maxDrawdownRatio: fc.constant(parseFixed('0.03')),
    drawdownWindowMs: fc.constant(HOUR_MS),
    maxConsecutiveLosses: fc.constantFrom(2, 4),
    haltMs: fc.constantFrom(10 * MINUTE_MS, 3 * HOUR_MS),
    onHalt: fc.constantFrom('block', 'cancel', 'flatten'),
    cooldownAfterStopMs: fc.constant(5 * MINUTE_MS),
    minEntryIntervalMs: fc.constant(2 * MINUTE_MS),
    maxOrdersPerMinute: fc.constantFrom(1, 5),
    maxOrdersPerDay: fc.constant(200),
    maxOpenPositions: fc.constant(1),
  },
  { requiredKeys: [] },
);

/** Runs a config and returns every event of its engine, and how to make an engine for them. */
async function record(
  config: BacktestConfig,
  archive: Archive,
): Promise<{ readonly entries: readonly JournalEntry[]; readonly make: MakeEngine }> {
  const entries: JournalEntry[] = [];
  let begin = { constructed: 0, started: 0 };
  await runBacktest({
    config,
    archive,
    strategyClass: ForgetfulTrader,
    sourceHash: '',
    journal: { append: (event, commands) => entries.push({ event, commands }) },
    onBegin: (found) => {
      begin = found;
    },
  });
  const terms = await readTerms(config, archive);
  const make: MakeEngine = (from) => {
    const engine = createEngine({
      config,
      terms,
      strategyClass: ForgetfulTrader,
      constructed: from?.time ?? begin.constructed,
      checkpoint: from?.checkpoint,
    });
    engine.construct();
    engine.start(from?.time ?? begin.started);
    return engine;
  };
  return { entries, make };
}

/** Places between events, evenly spread. */
const cutsEvery = (distance: number, from: number, length: number): ReadonlySet<number> =>
  new Set(Array.from({ length: Math.ceil(length / distance) }, (_, cut) => from + cut * distance));

describe('an engine that goes on from a checkpoint', () => {
  it('gives the commands of one that was never cut, and owns the same in the end', async () => {
    const parameters = fc.record({
      activity: fc.constantFrom(0.3, 0.6),
      money: fc.constantFrom(300, 5_000, 200_000),
    });
    const found: CutFindings = { ...NO_FINDINGS };

    await fc.assert(
      fc.asyncProperty(
        randomRuns(parameters),
        protections,
        fc.nat({ max: 8 }),
        async ({ config, series }, limits, first) => {
          const { entries, make } = await record(
            { ...config, risk: { ...config.risk, protections: limits } },
            createMemoryArchive(series),
          );

          compareCuts(entries, make, {
            cuts: cutsEvery(11, first, entries.length),
            length: 100,
            found,
          });
        },
      ),
    );

    expect(Object.values(found).every((times) => times > 20)).toBe(true);
  });

  it.each([
    ['channel-flip-liquidated', 4],
    ['channel-flip', 10],
    ['coin-hedge', 10],
    ['margin-swing', 10],
    ['sma-crossover-resend', 10],
  ])('does so with all products: %s', async (name, days) => {
    const { config } = await loadScenario(name);
    const from = config.simulation.from ?? 0;
    const archive = openArchive(config.simulation.archive);
    const { entries, make } = await record(
      {
        ...config,
        strategy: { ...config.strategy, parameters: { activity: 0.3, money: 50_000_000 } },
        simulation: { ...config.simulation, from, to: from + days * DAY_MS },
        risk: {
          ...config.risk,
          protections: { maxDrawdownRatio: parseFixed('0.3'), haltMs: HOUR_MS, onHalt: 'flatten' },
        },
      },
      archive,
    );
    const cuts = cutsEvery(3, 0, entries.length);
    const found: CutFindings = { ...NO_FINDINGS };

    compareCuts(entries, make, { cuts, length: 150, found });

    expect(found.positions).toBeGreaterThan(10);
    expect(found.orders).toBeGreaterThan(5);
    expect(found.commands).toBeGreaterThan(300);
  });
});
