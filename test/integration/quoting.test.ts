import { describe, expect, it } from 'vitest';

import { runBacktest } from '../../src/assembly/index.js';
import {
  createInstrumentId,
  HOUR_MS,
  type Candle,
  type CandleColumns,
} from '../../src/domain/index.js';
import { CandleStrategy, type StrategyClass, type Verdict } from '../../src/strategy/index.js';
import { aBacktestConfig } from '../support/backtest-config.js';
import { createMemoryArchive } from '../support/memory-archive.js';

const BTC = createInstrumentId('spot', 'BTCUSDT');
const HOURS = 24 * 60;

/** A price that swings by several percent, so that bids and asks around it fill now and then. */
function swingingHours(): CandleColumns {
  const closeAt = (hour: number): number =>
    Math.round((100 + 4 * Math.sin(hour / 7) + 2 * Math.sin(hour / 2.3)) * 100) / 100;
  const close = Float64Array.from({ length: HOURS }, (_, hour) => closeAt(hour + 1));
  const open = Float64Array.from({ length: HOURS }, (_, hour) => closeAt(hour));
  return {
    openTime: Float64Array.from({ length: HOURS }, (_, hour) => hour * HOUR_MS),
    open,
    high: open.map((price, hour) => Math.max(price, close[hour] as number) + 0.3),
    low: open.map((price, hour) => Math.min(price, close[hour] as number) - 0.3),
    close,
    volume: new Float64Array(HOURS).fill(1_000),
  };
}

interface Wanted {
  readonly time: number;
  /** `sent`, or the check that refused. */
  fate: string | undefined;
}

/** Withdraws both sides of its quote with each candle, and quotes anew: the one sells all that is held, the other adds to it. */
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

describe('quotes on both sides, made anew with each candle', () => {
  it.each([
    { latencyMs: 0, isInTime: true },
    { latencyMs: 250, isInTime: true },
    { latencyMs: 1.5 * HOUR_MS, isInTime: false },
  ])(
    'with $latencyMs ms of latency each exit is sent for its candle, or ends with a reason',
    async ({ latencyMs, isInTime }) => {
      const latency = { min: latencyMs, max: latencyMs };
      const config = aBacktestConfig({
        instrumentId: BTC,
        interval: '1h',
        simulation: { latency: { submit: latency, cancel: latency } },
      });
      const series = [{ instrumentId: BTC, interval: '1h', columns: swingingHours() }] as const;
      const archive = createMemoryArchive(series);
      const { strategyClass, exits } = aQuoter();

      const record = await runBacktest({ config, archive, strategyClass, sourceHash: 'quoter' });

      const fates = [...exits.values()].map(({ fate }) => fate);
      expect(fates).not.toContain(undefined);
      expect(new Set(fates)).toEqual(
        new Set(
          isInTime
            ? ['sent', 'end-of-run']
            : ['sent', 'outdated', 'nothing-to-close', 'end-of-run'],
        ),
      );
      const asks = [...record.orders].filter(({ request }) => request.action === 'close');
      expect(asks).toHaveLength(fates.filter((fate) => fate === 'sent').length);
      expect(asks.length).toBeGreaterThan(400);
      for (const { request, state } of asks) {
        const wanted = exits.get(request.intentId);
        expect(state.createdTime - (wanted?.time ?? 0)).toBeLessThan(HOUR_MS);
      }
      expect(record.fills.length).toBeGreaterThan(700);
    },
  );
});
