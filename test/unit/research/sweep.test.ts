import { readFile, truncate } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  buildSweep,
  KnownTrials,
  listGrid,
  momentsOf,
  objectiveOf,
  parseGrid,
  requireListed,
  ReturnsReader,
  runCombinations,
  sharpeOf,
  sweepSchema,
  TrialCrash,
  TrialLedger,
  trialRecordSchema,
  writeDocument,
  type Combination,
  type SweepPlan,
  type SweepProgress,
  type TrialOutcome,
  type TrialRunner,
} from '../../../src/research/index.js';
import { STRATEGY } from '../../../src/strategy/index.js';
import { aPlan, aTrialGround, Cross, inlineRunner } from '../../support/research/trial-ground.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SPACE = requireListed(parseGrid('fast=5:15:5,slow=10:40:10', Cross[STRATEGY].parameters));
const COMBINATIONS = listGrid(SPACE);
const DAY_MS = 86_400_000;
/** End time of every trial. */
const ENDED = 1_750_000_000_000;

interface Sweeping {
  readonly plan: SweepPlan;
  readonly runner: TrialRunner;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SweepProgress) => void;
}

/** Opens the ledger of a folder, sweeps, and closes it, like the command. */
async function sweepIn(
  folder: string,
  { plan, ...rest }: Sweeping,
): Promise<readonly TrialOutcome[]> {
  const file = path.join(folder, 'data.trials.jsonl');
  const known = new KnownTrials(file, plan.inputs, new Set(plan.ids));
  const ledger = await TrialLedger.open({ file, onLine: known.look });
  try {
    return await runCombinations({ plan, ledger, known, now: () => ENDED, ...rest });
  } finally {
    await ledger.close();
  }
}

function documentOf(plan: SweepPlan, outcomes: readonly TrialOutcome[]): string {
  const goal = { ...objectiveOf('sharpe'), constraints: [] };
  const generations = [outcomes.length];
  return writeDocument(
    buildSweep({
      plan,
      space: SPACE,
      method: 'grid',
      seed: undefined,
      goal,
      generations,
      outcomes,
    }),
  );
}

const linesOf = async (folder: string): Promise<number> =>
  (await readFile(path.join(folder, 'data.trials.jsonl'), 'utf8')).split('\n').length - 1;

