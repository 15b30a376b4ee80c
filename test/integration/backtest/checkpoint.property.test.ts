import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openArchive } from '../../../src/archive/index.js';

import { DAY_MS, HOUR_MS, parseFixed } from '../../../src/domain/index.js';
import { randomRuns } from '../../support/arbitraries/random-runs.js';
import { compareCuts, NO_FINDINGS, type CutFindings } from '../../support/replays/cut-run.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { recordRun, rememberingProtections } from '../../support/replays/recorded-run.js';
import { replayRuns } from '../../support/runs.js';
import { loadScenario } from '../../support/scenario.js';

/** Places between events, evenly spread. */
const cutsEvery = (distance: number, from: number, length: number): ReadonlySet<number> =>
  new Set(Array.from({ length: Math.ceil(length / distance) }, (_, cut) => from + cut * distance));

describe('an engine that resumes from a checkpoint', () => {
  it('gives the commands and the final state of an uninterrupted engine', async () => {
    const parameters = fc.record({
      activity: fc.constantFrom(0.3, 0.6),
      money: fc.constantFrom(300, 5_000, 200_000),
    });
    const found: CutFindings = { ...NO_FINDINGS };

    await fc.assert(
      fc.asyncProperty(
        randomRuns(parameters),
        rememberingProtections,
        fc.nat({ max: 8 }),
        async ({ config, series }, limits, first) => {
          const { entries, make } = await recordRun(
            { ...config, risk: { ...config.risk, protections: limits } },
            createMemoryArchive(series),
          );

          compareCuts(entries, make, {
            cuts: cutsEvery(7, first, entries.length),
            length: 100,
            found,
          });
        },
      ),
      { numRuns: 2 * replayRuns() },
    );

    expect(Object.values(found).every((times) => times > 20)).toBe(true);
  });

  it.each([
    ['channel-flip-liquidated', 4],
    ['channel-flip', 10],
    ['coin-hedge', 10],
    ['margin-swing', 10],
    ['sma-crossover-resend', 10],
  ])('gives the commands of an uninterrupted engine with every product: %s', async (name, days) => {
    const { config } = await loadScenario(name);
    const from = config.simulation.from ?? 0;
    const archive = openArchive(config.simulation.archive);
    const { entries, make } = await recordRun(
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
    const cuts = cutsEvery(5, 0, entries.length);
    const found: CutFindings = { ...NO_FINDINGS };

    compareCuts(entries, make, { cuts, length: 150, found });

    expect(found.positions).toBeGreaterThan(10);
    expect(found.orders).toBeGreaterThan(5);
    expect(found.commands).toBeGreaterThan(300);
  });
});
