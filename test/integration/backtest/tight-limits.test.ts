import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

import type { BacktestConfig } from '../../../src/assembly/index.js';
import { openArchive } from '../../../src/archive/index.js';
import {
  absFixed,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  type EpochMs,
  type InstrumentId,
} from '../../../src/domain/index.js';
import { buildResult, renderSummary, type RunRecord } from '../../../src/report/index.js';
import { PROTECTION_CHECKS, type ProtectionConfig } from '../../../src/risk/index.js';
import type { StrategyClass, Verdict } from '../../../src/strategy/index.js';
import { loadScenario, playScenario } from '../../support/scenario.js';

const EXAMPLES = readdirSync(resolve(import.meta.dirname, '../../../strategies'));

/** Limits that every example reaches, and within which it can trade. */
const TIGHT: ProtectionConfig = {
  tradingHours: [{ days: [1, 2, 3, 4, 5], from: 6 * 60, to: 20 * 60 }],
  cooldownAfterStopMs: 2 * DAY_MS,
  minEntryIntervalMs: 12 * HOUR_MS,
  maxOrdersPerDay: 4,
  maxDailyLossRatio: parseFixed('0.01'),
  maxDrawdownRatio: parseFixed('0.04'),
  drawdownWindowMs: 5 * DAY_MS,
  haltMs: 2 * DAY_MS,
};

/** Parameters with which these examples lose enough to reach the limits. */
const BOLDER: Readonly<Record<string, BacktestConfig['strategy']['parameters']>> = {
  martingale: { stake: 4_000 },
  quoter: { lot: 300, bound: 600 },
  twap: { stake: 9_500, hours: 1, slices: 2 },
};

/** Limits for examples that trade at one time of the week outside the hours above. */
const OTHER_LIMITS: Readonly<Record<string, ProtectionConfig>> = {
  weights: { tradingHours: [{ days: [1], from: 0, to: 20 * 60 }] },
};

/** The same strategy, and the verdicts that it received. */
function watched(strategyClass: StrategyClass): {
  readonly strategyClass: StrategyClass;
  readonly verdicts: readonly Verdict[];
} {
  const verdicts: Verdict[] = [];
  class Watched extends strategyClass {
    override onVerdict(verdict: Verdict): void {
      verdicts.push(verdict);
    }
  }
  return { strategyClass: Watched, verdicts };
}

async function playTight(name: string, onHalt: 'block' | 'flatten') {
  const scenario = await loadScenario(name);
  const { strategyClass, verdicts } = watched(scenario.strategyClass);
  const { risk } = scenario.config;
  const { strategy } = scenario.config;
  const config = {
    ...scenario.config,
    strategy: { ...strategy, parameters: { ...strategy.parameters, ...BOLDER[name] } },
    risk: { ...risk, protections: { ...TIGHT, ...OTHER_LIMITS[name], onHalt } },
  };
  const archive = openArchive(config.simulation.archive);
  const record = await playScenario({ ...scenario, config, strategyClass }, archive);
  return { record, verdicts };
}

describe.each(EXAMPLES)('%s under tight limits', (name) => {
  it('is refused entries, and never an exit', async () => {
    const { record, verdicts } = await playTight(name, 'block');

    const guards = new Set<string>(PROTECTION_CHECKS);
    const refused = record.refusals.filter(({ refusal }) => guards.has(refusal.check));
    const refusedExits = verdicts.filter(
      ({ intent, decision }) =>
        intent.kind !== 'enter' &&
        decision.kind === 'refused' &&
        guards.has(decision.refusal.check),
    );
    const closes = [...record.fills].filter(({ record: fill }) => fill.action === 'close');
    const summary = renderSummary(buildResult(record), { color: false, width: 200 });

    expect(new Set(refused.map(({ refusal }) => refusal.check)).size).toBeGreaterThan(1);
    expect(refusedExits).toEqual([]);
    expect(closes.length).toBeGreaterThan(0);
    expect(record.residual).toBe(0n);
    for (const { refusal } of refused) expect(summary).toContain(`× ${refusal.check};`);
  });

  it('is flat from a minute after each flattening halt until the halt ends', async () => {
    const { record } = await playTight(name, 'flatten');

    expect(record.halts.length).toBeGreaterThan(0);
    for (const { since, until = Infinity } of record.halts) {
      expect(heldAt(record, since + MINUTE_MS)).toEqual([]);
      expect(heldAt(record, until - 1)).toEqual([]);
    }
  });
});

/** Instruments of which at least one step is held at the time. */
function heldAt(
  { fills, financings, instruments }: RunRecord,
  time: EpochMs,
): readonly InstrumentId[] {
  return instruments
    .map(({ id }) => id)
    .filter((id) => {
      const own = [...fills].filter(
        ({ record: fill }) => fill.instrumentId === id && fill.eventTime <= time,
      );
      const held = own.reduce((sum, { record: { side, quantity, fee, feeAsset } }) => {
        const got = feeAsset === 'USDT' ? quantity : quantity - fee;
        return side === 'buy' ? sum + got : sum - quantity;
      }, 0n);
      // Interest in the base asset is bought back together with the debt of a short.
      const accrued = financings
        .filter((financing) => financing.instrumentId === id && financing.time <= time)
        .reduce((sum, financing) => sum + financing.accrued.quantity, 0n);
      // Dust of earlier trades adds up. A position counts only if it can be sold.
      const step = own.at(-1)?.step ?? 0n;
      const net = absFixed(held - accrued);
      return net >= step && net > 0n;
    });
}
