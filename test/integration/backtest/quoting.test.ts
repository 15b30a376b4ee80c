import { describe, expect, it } from 'vitest';

import { HOUR_MS, type Candle } from '../../../src/domain/index.js';
import { CandleStrategy, type StrategyClass, type Verdict } from '../../../src/strategy/index.js';
import { constantLatency } from '../../support/backtest-config.js';
import {
  aContract,
  aMarginPair,
  aSpotPair,
  runHours,
  type Hours,
} from '../../support/hourly-run.js';

/** Half a year. */
const HOURS = 24 * 182;

/** A price that swings by several percent, so that bids and asks around it fill now and then. */
function swingingHours(): Hours {
  const closeAt = (hour: number): number =>
    Math.round((100 + 4 * Math.sin(hour / 7) + 2 * Math.sin(hour / 2.3)) * 100) / 100;
  return Object.fromEntries(
    Array.from({ length: HOURS }, (_, hour) => {
      const [open, close] = [closeAt(hour), closeAt(hour + 1)];
      return [hour, [open, Math.max(open, close) + 0.3, Math.min(open, close) - 0.3, close]];
    }),
  );
}

interface Wanted {
  readonly time: number;
  /** `sent`, or the name of the check that refused it. Undefined before the verdict. */
  fate: string | undefined;
}

/** Cancels both sides of its quote with each candle, and quotes again. The ask closes the whole position, the bid adds to it. */
function aQuoter(): {
  readonly strategyClass: StrategyClass;
  readonly exits: ReadonlyMap<number, Wanted>;
} {
  const exits = new Map<number, Wanted>();
  class Quoter extends CandleStrategy({}) {
    override onVerdict({ intentId, decision }: Verdict): void {
      const wanted = exits.get(intentId);
      if (wanted === undefined) return;
      expect(wanted.fate).toBeUndefined();
      wanted.fate = decision.kind === 'refused' ? decision.refusal.check : 'sent';
    }

    override onCandle({ close }: Candle): void {
      this.cancel({ label: 'bid' });
      this.cancel({ label: 'ask' });
      if (this.position.quantity.gt(0)) {
        const { intentId } = this.exit({ limitPrice: (close * 1.004).toFixed(2), label: 'ask' });
        exits.set(intentId, { time: this.now, fate: undefined });
      }
      this.enterLong(
        { quantity: '1' },
        { limitPrice: (close * 0.996).toFixed(2), add: true, label: 'bid' },
      );
    }
  }
  return { strategyClass: Quoter, exits };
}

const MARKETS = {
  'a pair': aSpotPair('BTC', 'USDT'),
  'a pair on margin': aMarginPair('BTC', 'USDT'),
  'a contract': aContract('BTC', 'USDT'),
} as const;

const LATENCIES = [
  { latencyMs: 0, expected: ['sent'] },
  { latencyMs: 250, expected: ['sent'] },
  { latencyMs: 1.5 * HOUR_MS, expected: ['sent', 'outdated', 'nothing-to-close'] },
] as const;

describe('quotes on both sides, renewed with each candle', () => {
  it.each(
    Object.entries(MARKETS).flatMap(([what, instrument]) =>
      LATENCIES.map((latency) => ({ what, instrument, ...latency })),
    ),
  )(
    '$what, with $latencyMs ms of latency: each exit is sent for its candle, or ends with a reason',
    async ({ instrument, latencyMs, expected }) => {
      const latency = constantLatency(latencyMs);
      const { strategyClass, exits } = aQuoter();

      const record = await runHours({
        strategy: strategyClass,
        series: [[instrument, swingingHours()]],
        simulation: { latency },
      });

      const fates = [...exits.values()].map(({ fate }) => fate);
      expect(new Set(fates.filter((fate) => fate !== 'end-of-run'))).toEqual(new Set(expected));
      const asks = [...record.orders].filter(({ request }) => request.action === 'close');
      expect(asks).toHaveLength(fates.filter((fate) => fate === 'sent').length);
      expect(asks.length).toBeGreaterThan(1_000);
      for (const { request, state } of asks) {
        const wanted = exits.get(request.intentId);
        expect(state.createdTime - (wanted?.time ?? 0)).toBeLessThan(HOUR_MS);
        expect(['filled', 'canceled']).toContain(state.status);
      }
      expect(record.fills.length).toBeGreaterThan(1_500);
    },
  );
});
