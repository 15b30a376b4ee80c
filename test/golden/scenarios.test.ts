import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openArchive, type Archive } from '../../src/archive/index.js';
import { buildResult, parseResult, writeResult } from '../../src/report/index.js';
import { compareTrades, type ComparedTrades } from '../support/example-trades.js';
import { goldenOf, isWritingGolden, readGolden, writeGolden } from '../support/golden.js';
import { loadScenario, playScenario, scenarioNames, type Scenario } from '../support/scenario.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** Plays a scenario with all inputs read again, as a second process would. */
async function playAnew(
  name: string,
  open: (directory: string) => Archive,
): Promise<{
  readonly text: string;
  readonly golden: string;
  readonly reasons: readonly unknown[];
  readonly compareTrades: () => Promise<ComparedTrades>;
}> {
  const scenario: Scenario = await loadScenario(name);
  const archive = open(scenario.config.simulation.archive);
  const record = await playScenario(scenario, archive);
  const result = buildResult(record);
  const ended = result.orders.filter(({ status }) => /canceled|rejected|expired/.test(status));
  const reasons = ended.map(({ reason }) => reason);
  return {
    ...{ text: writeResult(result), golden: goldenOf(result), reasons },
    compareTrades: () => compareTrades(record, scenario.config, archive),
  };
}

/** An archive that never loads a series as a whole, as if it had a hundred years. */
function openInBlocks(directory: string): Archive {
  const archive = openArchive(directory);
  const inBlocks = { wholeRows: 0, blockRows: 100 };
  return {
    ...archive,
    open: (id, interval, options) => archive.open(id, interval, { ...options, ...inBlocks }),
    openMarks: (id, interval, options) =>
      archive.openMarks(id, interval, { ...options, ...inBlocks }),
  };
}

describe('the scenarios', () => {
  it.each(scenarioNames())('%s gives the same bytes twice, and its golden result', async (name) => {
    const first = await playAnew(name, openArchive);
    const second = await playAnew(name, openInBlocks);

    expect(second.text).toBe(first.text);
    if (isWritingGolden()) writeGolden(name, first.golden);
    expect(first.golden).toBe(readGolden(name));
    expect(first.golden).toContain('"residual": "0"');
    // A code of the venue, negative except for 10015, or a name.
    for (const reason of first.reasons) expect(reason).toMatch(/^(-\d+|10015|[a-z]+(-[a-z]+)+)$/);
    const { result, listed, workedOut } = await first.compareTrades();
    expect(listed).toEqual(workedOut);
    const text = writeResult(result);
    expect(writeResult(parseResult(text, name))).toBe(text);
    expect(listed.trades.filter(({ open }) => !open)).toHaveLength(result.statistics.trades);
    // All its money is in the equity currency, except coins as margin of inverse contracts.
    if (!name.startsWith('coin-hedge')) expect(result.tradeTotals?.other).toBe('0');
  });

  it('run every example strategy', () => {
    const scenarios = scenarioNames();

    const untested = readdirSync(resolve(ROOT, 'strategies')).filter(
      (strategy) => !scenarios.includes(strategy),
    );

    expect(untested).toEqual([]);
  });

  it('all have a golden result, and there is no other golden result', () => {
    const golden = readdirSync(resolve(ROOT, 'backtest/golden')).map((file) =>
      file.replace(/\.json$/, ''),
    );

    expect(golden.toSorted()).toEqual(scenarioNames());
  });
});