describe('runSweep', () => {
  it('records the end and the return moments of each trial, and its daily returns beside the ledger', async () => {
    const folder = await temporaryFolder();
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);

    const outcomes = await sweepIn(folder, { plan, runner: inlineRunner(ground) });

    const file = path.join(folder, 'data.trials.jsonl');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const records = lines.map((line) => trialRecordSchema.parse(JSON.parse(line)));
    const reader = await ReturnsReader.open(file);
    let [finished, ranked] = [0, 0];
    for (const { id, outcome, at, moments, returns } of records) {
      expect(at).toBe(ENDED);
      if (outcome.status === 'failed') {
        expect([moments, returns]).toEqual([undefined, undefined]);
        continue;
      }
      finished += 1;
      const kept = await reader.read(id, returns ?? NaN);
      // The first whole day begins at the first midnight.
      expect(kept?.from).toBe((Math.ceil(outcome.from / DAY_MS) + 1) * DAY_MS);
      expect(momentsOf(kept?.values ?? [])).toEqual(moments);
      const { sharpe } = outcome.statistics;
      if (sharpe === null) continue;
      ranked += 1;
      expect(moments && Math.sqrt(365) * sharpeOf(moments)).toBeCloseTo(sharpe, 10);
    }
    await reader.close();
    expect(ranked).toBeGreaterThan(0);
    expect(finished).toBe(outcomes.filter(({ status }) => status === 'finished').length);
  });

  it('returns one outcome per combination in grid order, for any number of jobs', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);
    // Later combinations end earlier.
    let wait = Promise.resolve();
    const late = (): Promise<void> => {
      const before = wait;
      wait = before.then(() => undefined);
      return before;
    };
    const one = inlineRunner(ground);
    const four = inlineRunner(ground, 4, late);

    const alone = await sweepIn(await temporaryFolder(), { plan, runner: one });
    const together = await sweepIn(await temporaryFolder(), { plan, runner: four });

    expect(alone).toHaveLength(12);
    expect(documentOf(plan, together)).toBe(documentOf(plan, alone));
    expect(new Set(one.tried)).toEqual(new Set(COMBINATIONS.map(({ parameters }) => parameters)));
  });

  it('gives each job a second combination in advance, except for the last combinations', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);
    const inline = inlineRunner(ground);
    const inHand: number[] = [];
    let count = 0;
    const runner: TrialRunner = {
      ...inline,
      jobs: 2,
      run: async (job) => {
        count += 1;
        inHand.push(count);
        const outcome = await inline.run(job);
        count -= 1;
        return outcome;
      },
    };

    await sweepIn(await temporaryFolder(), { plan, runner });

    expect(inHand).toHaveLength(12);
    expect(Math.max(...inHand)).toBe(4);
    // Two jobs hold two combinations each. The last ones are handed out only when a job is free, so two are in hand at the end.
    expect(inHand.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(inHand.slice(-2)).toEqual([2, 2]);
  });

  it('reports a combination that its strategy refuses, and continues', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);

    const outcomes = await sweepIn(await temporaryFolder(), { plan, runner: inlineRunner(ground) });

    // 10 and 15 are not below 10.
    expect(outcomes.map(({ status }) => status === 'failed')).toEqual(
      COMBINATIONS.map(({ parameters: { fast, slow } }) => Number(fast) >= Number(slow)),
    );
    expect(outcomes[4]).toMatchObject({
      status: 'failed',
      code: 'E_STRATEGY_START',
      message: expect.stringContaining('fast must be below slow'),
    });
  });

  it('writes a document that matches its schema', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);

    const outcomes = await sweepIn(await temporaryFolder(), { plan, runner: inlineRunner(ground) });

    const text = documentOf(plan, outcomes);
    const sweep = sweepSchema.parse(JSON.parse(text));
    expect(writeDocument(sweep)).toBe(text);
    // After a warm-up of 30 candles a month has fewer than 30 daily returns.
    expect(sweep.counts).toEqual({ combinations: 12, finished: 10, failed: 2, unranked: 6 });
    expect(sweep.trials.map(({ parameters }) => parameters)).toEqual(
      COMBINATIONS.map(({ parameters }) => parameters),
    );
    expect(sweep.best?.figure).toBe(
      Math.max(
        ...sweep.trials.map((trial) =>
          trial.status === 'finished' ? (trial.statistics.sharpe ?? -Infinity) : -Infinity,
        ),
      ),
    );
  });

  it('does not store a crashed trial in the ledger, and runs it again later', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS.slice(0, 3));
    const folder = await temporaryFolder();
    let crashes = 1;
    const onRun = ({ slow }: Combination['parameters']): void => {
      if (slow === 20 && crashes-- > 0) throw new TrialCrash('worker exited with code: 1');
    };

    const first = await sweepIn(folder, { plan, runner: inlineRunner(ground, 1, onRun) });
    const lines = await linesOf(folder);
    const again = inlineRunner(ground, 1, onRun);
    const second = await sweepIn(folder, { plan, runner: again });

    expect(first[1]).toEqual({
      status: 'failed',
      code: 'E_TRIAL_CRASHED',
      message: 'worker exited with code: 1',
    });
    expect(lines).toBe(2);
    expect(again.tried).toEqual([{ fast: 5, slow: 20 }]);
    expect(second[1]).toMatchObject({ status: 'finished' });
  });

  it('rejects with an error that is not a crash of a trial', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);
    const runner = inlineRunner(ground, 2, ({ slow }) => {
      if (slow === 30) throw new Error('no plugin');
    });

    await expect(sweepIn(await temporaryFolder(), { plan, runner })).rejects.toThrow('no plugin');
    expect(runner.tried.length).toBeLessThan(4);
  });

  it('reports its progress', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);
    const seen: SweepProgress[] = [];

    await sweepIn(await temporaryFolder(), {
      plan,
      runner: inlineRunner(ground),
      onProgress: (progress) => {
        seen.push(progress);
      },
    });

    expect(seen[0]).toEqual({ done: 0, ran: 0, failed: 0, total: 12 });
    expect(seen).toHaveLength(13);
    expect(seen.at(-1)).toEqual({ done: 12, ran: 12, failed: 2, total: 12 });
  });
});

