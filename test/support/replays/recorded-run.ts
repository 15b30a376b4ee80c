import fc from 'fast-check';

import type { Archive } from '../../../src/archive/index.js';
import { createEngine } from '../../../src/assembly/create-engine.js';
import {
  readTerms,
  replayBacktest,
  type BacktestConfig,
  type MarketTerms,
  type RunBegin,
} from '../../../src/assembly/index.js';

import { HOUR_MS, MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import type { ProtectionConfig } from '../../../src/risk/index.js';
import type { JournalEntry } from '../../../src/engine/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import type { MakeEngine } from './cut-run.js';
import { ForgetfulTrader } from '../strategies/forgetful-trader.js';

/** Protections that keep state, with limits that random trading reaches. */
export const rememberingProtections: fc.Arbitrary<ProtectionConfig> = fc.record(
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

export interface RecordedRun {
  readonly entries: readonly JournalEntry[];
  readonly make: MakeEngine;
  readonly begin: RunBegin;
  readonly terms: MarketTerms;
}

/** Runs a config and returns every event of its engine, and how to make an engine for them. */
export async function recordRun(
  config: BacktestConfig,
  archive: Archive,
  strategyClass: StrategyClass = ForgetfulTrader,
): Promise<RecordedRun> {
  const entries: JournalEntry[] = [];
  let begin: RunBegin = { constructed: 0, started: 0, terms: '' };
  await replayBacktest({
    config,
    archive,
    strategyClass,
    sourceHash: '',
    journal: { append: (event, commands, intents) => entries.push({ event, commands, intents }) },
    onBegin: (found) => {
      begin = found;
    },
  });
  const terms = await readTerms(config, archive);
  const make: MakeEngine = (from) => {
    const engine = createEngine({
      config,
      terms,
      strategyClass,
      constructed: from?.time ?? begin.constructed,
      checkpoint: from?.checkpoint,
    });
    engine.construct();
    engine.start(from?.time ?? begin.started);
    return engine;
  };
  return { entries, make, begin, terms };
}
