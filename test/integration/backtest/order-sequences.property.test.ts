import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrument } from '../../../src/assembly/market/create-instruments.js';
import { MINUTE_MS } from '../../../src/domain/index.js';
import type { Verdict } from '../../../src/strategy/index.js';
import { JournalLaws } from '../../support/order-sequences/journal-laws.js';
import { IntentEnds } from '../../support/order-sequences/intent-ends.js';
import { checkOrders } from '../../support/order-sequences/order-laws.js';
import {
  replayOf,
  sequenceReplays,
  sequenceRunsOf,
  watchedTermsOf,
  type SequenceRun,
} from '../../support/order-sequences/sequence-runs.js';
import { sequenceTrader } from '../../support/order-sequences/sequence-trader.js';
import { WatchedReplay } from '../../support/order-sequences/watched-replay.js';
import { inputsOf, paperRigs, type PaperRig } from '../../support/paper-run.js';
import { drawnRunsOf, parityOf } from '../../support/parity/drawn-runs.js';
import { playReplay } from '../../support/replays/random-replays.js';
import { paperSequences, paritySequences } from '../../support/runs.js';

/** Plays a sequence on paper and checks all laws after each event. `loseEach`: every n-th answer of the venue is lost at first. Returns the rig. */
async function playOnPaper(
  { run, plan }: SequenceRun,
  loseEach = Number.POSITIVE_INFINITY,
): Promise<PaperRig> {
  const { config, market } = run;
  const instruments = config.instruments.map(createInstrument);
  const { positionMode } = config.simulation.futures;
  const marks = instruments.some(({ kind }) => kind === 'futures');
  const ends = new IntentEnds(() => true);
  const verdicts: Verdict[] = [];
  const strategyClass = sequenceTrader(plan, {
    raised: ends.follow,
    judged: (verdict) => verdicts.push(verdict),
  });
  const make = await paperRigs(config, strategyClass, inputsOf(market.candles, { marks }));
  const rig = make();
  const { engine, orderManager } = rig;
  let answers = 0;
  rig.loses = () => {
    answers += 1;
    return answers % loseEach === 0;
  };
  while (rig.step()) {
    checkOrders(engine, instruments, { positionMode });
    ends.check(engine, verdicts);
    if (orderManager.isTold) expect(engine.portfolio.residual(orderManager.balances())).toBe(0n);
  }
  return rig;
}

/** Calls that leave an unknown outcome when their answer is lost. */
const LOSABLE = [
  'spot.order',
  'spot.cancel',
  'spot.batchCancel',
  'futures.order',
  'futures.cancel',
];

describe('sequences of intents', () => {
  it.each(['spot', 'margin', 'linear', 'inverse'] as const)(
    'on paper: no exit opens or oversells, locks match working orders, intents end once, residual is 0 (%s)',
    async (product) => {
      const found = { runs: 0, orders: 0, fills: 0 };

      await fc.assert(
        fc.asyncProperty(
          sequenceRunsOf(product, { minLength: 20, maxLength: 60 }),
          async (sequence) => {
            const { engine } = await playOnPaper(sequence);

            found.runs += 1;
            found.orders += engine.orders.length;
            found.fills += engine.fills.length;
          },
        ),
        { numRuns: paperSequences(), endOnFailure: true },
      );

      console.info(`on paper, ${product}: ${JSON.stringify(found)}`);
      expect(found.fills).toBeGreaterThan(0);
    },
    3_600_000,
  );

  it.each(['spot', 'margin', 'linear', 'inverse'] as const)(
    'on paper with lost answers that are learned later: the same laws hold (%s)',
    async (product) => {
      const found = { runs: 0, orders: 0, lost: 0 };
      const loss = fc.constantFrom(1, 2, 3, 5);

      await fc.assert(
        fc.asyncProperty(
          sequenceRunsOf(product, { minLength: 20, maxLength: 60 }),
          loss,
          async (sequence, loseEach) => {
            const { engine, lost } = await playOnPaper(sequence, loseEach);

            found.runs += 1;
            found.orders += engine.orders.length;
            found.lost += lost;
          },
        ),
        { numRuns: paperSequences(), endOnFailure: true },
      );

      console.info(`on paper with lost answers, ${product}: ${JSON.stringify(found)}`);
      expect(found.lost).toBeGreaterThan(0);
    },
    3_600_000,
  );

  it.each(['spot', 'margin', 'linear', 'inverse'] as const)(
    'in a backtest: working orders and locks match the venue whenever all is known (%s)',
    async (product) => {
      const replays: WatchedReplay[] = [];

      await fc.assert(
        fc.asyncProperty(
          sequenceRunsOf(product, { minLength: 20, maxLength: 60 }),
          async (sequence) => {
            await playReplay(replayOf(sequence), {
              createReplay: (options) => {
                const replay = new WatchedReplay(options, watchedTermsOf(sequence));
                replays.push(replay);
                return replay;
              },
            });
          },
        ),
        { numRuns: paperSequences(), endOnFailure: true },
      );

      // Without such cases the laws would be untested.
      expect(replays.filter(({ compared }) => compared > 0).length).toBeGreaterThan(0);
      expect(replays.filter(({ locks }) => locks > 0).length).toBeGreaterThan(0);
    },
    3_600_000,
  );

  it('give the same over HTTP as in a backtest', async () => {
    const found = { runs: 0, orders: 0, fills: 0, forced: 0 };
    const drawnRuns = drawnRunsOf(sequenceReplays({ minLength: 20, maxLength: 60 }));

    await fc.assert(
      fc.asyncProperty(drawnRuns, async (drawn) => {
        const outcome = await parityOf(drawn);
        fc.pre(outcome !== undefined);

        expect(outcome.report.difference).toBeUndefined();
        expect(outcome.disagreements).toEqual([]);
        found.runs += 1;
        found.orders += outcome.report.counts.orders;
        found.fills += outcome.report.counts.fills;
        found.forced += outcome.forcedFills;
      }),
      { numRuns: paritySequences(), endOnFailure: true },
    );

    console.info(`over HTTP: ${JSON.stringify(found)}`);
    expect(found.runs).toBe(paritySequences());
    expect(found.fills).toBeGreaterThan(0);
  }, 3_600_000);

  it('over HTTP with lost answers: each order is resolved within a minute, never doubled or oversold', async () => {
    const found = { runs: 0, orders: 0, fills: 0, lost: 0 };
    const drawnRuns = drawnRunsOf(sequenceReplays({ minLength: 20, maxLength: 60 }));
    const faults = fc
      .record({
        fault: fc.constantFrom('answer-lost', 'reset-after'),
        probability: fc.constantFrom(0.2, 0.5, 1),
        count: fc.integer({ min: 1, max: 10 }),
      })
      .map((rule) => [{ ...rule, endpoints: [...LOSABLE] }]);

    await fc.assert(
      fc.asyncProperty(drawnRuns, faults, async (drawn, rules) => {
        const laws = new JournalLaws(drawn.replay.run.config);
        const outcome = await parityOf(drawn, { faults: rules, kept: laws });
        fc.pre(outcome !== undefined);

        expect(outcome.disagreements).toEqual([]);
        expect(laws.soughtSince(outcome.to - MINUTE_MS)).toEqual([]);
        found.runs += 1;
        found.lost += laws.lost;
        found.fills += laws.fills;
        found.orders += outcome.report.counts.orders;
      }),
      { numRuns: paritySequences(), endOnFailure: true },
    );

    console.info(`over HTTP with lost answers: ${JSON.stringify(found)}`);
    if (paritySequences() >= 20) expect(found.lost).toBeGreaterThan(0);
  }, 3_600_000);
});
