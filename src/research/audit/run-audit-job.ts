import { createHash } from 'node:crypto';
import {
  listWarmups,
  prepareMarket,
  replayMarket,
  TraceJournal,
  type LoadedMarket,
  type RunOptions,
} from '../../assembly/backtest/index.js';
import { InvariantError, TradingError, type EpochMs } from '../../domain/index.js';
import { buildResult, writeResult } from '../../report/index.js';
import { openSnapshot, type MarketSnapshot } from '../trials/market-snapshot.js';
import { describeFailure, summarize } from '../trials/run-trial.js';
import type { AuditJob, AuditRun } from './audit-job.js';
import { changeMarket } from './market-change.js';
import { NamedRules, revisionOf } from './intent-change.js';
import { observeStrategy, type ObservedStrategy } from './observe-strategy.js';

/** Inputs that all runs of an audit share in one thread. */
export interface AuditGround extends Pick<RunOptions, 'strategyClass' | 'sourceHash' | 'breathe'> {
  /** Market of the whole range, with finer candles if runs walk them. */
  readonly snapshot: MarketSnapshot;
}

type Observer = Pick<ObservedStrategy, 'strategyClass'> & Partial<ObservedStrategy>;

/**
 * Runs one job. An error or a refusal of the strategy is an outcome, and the trace has the steps before it.
 *
 * @throws {InvariantError} and other errors that are no fault of a strategy.
 */
export async function runAuditJob(ground: AuditGround, job: AuditJob): Promise<AuditRun> {
  const market = await openMarket(ground, job);
  const observer = observerOf(ground, job);
  const { strategyClass, fields = () => ({}), drawsRandom = () => false } = observer;
  const { config, keepsWants = false } = job;
  let held: AuditRun['fields'] | undefined;
  const from = config.simulation.from ?? Number.NEGATIVE_INFINITY;
  const journal = new TraceJournal({
    keepsWants,
    onSlice: (time: EpochMs) => {
      if (time > from) held ??= fields();
    },
  });
  const { sourceHash, breathe } = ground;
  const warmups =
    job.listsWarmups === true
      ? listWarmups({ config, strategyClass, terms: market.terms }, config.simulation.from ?? 0)
      : [];
  const heard = new NamedRules();
  const reviseIntent = job.listsRules === true ? heard.note : revisionOf(job.intents, config);
  const finish = (ended: Pick<AuditRun, 'outcome' | 'bytes'>): AuditRun => ({
    ...ended,
    trace: journal.trace,
    fields: held ?? {},
    drawsRandom: drawsRandom(),
    rules: heard.list,
    warmups,
  });
  try {
    const run = { config, strategyClass, sourceHash, breathe, journal, reviseIntent };
    const record = await replayMarket(market, run);
    const text = writeResult(buildResult(record));
    const bytes = createHash('sha256').update(text).digest('hex');
    return finish({ outcome: summarize(record), bytes });
  } catch (error: unknown) {
    if (!(error instanceof TradingError) || error instanceof InvariantError) throw error;
    return finish({ outcome: describeFailure(error), bytes: undefined });
  } finally {
    await market.close();
  }
}

function observerOf({ strategyClass }: AuditGround, job: AuditJob): Observer {
  const { leastWarmup, isObserved = leastWarmup !== undefined } = job;
  return isObserved ? observeStrategy(strategyClass, leastWarmup) : { strategyClass };
}

async function openMarket(
  { snapshot }: AuditGround,
  { config, change, order }: AuditJob,
): Promise<LoadedMarket> {
  const held = change === undefined ? snapshot : changeMarket(snapshot, change);
  const market = await prepareMarket(config, openSnapshot(held));
  const count = market.series.length;
  if (order === 'reversed') return orderBy(market, (place) => count - place);
  return order === 'rotated' ? orderBy(market, (place) => (place + 1) % count) : market;
}

/** Changes the order of the instruments' candles at one instant. The candles of each instrument stay in order. */
function orderBy(market: LoadedMarket, placeOf: (place: number) => number): LoadedMarket {
  const series = market.series.map((each) => ({
    ...each,
    configIndex: placeOf(each.configIndex),
  }));
  return { ...market, series };
}