describe('a sweep that is interrupted', () => {
  it('stops, keeps finished trials, and resumes to the same bytes', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);
    const folder = await temporaryFolder();
    const interrupt = new AbortController();
    const first = inlineRunner(ground, 1, () => {
      if (first.tried.length === 5) interrupt.abort(new Error('interrupted'));
    });

    await expect(
      sweepIn(folder, { plan, runner: first, signal: interrupt.signal }),
    ).rejects.toThrow('interrupted');
    const kept = await linesOf(folder);
    const second = inlineRunner(ground);
    const outcomes = await sweepIn(folder, { plan, runner: second });

    expect(first.isClosed()).toBe(true);
    // One more trial was running.
    expect(kept).toBe(first.tried.length);
    expect(kept).toBeLessThan(7);
    expect(second.tried).toHaveLength(12 - kept);
    const whole = await sweepIn(await temporaryFolder(), { plan, runner: inlineRunner(ground) });
    expect(documentOf(plan, outcomes)).toBe(documentOf(plan, whole));
  });

  it('does not start with an aborted signal', async () => {
    const ground = await aTrialGround();
    const runner = inlineRunner(ground);
    const signal = AbortSignal.abort(new Error('interrupted'));

    await expect(
      sweepIn(await temporaryFolder(), { plan: aPlan(ground, COMBINATIONS), runner, signal }),
    ).rejects.toThrow('interrupted');
    expect(runner.tried).toEqual([]);
  });

  it('resumes after a crash that tore the ledger', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);
    const folder = await temporaryFolder();
    const whole = await sweepIn(folder, { plan, runner: inlineRunner(ground) });
    const file = path.join(folder, 'data.trials.jsonl');
    const text = await readFile(file, 'utf8');
    // Within the eighth line.
    const at = text.split('\n').slice(0, 7).join('\n').length + 100;
    await truncate(file, at);

    const runner = inlineRunner(ground);
    const outcomes = await sweepIn(folder, { plan, runner });

    expect(runner.tried).toHaveLength(5);
    expect(documentOf(plan, outcomes)).toBe(documentOf(plan, whole));
  });

  it('runs all trials again on other data, another configuration or another source', async () => {
    const ground = await aTrialGround();
    const plan = aPlan(ground, COMBINATIONS);
    const folder = await temporaryFolder();
    await sweepIn(folder, { plan, runner: inlineRunner(ground) });
    const { config } = ground;
    const poorer = { ...config, simulation: { ...config.simulation, seed: 2 } };
    const [series] = ground.market.series;
    if (series === undefined) throw new Error('no series');
    const info = { ...series.info, columnsSha256: 'f'.repeat(64) };
    const others = [
      { ...ground, config: poorer },
      { ...ground, sourceHash: 'b'.repeat(64) },
      { ...ground, market: { ...ground.market, series: [{ ...series, info }] } },
    ];

    for (const other of others) {
      const runner = inlineRunner(other);
      await sweepIn(folder, { plan: aPlan(other, COMBINATIONS), runner });
      expect(runner.tried).toHaveLength(12);
    }
    const again = inlineRunner(ground);
    await sweepIn(folder, { plan, runner: again });
    expect(again.tried).toEqual([]);
  });
});
