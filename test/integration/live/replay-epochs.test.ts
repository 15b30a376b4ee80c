import { describe, expect, it, onTestFinished } from 'vitest';

import { createEngine } from '../../../src/assembly/create-engine.js';
import {
  describeEpoch,
  readTerms,
  replayJournal,
  replayBacktest,
  type MarketTerms,
  type RunBegin,
  type RunInputs,
} from '../../../src/assembly/index.js';

import { DAY_MS, parseFixed } from '../../../src/domain/index.js';
import { readJournal, type EpochHeader, type JournalReader } from '../../../src/journal/index.js';
import type { JournalEntry } from '../../../src/engine/index.js';
import { openArchive } from '../../../src/archive/index.js';
import { ForgetfulTrader } from '../../support/strategies/forgetful-trader.js';
import { aJournal, journalFile } from '../../support/journal/journal.js';
import { loadScenario } from '../../support/scenario.js';

const RUN = { mode: 'backtest', source: { configFile: '/bot.yaml', set: [] } } as const;

interface RecordedRun {
  readonly inputs: RunInputs;
  readonly terms: MarketTerms;
  readonly begin: RunBegin;
  readonly entries: readonly JournalEntry[];
}

/** Some days of random trades on a contract. */
async function recordRun(): Promise<RecordedRun> {
  const { config: scenario } = await loadScenario('channel-flip');
  const from = scenario.simulation.from ?? 0;
  const config = {
    ...scenario,
    strategy: { ...scenario.strategy, parameters: { activity: 0.3, money: 50_000_000 } },
    simulation: { ...scenario.simulation, from, to: from + 10 * DAY_MS },
  };
  const archive = openArchive(config.simulation.archive);
  const entries: JournalEntry[] = [];
  const begins: RunBegin[] = [];
  const inputs = { config, strategyClass: ForgetfulTrader, sourceHash: 'forgetful' };
  await replayBacktest({
    ...inputs,
    archive,
    journal: { append: (event, commands) => entries.push({ event, commands }) },
    onBegin: (begin) => begins.push(begin),
  });
  const [begin] = begins;
  if (begin === undefined) throw new Error('expected the run to have begun');
  return { inputs, terms: await readTerms(config, archive), begin, entries };
}

/** The journal of a bot that ended in the middle of the run, while it held a position, and started again there. */
async function twoEpochs({ inputs, terms, begin, entries }: RecordedRun): Promise<JournalReader> {
  const file = await journalFile();
  const journal = await aJournal(file, { commits: 'grouped' });
  journal.beginEpoch(describeEpoch(inputs, begin, RUN));
  const first = createEngine({ ...inputs, terms, journal, constructed: begin.constructed });
  first.construct();
  first.start(begin.started);
  const rest = [...entries];
  while (rest.length > 0 && (rest.length > entries.length / 2 || !first.portfolio.isExposed)) {
    const [{ event } = entries[0] as JournalEntry] = rest.splice(0, 1);
    first.process(event);
  }
  const checkpoint = first.checkpoint();
  first.stop();
  journal.closeEpoch('stopped', checkpoint);

  const now = { constructed: first.now(), started: first.now(), terms: terms.hash };
  journal.beginEpoch(describeEpoch(inputs, now, { ...RUN, checkpoint }));
  const second = createEngine({
    ...{ ...inputs, terms, journal, checkpoint },
    constructed: now.constructed,
  });
  second.construct();
  second.start(now.started);
  for (const { event } of rest) second.process(event);
  second.stop();
  journal.closeEpoch('stopped', second.checkpoint());
  journal.close();

  const reader = await readJournal(file);
  onTestFinished(() => {
    reader.close();
  });
  return reader;
}

describe('replay of a journal of two epochs', () => {
  it('gives the commands of each epoch, the second from the end of the first', async () => {
    const run = await recordRun();
    const reader = await twoEpochs(run);

    const outcomes = await Promise.all(
      reader.epochs().map((epoch) =>
        replayJournal({
          ...{ ...run.inputs, terms: run.terms, epoch },
          entries: reader.entries(epoch),
        }),
      ),
    );

    const [, second] = reader.epochs();
    expect(second?.header.checkpoint.positions).toContainEqual(
      expect.objectContaining({ isHeld: true }),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['identical', 'identical']);
    expect(outcomes.every(({ commands }) => commands > 2)).toBe(true);
  });

  it.each<
    readonly [string, (before: EpochHeader['checkpoint']) => Partial<EpochHeader['checkpoint']>]
  >([
    ['number of intents', ({ lastIntentId }) => ({ lastIntentId: lastIntentId + 1 })],
    [
      'balance',
      ({ balances }) => ({
        balances: balances.map((balance) => ({ ...balance, total: parseFixed('1') })),
      }),
    ],
  ])('detects a second epoch that begins with another %s', async (_what, change) => {
    const run = await recordRun();
    const reader = await twoEpochs(run);
    const [, epoch] = reader.epochs();
    if (epoch === undefined) throw new Error('expected two epochs');
    const { checkpoint } = epoch.header;
    const header = { ...epoch.header, checkpoint: { ...checkpoint, ...change(checkpoint) } };

    const outcome = await replayJournal({
      ...{ ...run.inputs, terms: run.terms },
      epoch: { ...epoch, header },
      entries: reader.entries(epoch),
    });

    expect(outcome.kind).toBe('diverged');
  });

  it('detects an epoch whose stored ending was altered', async () => {
    const run = await recordRun();
    const reader = await twoEpochs(run);
    const [epoch] = reader.epochs();
    if (epoch?.ending === undefined) throw new Error('expected an epoch with its ending');
    const { lastIntentId } = epoch.ending;

    const outcome = await replayJournal({
      ...{ ...run.inputs, terms: run.terms },
      epoch: { ...epoch, ending: { ...epoch.ending, lastIntentId: lastIntentId + 1 } },
      entries: reader.entries(epoch),
    });

    expect(outcome).toMatchObject({
      kind: 'diverged',
      divergence: {
        what: 'ending',
        expected: `lastIntentId {"lastIntentId":${String(lastIntentId + 1)}}`,
        received: `{"lastIntentId":${String(lastIntentId)}}`,
      },
    });
  });
});
