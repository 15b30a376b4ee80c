import { CandleStrategy, int, type OrderHandle, type Verdict } from 'evenkeel';

import type { Candle, OrderIntent } from '../../../src/domain/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import type { DrawnIntent } from './drawn-intents.js';
import { IntentEnds } from './intent-ends.js';

/** Intents of a strategy by candle, in order. */
export type Plan = readonly (readonly DrawnIntent[])[];

/** Factor by which a drawn market moves less than the steps of a sequence. */
const CALM = 0.15;

/**
 * A strategy that raises the drawn intents and fails if one of them does not end correctly. `watch` receives each intent when it is raised, before risk
 * judges it, and each verdict.
 */
export function sequenceTrader(
  plan: Plan,
  watch: {
    readonly raised?: (handle: OrderHandle, intent: OrderIntent) => void;
    readonly judged?: (verdict: Verdict) => void;
  } = {},
): StrategyClass {
  return class SequenceTrader extends CandleStrategy({ warmup: int(0, 10, 0) }) {
    override readonly warmup = this.parameters.warmup;
    readonly #ends = new IntentEnds(() => true);
    #candles = 0;

    override onVerdict(verdict: Verdict): void {
      this.#ends.hear(verdict);
      watch.judged?.(verdict);
    }

    override onCandle({ close }: Candle): void {
      this.#ends.settle();
      const instruments = this.instruments.map(({ instrumentId }) => instrumentId);
      for (const { at } of plan[this.#candles] ?? []) {
        const intent = at({ last: close, instruments, calm: CALM });
        const handle = this.handleOf(this.raise(intent));
        this.#ends.follow(handle, intent);
        watch.raised?.(handle, intent);
      }
      this.#candles += 1;
    }
  };
}
