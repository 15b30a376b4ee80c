import { describe, expect, it } from 'vitest';

import type { Journal } from '../../../src/runtime/index.js';
import { runConfig, type ParityCase } from '../../support/parity/run-config.js';

const EXAMPLES = 'config';
const SCENARIOS = 'backtest/scenarios';

/** Short ranges with at least 20 fills each: spot, linear, inverse; several instruments, several intervals. */
const CASES: readonly (ParityCase & { readonly what: string; readonly cancels?: number })[] = [
  { what: 'market orders', config: `${EXAMPLES}/sma-crossover.backtest.yaml`, to: '2024-08-05' },
  {
    what: 'market orders without latency',
    config: `${EXAMPLES}/sma-crossover.backtest.yaml`,
    to: '2024-08-05',
    set: ['simulation.latencyMs=0'],
  },
  {
    what: 'limit orders and their cancels',
    config: `${EXAMPLES}/rsi-mean-reversion.backtest.yaml`,
    to: '2024-09-29',
    cancels: 1,
  },
  {
    what: 'a linear contract, random latency',
    config: `${EXAMPLES}/channel-flip.backtest.yaml`,
    to: '2025-05-20',
  },
  { what: 'an inverse contract', config: `${EXAMPLES}/coin-hedge.backtest.yaml`, to: '2025-05-28' },
  {
    what: 'several pairs without latency',
    config: `${SCENARIOS}/rotation-instant.yaml`,
    to: '2024-10-10',
  },
  { what: 'orders in parts', config: `${SCENARIOS}/sma-crossover-resend.yaml`, to: '2024-07-28' },
  {
    what: 'orders split at maxima',
    config: `${SCENARIOS}/sma-crossover-limits.yaml`,
    to: '2024-07-20',
  },
  {
    what: 'stops on a path that visits the high first',
    config: `${SCENARIOS}/rsi-mean-reversion-touch.yaml`,
    from: '2025-01-01',
    to: '2025-03-01',
    cancels: 1,
  },
  {
    what: 'stops on a path that is chosen before they move',
    config: `${SCENARIOS}/breakout-trail-slow.yaml`,
    to: '2024-08-16',
    set: ['simulation.path=greedy-high', 'strategy.parameters.stopRanges=5'],
  },
  {
    what: 'mark prices that are told late',
    config: `${SCENARIOS}/channel-flip.yaml`,
    to: '2025-05-20',
    set: ['simulation.path=greedy-low', 'simulation.dataDelayMs=1500'],
  },
];

describe('parity', () => {
  it.each(CASES)('of $what', { timeout: 120_000 }, async ({ cancels = 0, ...options }) => {
    const { report } = await runConfig(options);

    expect(report.difference).toBeUndefined();
    expect(report.counts.fills).toBeGreaterThanOrEqual(20);
    expect(report.counts.cancels).toBeGreaterThanOrEqual(cancels);
  });

  it.each([
    { what: 'at once', leverage: '20', to: '2025-05-08', candles: '96' },
    { what: 'in steps', leverage: '50', to: '2025-05-08', candles: '40' },
  ])('of liquidations $what', { timeout: 120_000 }, async ({ leverage, to, candles }) => {
    let forced = 0;
    const journal: Journal = {
      append: (event) => {
        if (event.kind === 'venue' && event.update.kind === 'forced-fill') forced += 1;
      },
    };
    const { report } = await runConfig({
      journal,
      config: `${SCENARIOS}/channel-flip-liquidated.yaml`,
      to,
      set: [
        `strategy.parameters.channelCandles=${candles}`,
        'strategy.parameters.rangeCandles=150',
        `instruments.0.leverage=${leverage}`,
      ],
    });

    expect(report.difference).toBeUndefined();
    expect(forced).toBeGreaterThan(0);
  });

  it('of refusals', { timeout: 60_000 }, async () => {
    const { report } = await runConfig({
      config: `${EXAMPLES}/sma-crossover.backtest.yaml`,
      to: '2024-08-05',
      set: ['risk.maxOrderNotional="9600"', 'risk.maxOrdersPerDay=2'],
    });

    expect(report.difference).toBeUndefined();
    expect(report.counts.refusals).toBeGreaterThan(0);
  });
});
